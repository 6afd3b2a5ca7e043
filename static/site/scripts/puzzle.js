// The page of a puzzle: the board and the answer bar of a game, without its stream. Each answer is
// an entry of the browser's history, so that Back goes one try back.
import "./shared/morphing.js";
import "./board/scrolling.js";
import "./board/focus.js";
import "./board/keys.js";
import "./board/preview.js";
import "./board/touch.js";
import "./board/marks.js";
import "./board/choosing.js";
import "./board/refusals.js";
import "./board/answers.js";
import "./board/first-request.js";
import "./share.js";
import "./beside.js";
import "./live/connection.js";
import "./live/sounds.js";
import "./motion.js";
import { board } from "./board/elements.js";
import { loadHtmx } from "./shared/load-htmx.js";

let isBack = false;

const show = (address) => {
  const swap = { source: "#net", target: "#board", swap: "morph:outerHTML" };
  return loadHtmx()
    .then(() => htmx.ajax("GET", address, swap))
    .catch(() => location.assign(address));
};

const noteAddress = () => {
  const { address } = board().dataset;
  if (address === location.pathname + location.search) return;
  history[isBack ? "replaceState" : "pushState"](null, "", address);
  // The form that changes the language returns to the same try.
  for (const next of document.querySelectorAll(".language [name=next]")) next.value = address;
};
document.addEventListener("htmx:afterSettle", noteAddress);

// A run: the page counts the seconds that the server has left it, and asks it once they are over.
let ends = 0;
const readTime = () => {
  const left = document.querySelector("#board [data-left]");
  if (left) ends = Date.now() + 1000 * Number(left.dataset.left);
};
const count = () => {
  const left = Math.ceil((ends - Date.now()) / 1000);
  const face = document.querySelector("#board [data-left]");
  if (!face) return;
  if (left < 0) location.replace(location.pathname);
  else face.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
};
document.addEventListener("htmx:afterSettle", readTime);
readTime();
if (ends) setInterval(count, 500);

addEventListener("popstate", async () => {
  isBack = true;
  await show(location.href);
  isBack = false;
});

document.addEventListener("click", (event) => {
  const link = event.target.closest("#board a[href^='?']");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  show(link.href);
});

// Boards depend on the setting for confirming moves.
document.addEventListener("preferences", () => show(location.href));
addEventListener("online", () => document.dispatchEvent(new Event("back-online")));
