// Steps of a move are chosen in the page: the form that asks the server for the next step is sent only
// where the tree of steps does not have it. A choice outlives a new board of the same position.
import { announce } from "./announcements.js";
import { drawChosen } from "./drawing.js";
import { board } from "./elements.js";
import { dropOwnMark, keepOwnMark } from "./marks.js";
import { drawAgain, isLost, isUnderway, takeBack } from "./sending.js";
import { readTree, resolve } from "./tree.js";

let shownState = { ...board().dataset };

// Returns the prompt of the steps; undefined where the tree does not have them.
const choose = (path) => {
  const found = resolve(path);
  if (!found) return;
  if (path) board().dataset.chosen = path;
  else delete board().dataset.chosen;
  shownState = { ...board().dataset };
  return drawChosen(found);
};

const chooseHere = (event) => {
  const { target, submitter } = event;
  if (target.id !== "steps" || !submitter) return;
  if (isLost()) takeBack();
  if (submitter.value) dropOwnMark();
  const prompt = isUnderway() ? "" : choose(submitter.value);
  if (prompt === undefined) {
    // The answer has these steps, or none after a step back: the earlier ones are not chosen again.
    shownState.chosen = submitter.value;
    return;
  }
  if (prompt) announce(prompt);
  event.preventDefault();
  event.stopPropagation();
};
document.addEventListener("submit", chooseHere, true);

const noteBoard = () => {
  readTree();
  if (isUnderway()) drawAgain();
  // Else the move was refused, and the steps that were chosen before it stand.
  if (isUnderway()) return;
  const { ply, chosen } = board().dataset;
  if (
    !shownState.chosen ||
    shownState.ply !== ply ||
    chosen ||
    choose(shownState.chosen) === undefined
  )
    shownState = { ...board().dataset };
};

Idiomorph.defaults.callbacks.afterNodeMorphed = (node) => {
  if (node.id !== "board") return;
  noteBoard();
  keepOwnMark();
};

// The form that changes the language comes back to the same steps.
document.addEventListener("submit", ({ target }) => {
  const next = target.querySelector("[name=next]");
  if (!next) return;
  const url = new URL(next.value, location);
  const { chosen } = board().dataset;
  if (chosen) url.searchParams.set("chosen", chosen);
  else url.searchParams.delete("chosen");
  next.value = url.pathname + url.search;
});
