// The sounds of a game, and a short vibration on touch screens, loaded once they are switched on. A
// tone has a pitch in hertz, and a start and a length in seconds.
const SOUNDS = {
  move: [[240, 0, 0.09]],
  capture: [
    [240, 0, 0.07],
    [160, 0.07, 0.13],
  ],
  turn: [
    [520, 0, 0.16],
    [700, 0.12, 0.4],
  ],
  end: [
    [392, 0, 0.3],
    [494, 0.14, 0.3],
    [587, 0.28, 0.7],
  ],
};

const VIBRATIONS = { move: 15, capture: 25, turn: [40, 70, 40], end: [60, 80, 120] };

let audio;

const playTone = ([pitch, from, length]) => {
  const tone = audio.createOscillator();
  const volume = audio.createGain();
  const start = audio.currentTime + from;
  tone.type = "triangle";
  tone.frequency.value = pitch;
  volume.gain.setValueAtTime(0.2, start);
  volume.gain.exponentialRampToValueAtTime(0.001, start + length);
  tone.connect(volume).connect(audio.destination);
  tone.start(start);
  tone.stop(start + length);
};

export const play = (name) => {
  audio ||= new AudioContext();
  audio.resume();
  SOUNDS[name].forEach(playTone);
};

const playIfOn = (name) => {
  if (!document.documentElement.dataset.sound) return;
  if (matchMedia("(pointer: coarse)").matches) navigator.vibrate?.(VIBRATIONS[name]);
  play(name);
};

const heard = () => {
  const { classList, dataset } = document.getElementById("board");
  const [isOver, isMine] = [classList.contains("over"), classList.contains("my-turn")];
  return { isOver, isMine, ply: Number(dataset.ply), sound: dataset.sound };
};

let heardBefore = heard();
let ownPly = 0;

// The sound of a player's own move is played at the click, that of a reveal once its effect is
// known.
document.addEventListener("htmx:beforeRequest", ({ detail: { requestConfig } }) => {
  if (!requestConfig.path.endsWith("/move/") || document.getElementById("b-reveal")) return;
  ownPly = heard().ply + 1;
  playIfOn("move");
});

// One sound for each board: the most important one.
document.addEventListener("htmx:afterSettle", () => {
  const [before, now] = [heardBefore, heard()];
  heardBefore = now;
  if (now.isOver && !before.isOver) playIfOn("end");
  else if (now.isMine && !before.isMine) playIfOn("turn");
  else if (now.ply > before.ply && now.ply !== ownPly) playIfOn(now.sound);
});
