// The page of a lobby, which uses the same stream as boards, and is replaced by the board when the
// game begins.
import "./shared/morphing.js";
import { board } from "./board/elements.js";
import "./share.js";
import "./live/boards.js";
import "./live/stream.js";

const waited = board().dataset.lobby === "open";

document.addEventListener("htmx:afterSettle", () => {
  const { lobby, game } = board().dataset;
  if (waited && lobby !== "open") location.replace(game);
});

// An answer that the stream has overtaken would show an older lobby.
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  const version = detail.serverResponse.match(/data-version="(\d+)"/)?.[1];
  if (Number(version) < Number(board().dataset.version)) detail.shouldSwap = false;
});
