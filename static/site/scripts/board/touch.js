// On touch screens, where nothing can take a move back or the settings say so, the first tap shows a
// move and the second plays it. A new board has no armed cell, so the first tap is forgotten.
import { announce } from "./announcements.js";
import { board, effectOf } from "./elements.js";
import { preview } from "./preview.js";

let promptBefore = "";

const disarm = (cell) => {
  if (!cell) return;
  document.getElementById("prompt").textContent = promptBefore;
  cell.classList.remove("armed");
};

const arm = (cell, button) => {
  cell.classList.add("armed");
  preview(button);
  const prompt = document.getElementById("prompt");
  promptBefore = prompt.textContent;
  prompt.textContent = board().dataset.again.replace("{}", effectOf(button));
  announce(prompt.textContent);
};

const confirmTouch = (event) => {
  if (event.pointerType !== "touch" || board().dataset.confirm !== "taps") return;
  const button = event.target.closest?.("#board [data-cell][name=move]");
  const cell = button?.closest("td");
  const armed = document.querySelector("#board td.armed:has([name=move])");
  disarm(armed);
  if (!button) return;
  if (cell === armed) {
    // Otherwise the prompt of the previous step would return until the move is reported as sent.
    document.getElementById("prompt").textContent = `${effectOf(button)}…`;
    return;
  }
  arm(cell, button);
  event.preventDefault();
  event.stopPropagation();
};
document.addEventListener("click", confirmTouch, true);
