// Shows a move in the frame of the click, before the server has it: marked as being sent, taken
// back if it is refused, and kept if the network is gone, to be sent when it is back or by a button.
import { announce } from "./announcements.js";
import { drawAsSent, drawSent, makeButton, sends } from "./drawing.js";
import { board } from "./elements.js";
import { resolve, shownText, stepsOf } from "./tree.js";

const TELL_AFTER = 300;

let move = null;

export const isUnderway = () => move !== null;
export const isLost = () => move?.isLost;

const tell = (key) => {
  const prompt = document.getElementById("prompt");
  if (prompt) prompt.textContent = shownText(key);
};

const offerAgain = () => {
  tell("lost");
  const back = stepsOf(move.text).slice(0, -1).join(" ");
  board()
    .querySelector(".beside")
    ?.replaceChildren(
      makeButton("b-again", shownText("again"), { class: "button", ...sends(move.text, true) }),
      makeButton("b-back", shownText("back"), { class: "button quiet", ...sends(back) }),
    );
};

const draw = () => {
  const found = resolve(move.text);
  if (found) drawSent(found);
  board().classList.add("waits");
  if (move.isLost) offerAgain();
  else if (move.isSlow) tell("sending");
};

const end = () => {
  move = null;
  board().classList.remove("waits");
};

export const takeBack = () => {
  end();
  drawAsSent();
};

// If a board of the same position arrives while the move is on its way, the move stays drawn.
export const drawAgain = () => {
  if (move.isAnswered || board().dataset.ply !== move.ply) end();
  else draw();
};

const tellSlow = (sent) => {
  if (sent !== move || sent.isLost) return;
  move.isSlow = true;
  tell("sending");
};

const begin = (texts, isTyped) => {
  move = { text: texts.join(" "), ply: board().dataset.ply, isTyped };
  setTimeout(tellSlow, TELL_AFTER, move);
  draw();
};

const lose = () => {
  move.isLost = true;
  draw();
  announce(shownText("lost"));
};

document.addEventListener("back-online", () => {
  if (isLost()) document.getElementById("b-again")?.click();
});

// A move that is not yet on its way; its request follows.
export const drawWaiting = (form) => {
  const texts = form.getAll("move");
  if (texts.length) begin(texts, form.has("typed"));
};

// Returns whether a move was lost before its request was sent.
export const loseWaiting = () => {
  if (!move) return false;
  if (move.isTyped) takeBack();
  else lose();
  return isUnderway();
};

document.addEventListener("htmx:beforeRequest", ({ target, detail: { requestConfig } }) => {
  const { move: texts } = requestConfig.parameters;
  if (texts === undefined) return;
  begin([texts].flat(), target.id === "typed");
  requestConfig.sent = move;
});

document.addEventListener("htmx:beforeOnLoad", ({ detail: { requestConfig } }) => {
  if (requestConfig.sent) requestConfig.sent.isAnswered = true;
});

// An answer without a board, such as a fault, takes the move back too.
document.addEventListener("htmx:afterRequest", ({ detail: { requestConfig } }) => {
  if (!move || requestConfig.sent !== move) return;
  if (move.isAnswered || move.isTyped) takeBack();
  else lose();
});
