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

// One sound for each board: the most important one.
document.addEventListener("htmx:afterSettle", () => {
  const [before, now] = [heardBefore, heard()];
  heardBefore = now;
  if (now.isOver && !before.isOver) playSound("end");
  else if (now.isMine && !before.isMine) playSound("turn");
  else if (now.ply > before.ply) playSound(now.sound);
});
