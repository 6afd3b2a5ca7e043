// The links to seats beside the board.
import { board } from "./elements.js";

// The links depend only on these three.
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

// The menu, and the sheet above it, close once one of its buttons is pressed.
document.addEventListener("submit", ({ submitter }) => {
  if (!submitter?.closest(":popover-open")) return;
  for (const sheet of document.querySelectorAll(":popover-open")) sheet.hidePopover();
});

// A click selects the whole link.
document.addEventListener("focusin", ({ target }) => {
  if (target.readOnly) target.select();
});

// The menu closes when it leads to the links below the board, which it would cover.
document.addEventListener("click", (event) => {
  const link = event.target.closest?.(".menu [href='#watch']");
  if (!link) return;
  event.preventDefault();
  link.closest(".menu").hidePopover();
  const field = document.querySelector(link.hash);
  field.closest("details").open = true;
  field.focus({ preventScroll: true });
  field.scrollIntoView({ block: "center" });
});
