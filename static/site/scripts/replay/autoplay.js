// Plays the moves one after the other up to the last one; from the end it starts again.
import { currentPly, lastPly, showPly } from "./positions.js";

const PLY_MS = 1200;

let timer;

const button = () => document.getElementById("autoplay");

const stop = () => {
  clearInterval(timer);
  timer = undefined;
  button()?.setAttribute("aria-pressed", "false");
};

const step = () => {
  if (!button()) return stop();
  if (currentPly() < lastPly()) showPly(currentPly() + 1);
  if (currentPly() >= lastPly()) stop();
};

const start = () => {
  button().setAttribute("aria-pressed", "true");
  timer = setInterval(step, PLY_MS);
  if (currentPly() < lastPly()) step();
  else showPly(0);
};

// The server does not know whether the moves are played.
Idiomorph.defaults.callbacks.beforeNodeMorphed = (node) => node.id !== "autoplay";

document.addEventListener("click", ({ target }) => {
  if (target.closest("#autoplay")) timer ? stop() : start();
  else if (target.closest("#replay a, #analysis a")) stop();
});
document.addEventListener("keydown", ({ key }) => {
  if (["Home", "End", "ArrowLeft", "ArrowRight", "Escape"].includes(key)) stop();
});
document.documentElement.classList.add("plays");
