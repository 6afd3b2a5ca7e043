// Chooses the steps of a move in the page. The form that asks the server for the next step is sent
// only if the step tree does not have it. A choice survives a new board of the same position.
import { announce } from "./announcements.js";
import { drawChosen } from "./drawing.js";
import { board } from "./elements.js";
import { dropOwnMark, keepOwnMark } from "./marks.js";
import { drawAgain, isLost, isUnderway, takeBack } from "./sending.js";
import { readTree, resolve } from "./tree.js";

let shownState = { ...board().dataset };

// Returns the prompt after the steps; undefined if the tree does not have them.
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
    // The answer has these steps, or none after a step back, so the earlier ones are not chosen
    // again.
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
  // Otherwise the move was refused, and the steps chosen before it stay.
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

// The form that changes the language returns to the same steps.
document.addEventListener("submit", ({ target }) => {
  const next = target.querySelector("[name=next]");
  if (!next) return;
  const url = new URL(next.value, location);
  const { chosen } = board().dataset;
  if (chosen) url.searchParams.set("chosen", chosen);
  else url.searchParams.delete("chosen");
  next.value = url.pathname + url.search;
});
