// Moves that cannot be taken back take two steps, by mouse, touch and keyboard: a cell marks its
// move, for the others at the board to see. "Reveal" plays it, and so does the marked cell; "Back"
// and Escape remove the mark. If one person has all seats, the page marks the board without the
// server. Otherwise the form that plays the move names the mark, so it waits until the server has
// that: a mark is drawn at once, and sent again when the network is back.
import { announce } from "./announcements.js";
import { drawAsSent, makeButton } from "./drawing.js";
import { board, effectOf } from "./elements.js";
import { preview } from "./preview.js";
import { drawWaiting, isLost, isUnderway, loseWaiting, takeBack } from "./sending.js";
import { sentBoard, shownText } from "./tree.js";

// A double click, or a bouncing tap, counts as one step.
const DOUBLE_CLICK = 400;
const FINGER = 48;
let pressed = { at: -DOUBLE_CLICK };
// The mark that only this page knows: of one person, or on its way; its value is empty if the mark
// is on its way out.
let own = null;

const MARKED = ".mark-chosen > [data-cell][name=move]";
const MARKING = `#board:has(#b-reveal) :is([data-cell][name=mark], ${MARKED})`;
const marksOn = (target) => target.closest?.(MARKING);
const revealButton = () => document.getElementById("b-reveal");
const isSolo = () => "solo" in board().dataset;

// A cell that was marked marks its move again.
const unmark = () => {
  for (const button of document.querySelectorAll(`#board ${MARKED}`)) {
    button.name = "mark";
    button.setAttribute("form", "marks");
  }
  for (const cell of document.querySelectorAll("#board td:is(.armed, .mark-chosen)"))
    cell.classList.remove("armed", "mark-chosen");
  revealButton().parentElement.hidden = true;
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

const numberShown = () => revealButton().parentElement.querySelector("[type=hidden]").value;
const markShown = () => sentBoard().querySelector(MARKED)?.value || "";

const mark = (button) => {
  unmark();
  if (button) showMark(button);
  own = { value: button?.value || "", ply: board().dataset.ply, before: numberShown() };
  if (button) announce(`${revealButton().textContent}?`);
};

const reveal = () => {
  pressed = { at: -DOUBLE_CLICK };
  revealButton().click();
};

// The server has the mark. Its board may still be being drawn.
const settle = () => {
  const { plays } = own;
  own = null;
  if (plays && isUnderway()) queueMicrotask(reveal);
};

const giveUp = () => {
  const { plays } = own;
  own = null;
  if (plays) takeBack();
  else drawAsSent();
  const sent = sentBoard().querySelector(".reveal");
  if (sent) revealButton()?.parentElement.replaceWith(sent.cloneNode(true));
};

// A step chosen beside the board replaces a mark.
export const dropOwnMark = () => {
  if (revealButton()?.checkVisibility()) document.getElementById("b-unmark").click();
};

// A board that is drawn anew in the same position, and does not have the mark, keeps it.
const drawOwnMark = () => {
  if (!own || isUnderway()) return;
  if (own.ply !== board().dataset.ply || !revealButton()) {
    own = null;
    return;
  }
  unmark();
  const button = board().querySelector(`[data-cell][name=mark][value="${own.value}"]`);
  if (button) showMark(button);
};

export const keepOwnMark = () => {
  const isKnown = own && revealButton() && own.value === markShown();
  if (isKnown && !isSolo() && numberShown() !== own.before) settle();
  else drawOwnMark();
};

const stop = (event) => {
  event.preventDefault();
  event.stopPropagation();
};

const sendAgain = () => {
  own.isLost = false;
  const button = makeButton("", "", { value: own.value, name: "mark", hidden: "hidden" });
  document.getElementById("marks").append(button);
  button.click();
  button.remove();
};

// Plays a mark once the server has it.
const playLater = (event) => {
  stop(event);
  own.plays = true;
  if (!isUnderway()) drawWaiting(new FormData(document.getElementById("moves"), revealButton()));
  if (own.isLost) sendAgain();
};

const useCell = (event, button) => {
  if (button.closest("td").matches(".armed, .mark-chosen")) {
    stop(event);
    reveal();
    return;
  }
  const { timeStamp: at, clientX: x, clientY: y } = event;
  pressed = { at, button, x, y };
  document.getElementById("b-back")?.click();
  mark(button);
  if (isSolo()) stop(event);
};

// The bar may have grown under the finger that marked a cell near it.
const isBounce = ({ timeStamp, clientX, clientY }, button) => {
  if (timeStamp - pressed.at >= DOUBLE_CLICK) return false;
  return button
    ? button === pressed.button
    : Math.hypot(clientX - pressed.x, clientY - pressed.y) < FINGER;
};

document.addEventListener(
  "click",
  (event) => {
    const button = marksOn(event.target);
    const plays = event.target === revealButton() || (own && event.target.id === "b-again");
    if (event.target.id === "b-unmark") {
      mark();
      if (isSolo()) stop(event);
    } else if (!button && !plays) return;
    else if (isBounce(event, button)) stop(event);
    else if (button) useCell(event, button);
    else if (own && !isSolo()) playLater(event);
  },
  true,
);

// A key that is held down counts as pressed once.
document.addEventListener("keydown", (event) => {
  const isHeld = event.repeat && event.key === "Enter";
  if (isHeld && (marksOn(event.target) || event.target === revealButton())) event.preventDefault();
});

export const isMarkLost = () => own?.isLost;

// Returns whether a mark was lost. A move that waits for it is lost too.
export const loseMark = () => {
  if (!own || isSolo()) return false;
  own.isLost = true;
  if (own.plays && !isLost()) loseWaiting();
  return true;
};

document.addEventListener("htmx:beforeRequest", ({ target, detail: { requestConfig } }) => {
  if (target.id === "marks") requestConfig.mark = own;
});

// An answer brings the board with the mark, or the reason why it has none.
document.addEventListener("htmx:afterRequest", ({ target, detail: { xhr, requestConfig } }) => {
  if (target.id !== "marks" || !own || requestConfig.mark !== own) return;
  if (!xhr.status) return loseMark();
  if (own.value === markShown()) settle();
  else giveUp();
});

document.addEventListener("back-online", () => {
  if (own?.isLost) sendAgain();
});
document.addEventListener("board-drawn", drawOwnMark);
