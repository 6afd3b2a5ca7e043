// Scrolls a board that is larger than its frame to the last move, and the list of moves to its end
// unless the reader has scrolled back.
import { scrollToCentre } from "../shared/scroll-to-centre.js";

const NEAR_THE_END = 9;
let followsMoves = true;

const noteScrolling = ({ target: { scrollTop, clientHeight, scrollHeight, classList } }) => {
  if (classList?.contains("move-list"))
    followsMoves = scrollTop + clientHeight > scrollHeight - NEAR_THE_END;
};

const showLastMoves = () => {
  const moves = document.querySelector("#board .move-list");
  if (moves && followsMoves) moves.scrollTop = moves.scrollHeight;
};

// A cell beside an edge counts as hidden, since the headings, a cell wide, cover the left and the
// top.
const isHidden = (cell, frame) => {
  const [inner, outer] = [cell.getBoundingClientRect(), frame.getBoundingClientRect()];
  return (
    inner.left <= outer.left + inner.width ||
    inner.right >= outer.right ||
    inner.top <= outer.top + inner.height ||
    inner.bottom >= outer.bottom
  );
};

const showLastCell = () => {
  const frame = document.querySelector("#board .grid-window");
  const cell =
    document.querySelector("#board td.last") || document.querySelector("#board td.legal");
  if (frame && cell && isHidden(cell, frame)) scrollToCentre(frame, cell);
};

const showLast = () => {
  showLastMoves();
  showLastCell();
};

document.addEventListener("scroll", noteScrolling, true);
document.addEventListener("htmx:afterSettle", showLast);
showLast();
