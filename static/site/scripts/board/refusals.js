// A click on a cell that cannot be chosen shows the reason beside it, and to screen readers.
import { announce } from "./announcements.js";
import { board } from "./elements.js";
import { isUnderway } from "./sending.js";
import { refusalOf, resolve, shownText } from "./tree.js";

const SHOWN_FOR = 2600;
const MARGIN = 8;

const bubble = document.createElement("p");
bubble.className = "why";
bubble.ariaHidden = "true";
let hideTimer = 0;

const hideReason = () => {
  bubble.remove();
  clearTimeout(hideTimer);
};

// Players get a reason out of turn too; spectators get none, and after the end nobody does.
const reasonFor = (cell) => {
  const shown = document.getElementById("prompt");
  const prompt = shown?.textContent || shown?.dataset.known;
  const found = resolve(board().dataset.chosen || "");
  if (found) return refusalOf(found, cell) || prompt;
  const plays = document.getElementById("typed") && !board().matches(".over");
  return prompt || (plays ? shownText("wait") : "");
};

const shake = (td) => {
  td.classList.add("refused-cell");
  td.addEventListener("animationend", () => td.classList.remove("refused-cell"), { once: true });
};

const showReason = (td, reason) => {
  bubble.textContent = reason;
  // In the corner, since beyond the edge it would widen the view on a phone.
  bubble.style.left = bubble.style.top = 0;
  document.body.append(bubble);
  const [cell, own] = [td.getBoundingClientRect(), bubble.getBoundingClientRect()];
  const middle = cell.left + (cell.width - own.width) / 2;
  const left = Math.max(MARGIN, Math.min(middle, innerWidth - own.width - MARGIN));
  const above = cell.top - own.height - MARGIN;
  const top = above < MARGIN ? cell.bottom + MARGIN : above;
  bubble.style.left = `${left + scrollX}px`;
  bubble.style.top = `${top + scrollY}px`;
  hideTimer = setTimeout(hideReason, SHOWN_FOR);
};

document.addEventListener("click", ({ target }) => {
  hideReason();
  const button = target.closest?.("#board [data-cell]");
  if (!button || button.name || isUnderway()) return;
  const reason = reasonFor(button.dataset.cell);
  if (!reason) return;
  const td = button.closest("td");
  shake(td);
  showReason(td, reason);
  announce(reason);
});
