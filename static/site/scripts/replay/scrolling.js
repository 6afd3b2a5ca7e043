// Scrolls the shown position into view: the last move on a board larger than its frame, the current
// line in the list of moves, and the board itself.
import { scrollToCentre } from "../shared/scroll-to-centre.js";

const showLastCell = () => {
  const cell = document.querySelector("td.last");
  const frame = cell?.closest(".grid-window.large");
  if (frame) scrollToCentre(frame, cell);
};

const showCurrentLine = () => {
  const line = document.querySelector(".analysed .current, .move-list .current");
  const list = line?.closest(".analysed, .move-list");
  if (!list) return;
  const distance = line.getBoundingClientRect().top - list.getBoundingClientRect().top;
  list.scrollTop += distance - list.clientHeight / 2;
};

const showBoard = () => {
  const board = document.querySelector(".board-side");
  if (board && board.getBoundingClientRect().bottom < 80) board.scrollIntoView();
};

const showLists = () => {
  showLastCell();
  showCurrentLine();
};

showLists();
document.addEventListener("htmx:afterSettle", () => {
  showLists();
  showBoard();
});
