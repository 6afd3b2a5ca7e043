// Shows the effects of a click before it is made: `data-effects` names cells and effects, the style
// sheet of the game draws them.
import { cellNamed } from "./elements.js";

export const preview = (button) => {
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
