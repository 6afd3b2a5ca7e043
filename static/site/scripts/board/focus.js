// The board is one tab stop: the last focused cell, or the first legal one.
let current = "";

const updateTabStop = () => {
  const cells = [...document.querySelectorAll("#board [data-cell]")];
  if (!cells.length) return;
  const stop = document.getElementById(current) || cells.find((cell) => cell.name) || cells[0];
  current = stop.id;
  for (const cell of cells) cell.tabIndex = cell === stop ? 0 : -1;
};

// A button pressed by keyboard may be missing from the next board: then the focus goes to a cell.
let focused = null;

const keepFocusOnBoard = () => {
  if (focused && !focused.isConnected) document.getElementById(current).focus();
};

document.addEventListener("focusin", ({ target }) => {
  focused = target.matches("#board :focus-visible") ? target : null;
  if (target.dataset.cell) {
    current = target.id;
    updateTabStop();
  }
});
const keepUp = () => {
  updateTabStop();
  keepFocusOnBoard();
};
document.addEventListener("htmx:afterSettle", keepUp);
document.addEventListener("board-drawn", keepUp);
updateTabStop();
