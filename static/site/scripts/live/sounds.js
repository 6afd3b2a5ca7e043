// Sounds, and a short vibration on touch screens, once the settings ask for them.
import { board } from "../board/elements.js";

const VIBRATIONS = { move: 15, capture: 25, turn: [40, 70, 40], end: [60, 80, 120] };

const playSound = async (name) => {
  // The address of the script with the sounds, while they are on.
  const address = document.documentElement.dataset.sound;
  if (!address) return;
  if (matchMedia("(pointer: coarse)").matches) navigator.vibrate?.(VIBRATIONS[name]);
  const { play } = await import(address);
  play(name);
};

const heard = () => {
  const { classList, dataset } = board();
  const [isOver, isMine] = [classList.contains("over"), classList.contains("my-turn")];
  return { isOver, isMine, ply: Number(dataset.ply), sound: dataset.sound };
};

let heardBefore = heard();
let ownPly = 0;

// A player's own move is heard at the click. What a move reveals is heard once it is known.
document.addEventListener("htmx:beforeRequest", ({ detail: { requestConfig } }) => {
  if (!requestConfig.path.endsWith("/move/") || document.getElementById("b-reveal")) return;
  ownPly = heard().ply + 1;
  playSound("move");
});

// One sound for each board: the most important one.
document.addEventListener("htmx:afterSettle", () => {
  const [before, now] = [heardBefore, heard()];
  heardBefore = now;
  if (now.isOver && !before.isOver) playSound("end");
  else if (now.isMine && !before.isMine) playSound("turn");
  else if (now.ply > before.ply && now.ply !== ownPly) playSound(now.sound);
});
