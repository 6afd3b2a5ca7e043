// Keys on the board: arrows, Home and End move the focus; l, t and m read out the last move, the
// turn and the cells to choose; Escape takes back a step of the move.
import { announce } from "./announcements.js";
import { board } from "./elements.js";

const texts = (selector) =>
  [...document.querySelectorAll(`#board ${selector}`)].map(({ textContent }) => textContent);
const legalCells = () =>
  [...document.querySelectorAll("#board .legal [data-cell]")].map((cell) => cell.dataset.cell);

const QUERIES = {
  l: () => texts(".news").join(" ") || "–",
  t: () => texts(":is(.whose, .result)")[0] || "",
  m: () => legalCells().join(", ") || texts(".step").join(", ") || "–",
};

const goalOf = (key, cell) => {
  const [row, column] = cell.id.split("-").slice(1).map(Number);
  const end = cell.closest("tr").querySelectorAll("[data-cell]").length - 1;
  return {
    ArrowUp: [row - 1, column],
    ArrowDown: [row + 1, column],
    ArrowLeft: [row, column - 1],
    ArrowRight: [row, column + 1],
    Home: [row, 0],
    End: [row, end],
  }[key];
};

const stepBack = (event) => {
  // Escape in a field or an open dialogue is theirs.
  if (event.target.matches("input") || document.querySelector(":popover-open, dialog")) return;
  const unmark = document.querySelector(".reveal:not([hidden]) > #b-unmark");
  (document.getElementById("b-back") || unmark)?.click();
};

// At the end of a game the left arrow opens the page of the previous ply, where it steps further
// back.
const lookBack = (event) => {
  const { ply } = board().dataset;
  if (event.target.matches("body, main") && board().matches(".over") && ply > 0)
    location.href = `${location.pathname}${ply - 1}/`;
};

const useOnCell = (event, cell) => {
  const goal = goalOf(event.key, cell);
  if (goal) {
    document.getElementById(`c-${goal.join("-")}`)?.focus();
    event.preventDefault();
  } else if (event.key in QUERIES) announce(QUERIES[event.key]());
};

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") stepBack(event);
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "ArrowLeft") lookBack(event);
  const cell = event.target.closest?.("[data-cell]");
  if (cell) useOnCell(event, cell);
});
