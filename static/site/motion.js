// Moves a piece that is on another cell than before, and lets a stack that has grown settle.
// `data-piece` is the name of a piece on any cell, and `data-stack` the height of a stack. Cells do
// not move, so both ends of a way are enough to draw it.
const WALK = { duration: 260, easing: "ease-in-out" };
const SETTLE = { duration: 240, easing: "ease-out" };
const isStill = matchMedia("(prefers-reduced-motion: reduce)");

const find = (attribute, nameOf) =>
  new Map(
    [...document.querySelectorAll(`#board [data-cell] [data-${attribute}]`)].map((element) => {
      const cell = element.closest("[data-cell]").id;
      const value = element.dataset[attribute];
      return [nameOf(cell, value), { element, cell, value }];
    }),
  );

const look = () => ({
  pieces: find("piece", (_, name) => name),
  stacks: find("stack", (cell) => cell),
});

let seen = look();

const walk = (piece, from, to) => {
  const [start, end] = [from, to].map((id) => document.getElementById(id).getBoundingClientRect());
  const way = `${start.left - end.left}px ${start.top - end.top}px`;
  piece.animate([{ translate: way, zIndex: 4 }, { zIndex: 4 }], WALK);
};

const movePieces = () => {
  const before = seen;
  seen = look();
  if (isStill.matches || document.hidden) return;
  for (const [name, { element, cell }] of seen.pieces) {
    const from = before.pieces.get(name)?.cell;
    if (from && from !== cell && document.getElementById(from)) walk(element, from, cell);
  }
  for (const [cell, { element, value }] of seen.stacks)
    if (value > (before.stacks.get(cell)?.value || 0))
      element.animate({ scale: [1.1, 0.98, 1] }, SETTLE);
};

// Mutations are watched instead of swaps, since moves are shown before they are answered, too.
const moves = document.getElementById("moves");
if (moves)
  new MutationObserver(movePieces).observe(moves, {
    childList: true,
    subtree: true,
    attributeFilter: ["data-stack"],
  });
