// Looking back at a game: the arrow keys step from move to move, and what is looked at is in sight.
(() => {
  "use strict";
  const steps = { ArrowLeft: "a[rel=prev]", ArrowRight: "a[rel=next]" };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, textarea")) return;
    // A board that is larger than its window scrolls by the same keys.
    if (event.target.closest(".grid-window.large")) return;
    const link = steps[event.key] && document.querySelector(".plies " + steps[event.key]);
    if (link) { event.preventDefault(); link.click(); }
  });

  // What somebody has opened stays open from move to move.
  if (window.Idiomorph) {
    Idiomorph.defaults.callbacks.beforeAttributeUpdated = (name, node) => name !== "open" || !node.matches("details");
  }
  const reveal = () => {
    const row = document.querySelector(".analysed .current"), list = row?.closest(".analysed");
    if (list) list.scrollTop = row.offsetTop - list.clientHeight / 2;
  };
  reveal();
  document.addEventListener("htmx:afterSettle", () => {
    reveal();
    const board = document.querySelector(".board-side");
    if (board && board.getBoundingClientRect().bottom < 80) board.scrollIntoView();
  });
})();
