// A boardgame.io server with one small game: node server.cjs PORT [FOLDER]
// With a folder it stores every match in files there, otherwise in memory.
const net = require("node:net");
const { Server, Origins, FlatFile } = require("boardgame.io/server");

const [port, folder] = process.argv.slice(2);

const LINES = [
  [0, 1, 2], [3, 4, 5], [6, 7, 8],
  [0, 3, 6], [1, 4, 7], [2, 5, 8],
  [0, 4, 8], [2, 4, 6],
];

// Noughts and crosses without end: a board that is won or full is cleared.
const game = {
  name: "nine",
  setup: () => ({ cells: Array(9).fill(null), won: [0, 0] }),
  turn: { minMoves: 1, maxMoves: 1 },
  disableUndo: true,
  moves: {
    mark: ({ G, playerID }, at) => {
      if (G.cells[at] !== null) return "INVALID_MOVE";
      G.cells[at] = playerID;
      const isWon = LINES.some((line) => line.every((cell) => G.cells[cell] === playerID));
      if (isWon) G.won[playerID] += 1;
      if (isWon || G.cells.every((cell) => cell !== null)) G.cells = Array(9).fill(null);
    },
  },
};

// boardgame.io listens on every address; a benchmark needs only this one.
const listen = net.Server.prototype.listen;
net.Server.prototype.listen = function (port, ...rest) {
  return listen.call(this, Number(port), "127.0.0.1", ...rest);
};

const db = folder ? new FlatFile({ dir: folder, logging: false }) : undefined;
Server({ games: [game], origins: [Origins.LOCALHOST], db }).run(Number(port));
