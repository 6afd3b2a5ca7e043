// Shows boards that arrive without a click, and keeps the half-chosen move.
import { board } from "../board/elements.js";
import { loadHtmx } from "../shared/load-htmx.js";

export const addressOf = (part) => {
  const url = new URL(board().dataset.address, location);
  url.pathname = url.pathname.replace(/board\/$/, part);
  return url;
};

export const renewBoard = (chosen = board().dataset.chosen || "") => {
  const url = addressOf("board/");
  url.searchParams.set("chosen", chosen);
  url.searchParams.set("kept", 1);
  // The source is no form, because a form that waits for its answer would drop this request.
  const swap = { source: "#net", target: "#board", swap: "morph:outerHTML" };
  return loadHtmx().then(() => htmx.ajax("GET", url.href, swap));
};

// Chooses the same steps again if the position is unchanged, since a new version may only mean that
// a player has joined. If the board had a step tree, the page has done so already.
const chooseAgain = ({ ply, chosen }) => {
  const now = board().dataset;
  if (chosen && now.ply === ply && now.chosen !== chosen) renewBoard(chosen);
};

export const swapBoard = (html) => {
  const before = { ...board().dataset };
  htmx.swap("#board", html, { swapStyle: "morph:outerHTML" }, { contextElement: board() });
  chooseAgain(before);
};

let beforePost = null;
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  const { requestConfig, xhr, shouldSwap, target } = detail;
  const isDone = requestConfig.verb === "post" && xhr.status === 200 && shouldSwap;
  beforePost = isDone && target.id === "board" ? { ...board().dataset } : null;
});
document.addEventListener("htmx:afterSettle", () => {
  if (beforePost) chooseAgain(beforePost);
  beforePost = null;
});
