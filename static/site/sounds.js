// The sounds of a game, loaded once they are switched on: tones of a pitch in hertz, a start and a
// length in seconds.
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
