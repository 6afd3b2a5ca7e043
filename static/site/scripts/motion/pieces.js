// A piece that stands on another cell than before walks there. Cells stay where they are, so the
// way is known once both ends are: `data-piece` names a piece on every cell alike.
const WALK = { duration: 260, easing: "ease-in-out" };
const isStill = matchMedia("(prefers-reduced-motion: reduce)");

const findPieces = () =>
  new Map(
    [...document.querySelectorAll("#board [data-cell] [data-piece]")].map((piece) => [
      piece.dataset.piece,
      { piece, cell: piece.closest("[data-cell]").id },
    ]),
  );

let standing = findPieces();

const walk = (piece, from, to) => {
  const [start, end] = [from, to].map((id) => document.getElementById(id).getBoundingClientRect());
  const way = `${start.left - end.left}px ${start.top - end.top}px`;
  piece.animate(
    [
      { translate: way, zIndex: 4 },
      { translate: "0 0", zIndex: 4 },
    ],
    WALK,
  );
};

const walkPieces = () => {
  const before = standing;
  standing = findPieces();
  if (isStill.matches || document.hidden) return;
  for (const [name, { piece, cell }] of standing) {
    const from = before.get(name)?.cell;
    if (from && from !== cell && document.getElementById(from)) walk(piece, from, cell);
  }
};

// Watched instead of swaps, since moves are shown before they are answered, too.
const moves = document.getElementById("moves");
if (moves) new MutationObserver(walkPieces).observe(moves, { childList: true, subtree: true });
