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

// A sheet whose button was sent closes, and the menu below it.
document.addEventListener("submit", ({ target }) => {
  if (!target.matches(":popover-open")) return;
  for (const sheet of document.querySelectorAll(":popover-open")) sheet.hidePopover();
});

// A link is selected whole.
document.addEventListener("focusin", ({ target }) => {
  if (target.readOnly) target.select();
});

// The menu leads to the links below the board, and closes in front of them.
document.addEventListener("click", (event) => {
  const link = event.target.closest?.(".menu [href='#watch']");
  if (!link) return;
  event.preventDefault();
  link.closest(".menu").hidePopover();
  const field = document.querySelector(link.hash);
  field.focus({ preventScroll: true });
  field.scrollIntoView({ block: "center" });
});
