// Moves that cannot be taken back take two steps, by mouse, touch and keyboard: a cell marks its
// move, for the others at the board to see. "Reveal" plays it, and so does the marked cell; "Back"
// and Escape remove the mark. If one person has all seats, the page marks the board without the
// server.
import { announce } from "./announcements.js";
import { board, effectOf } from "./elements.js";
import { preview } from "./preview.js";
import { shownText } from "./tree.js";

// A double click, or a bouncing tap, counts as one step.
const DOUBLE_CLICK = 400;
const FINGER = 48;
let marked = { at: -DOUBLE_CLICK };
// The mark that is known only to this page.
let ownMark = null;

const MARKING = "#board:has(#b-reveal) [data-cell]:is([name=mark], .mark-chosen > [name=move])";
const marksOn = (target) => target.closest?.(MARKING);
const revealButton = () => document.getElementById("b-reveal");

const unmark = () => {
  document.querySelector("#board td.armed")?.classList.remove("armed");
  for (const cell of document.querySelectorAll("#board td.mark-chosen"))
    cell.classList.remove("mark-chosen");
  revealButton().parentElement.hidden = true;
  ownMark = null;
};

const showMark = (button) => {
  button.closest("td").classList.add("armed");
  preview(button);
  const reveal = revealButton();
  reveal.value = button.value;
  reveal.textContent = effectOf(button);
  document.getElementById("b-unmark").textContent = shownText("back");
  reveal.parentElement.hidden = false;
};

const mark = (button) => {
  unmark();
  showMark(button);
  ownMark = { value: button.value, ply: board().dataset.ply };
  announce(`${revealButton().textContent}?`);
};

// A step chosen beside the board replaces a mark.
export const dropOwnMark = () => {
  if (ownMark) unmark();
};

// A new board of the same position, which does not have the mark, keeps it.
export const keepOwnMark = () => {
  if (!ownMark || !("solo" in board().dataset)) return;
  const { value, ply } = ownMark;
  const button = document.querySelector(`#board [name=mark][value="${value}"]`);
  if (button && ply === board().dataset.ply) showMark(button);
  else ownMark = null;
};

const stop = (event) => {
  event.preventDefault();
  event.stopPropagation();
};

const abortMarks = () => {
  const abort = new CustomEvent("htmx:abort", { bubbles: true, detail: {} });
  document.getElementById("marks").dispatchEvent(abort);
};

const useCell = (event, button) => {
  if (button.closest("td").matches(".armed, .mark-chosen")) {
    stop(event);
    marked = { at: -DOUBLE_CLICK };
    revealButton().click();
    return;
  }
  const { timeStamp: at, clientX: x, clientY: y } = event;
  marked = { at, button, x, y };
  document.getElementById("b-back")?.click();
  mark(button);
  if ("solo" in board().dataset) stop(event);
};

// The bar may have grown under the finger that marked a cell near it.
const isBounce = ({ timeStamp, clientX, clientY }, button) => {
  if (timeStamp - marked.at >= DOUBLE_CLICK) return false;
  return button
    ? button === marked.button
    : Math.hypot(clientX - marked.x, clientY - marked.y) < FINGER;
};

document.addEventListener(
  "click",
  (event) => {
    const button = marksOn(event.target);
    if (event.target.id === "b-unmark") {
      unmark();
      if ("solo" in board().dataset) stop(event);
    } else if (!button && event.target !== revealButton()) return;
    else if (isBounce(event, button)) stop(event);
    else if (button) useCell(event, button);
    // A mark that is still on its way would arrive after the move and be refused.
    else abortMarks();
  },
  true,
);

// A key that is held down counts as pressed once.
document.addEventListener("keydown", (event) => {
  const isHeld = event.repeat && event.key === "Enter";
  if (isHeld && (marksOn(event.target) || event.target === revealButton())) event.preventDefault();
});
