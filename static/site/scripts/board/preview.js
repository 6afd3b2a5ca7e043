// Previews a click: `data-effects` names cells and effects, which the game's style sheet draws, and
// the step tree has the cells as they will look.
import { cellNamed } from "./elements.js";
import { resolve } from "./tree.js";

// Cells as they will look, if the game's style sheet shows ghosts.
const showGhosts = (button) => {
  for (const ghost of document.querySelectorAll("#board .ghost")) ghost.remove();
  const taken = button?.value ? resolve(button.value)?.taken : null;
  for (const { cell, html } of taken?.at(-1)?.changes || []) {
    const drawn = cellNamed(cell);
    if (drawn) drawn.insertAdjacentHTML("beforeend", `<span class="ghost">${html}</span>`);
  }
};

export const preview = (button) => {
  showGhosts(button);
  for (const cell of document.querySelectorAll("#board td[data-preview]"))
    delete cell.dataset.preview;
  for (const pair of (button?.dataset.effects || "").split(" ").filter(Boolean)) {
    const [name, effect] = pair.split(":");
    const cell = cellNamed(name);
    if (cell) cell.closest("td").dataset.preview = effect;
  }
};

const previewTarget = ({ target }) => preview(target.closest?.("#board [data-effects]"));
document.addEventListener("pointerover", previewTarget);
document.addEventListener("focusin", previewTarget);
