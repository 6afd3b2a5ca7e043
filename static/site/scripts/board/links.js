// The links to seats beside the board.
import { board } from "./elements.js";

// The links depend on these three alone.
const stateOfSeats = () =>
  [
    board().dataset.empty,
    board().classList.contains("over"),
    document.querySelectorAll("#board .mine").length,
  ].join();

let shown = stateOfSeats();
document.addEventListener("htmx:afterSettle", () => {
  if (stateOfSeats() === shown) return;
  shown = stateOfSeats();
  htmx.trigger("#links", "refresh");
});

// A link is selected whole.
document.addEventListener("focusin", ({ target }) => {
  if (target.readOnly) target.select();
});
