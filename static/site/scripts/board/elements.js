// The parts of the page that several modules look up. The board is looked up each time, because a
// morph may replace it.
export const board = () => document.getElementById("board");

export const cellNamed = (name) => document.querySelector(`#board [data-cell="${name}"]`);

// The name of a cell ends with the effect of a click, which is in `data-step` if the name omits it.
export const effectSaid = ({ ariaLabel }) => ariaLabel.split("; ").pop();
export const effectOf = (button) => button.dataset.step || effectSaid(button);
