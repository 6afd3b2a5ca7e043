// Othello on boardgame.io's server: node othello_boardgame_io.js [folder]. Without a folder matches
// are kept in memory, with one in files there. Prints the port it listens on.
"use strict";
const { Server, FlatFile } = require("boardgame.io/server");
const { INVALID_MOVE } = require("boardgame.io/core");

const SIZE = 8;
const DIRECTIONS = [-1, 0, 1]
  .flatMap((x) => [-1, 0, 1].map((y) => [x, y]))
  .filter(([x, y]) => x || y);

const inside = (x, y) => x >= 0 && y >= 0 && x < SIZE && y < SIZE;

// The squares whose discs turn over when `own` places on a square; none if that is not allowed.
const flips = (cells, square, own) => {
  if (cells[square] !== null) return [];
  const found = [];
  for (const [dx, dy] of DIRECTIONS) {
    const line = [];
    let x = (square % SIZE) + dx,
      y = Math.floor(square / SIZE) + dy;
    while (inside(x, y) && cells[y * SIZE + x] !== null && cells[y * SIZE + x] !== own) {
      line.push(y * SIZE + x);
      x += dx;
      y += dy;
    }
    if (line.length && inside(x, y) && cells[y * SIZE + x] === own) found.push(...line);
  }
  return found;
};

const canMove = (cells, own) => cells.some((_, square) => flips(cells, square, own).length > 0);

const othello = {
  name: "othello",
  setup: () => {
    const cells = Array(SIZE * SIZE).fill(null);
    cells[27] = cells[36] = "1";
    cells[28] = cells[35] = "0";
    return { cells };
  },
  turn: {
    minMoves: 1,
    maxMoves: 1,
    // Whoever has no move is passed over.
    order: {
      first: () => 0,
      next: ({ G, ctx }) => {
        const other = 1 - ctx.playOrderPos;
        return canMove(G.cells, String(other)) ? other : ctx.playOrderPos;
      },
    },
  },
  moves: {
    place: ({ G, playerID }, name) => {
      const square = name.charCodeAt(0) - 97 + (Number(name.slice(1)) - 1) * SIZE;
      const turned = flips(G.cells, square, playerID);
      if (!turned.length) return INVALID_MOVE;
      for (const flipped of [square, ...turned]) G.cells[flipped] = playerID;
    },
  },
  endIf: ({ G }) => {
    if (canMove(G.cells, "0") || canMove(G.cells, "1")) return undefined;
    return { discs: ["0", "1"].map((own) => G.cells.filter((cell) => cell === own).length) };
  },
};

const folder = process.argv[2];
const server = Server({
  games: [othello],
  origins: ["http://127.0.0.1"],
  ...(folder && { db: new FlatFile({ dir: folder, logging: false }) }),
});
server.run({ port: 0 }).then(({ appServer }) => console.log(`port ${appServer.address().port}`));
