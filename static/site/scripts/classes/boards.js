// Draws a board that is given as text, with the site's own drawings of its cells. The names of the
// drawings are those of `games/classes/drawings.py`.
const around = [
  [0, 1],
  [0, -1],
  [1, 0],
  [-1, 0],
];

const gridOf = (text) => text.split("\n").map((line) => [...line].filter((cell) => cell !== " "));

const keyOf = (grids, row, column) => {
  const grid = grids.at(-1);
  const character = grid[row][column];
  const equal = around.map(([down, right]) =>
    Number(grid[row + down]?.[column + right] === character),
  );
  const before = grids
    .map((other) => other[row]?.[column])
    .filter((other) => other && other !== character);
  return [character, equal.join(""), before.at(-1) ?? ""];
};

const element = (name, className, text) => {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
};

const letters = (column) =>
  (column < 26 ? "" : String.fromCharCode(96 + Math.floor(column / 26))) +
  String.fromCharCode(97 + (column % 26));

// A character that no run on the site has shown.
const plain = (character) => {
  const made = element("span", "", character);
  made.dataset.label = character;
  return made;
};

const drawingOf = (drawings, grids, row, column) => {
  const [character, equal, before] = keyOf(grids, row, column);
  const names = [character + equal + before, character + equal, character];
  return names.map((name) => drawings.get(name)).find(Boolean) ?? plain(character);
};

const cell = (drawing, row, column) => {
  const td = element("td", "cell");
  const square = element("span", "square");
  square.setAttribute("role", "img");
  square.setAttribute("aria-label", `${letters(column)}${row + 1}, ${drawing.dataset.label}`);
  square.append(...[...drawing.cloneNode(true).childNodes]);
  td.append(square);
  return td;
};

const head = (columns) => {
  const thead = element("thead");
  thead.setAttribute("aria-hidden", "true");
  const row = element("tr");
  row.append(element("td"), ...columns.map((_, column) => element("th", "", letters(column))));
  thead.append(row);
  return thead;
};

// Returns the board after the last of `texts`, the boards so far, or null without drawings.
export const drawBoard = (texts) => {
  const drawings = new Map();
  for (const drawing of document.getElementById("drawings").content.children)
    drawings.set(drawing.dataset.key, drawing);
  const grids = texts.filter(Boolean).map(gridOf);
  const grid = grids.at(-1);
  if (!drawings.size || !grid) return null;
  const table = element("table", `grid size-${grid[0].length}`);
  table.dataset.rows = grid.length;
  const body = element("tbody");
  grid.forEach((line, row) => {
    const tr = element("tr");
    const number = element("th", "", row + 1);
    number.setAttribute("aria-hidden", "true");
    const cells = line.map((_, column) =>
      cell(drawingOf(drawings, grids, row, column), row, column),
    );
    tr.append(number, ...cells);
    body.append(tr);
  });
  table.append(head(grid[0]), body);
  const frame = element("div", "grid-window");
  frame.append(table);
  return frame;
};
