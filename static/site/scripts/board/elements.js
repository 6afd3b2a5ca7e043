// The parts of the page that several modules look up. The board is looked up each time, because a
// morph may replace it.
export const board = () => document.getElementById("board");

export const cellNamed = (name) => document.querySelector(`#board [data-cell="${name}"]`);
