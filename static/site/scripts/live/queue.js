// Shows the plies of others one by one: a board that arrives without a click waits until the
// previous ply has been shown for the time in the rules, and missing plies are fetched. The board
// after a player's own move is an answer, which is shown at once.
import { board } from "../board/elements.js";
import { hasHtmx, loadHtmx } from "../shared/load-htmx.js";
import { addressOf, swapBoard } from "./boards.js";

// If more plies than this are missed, they are not shown one by one.
const MOST_MISSED = 12;
// An answer that takes longer than this no longer delays the boards after it.
const LONGEST_ANSWER = 3000;
const LOAD_AGAIN_AFTER = 1000;

let queue = [];
let timer = 0;
let isFetching = false;
let sentAt = 0;
let seenPly = Number(board().dataset.ply);
let seenAt = performance.now();

const plyOf = (html) => Number(html.match(/data-ply="(\d+)"/)[1]);
const isSending = () => sentAt > 0 && performance.now() - sentAt < LONGEST_ANSWER;

const noteSeen = () => {
  const ply = Number(board().dataset.ply);
  if (ply !== seenPly) seenAt = performance.now();
  seenPly = ply;
};

const show = ({ html }) => {
  swapBoard(html);
  noteSeen();
};

const getBoardAt = async (ply) => {
  const url = addressOf("board/");
  url.searchParams.set("ply", ply);
  try {
    const response = await fetch(url, { headers: { "HX-Request": "true" } });
    return response.ok ? response.text() : "";
  } catch {
    return "";
  }
};

// Puts a missed ply before the first board of the queue; if it cannot be fetched, that board is
// shown alone. The version on the page is kept, since the following boards have higher ones.
const fetchMissed = async (ply) => {
  const [next] = queue;
  isFetching = true;
  const html = await getBoardAt(ply);
  isFetching = false;
  next.isAlone = !html;
  const shown = `data-version="${board().dataset.version}"`;
  const missed = { ...next, ply, html: html.replace(/data-version="\d+"/, shown) };
  if (html && queue[0] === next) queue.unshift(missed);
  showDue();
};

const isOutdatedBoard = ({ version, began }) =>
  version < Number(board().dataset.version) && version >= began;

const loadFirst = () =>
  loadHtmx().then(showDue, () => {
    timer = setTimeout(showDue, LOAD_AGAIN_AFTER);
  });

const showDue = () => {
  clearTimeout(timer);
  queue = queue.filter((next) => !isOutdatedBoard(next));
  if (!queue.length || isFetching) return;
  if (!hasHtmx()) return loadFirst();
  const [{ ply, isAlone }] = queue;
  const missed = queue[queue.length - 1].ply - seenPly;
  if (document.hidden || missed > MOST_MISSED) {
    show(queue.pop());
    queue = [];
    return;
  }
  const wait = ply > seenPly ? seenAt + Number(board().dataset.pause) - performance.now() : 0;
  if (ply > seenPly + 1 && !isAlone) {
    if (isSending()) timer = setTimeout(showDue, LONGEST_ANSWER);
    else fetchMissed(seenPly + 1);
  } else if (wait > 0) timer = setTimeout(showDue, wait);
  else {
    show(queue.shift());
    showDue();
  }
};

// `began` is the version on the page when the request began. A board below that version is still
// the newest one, of a site restored from a backup.
export const queueBoard = (version, html, began) => {
  const newest = { version: Number(version), began: Number(began), ply: plyOf(html), html };
  const known = Math.max(Number(board().dataset.version), ...queue.map((update) => update.version));
  if (newest.version <= known && newest.version >= newest.began) return;
  if (newest.version < newest.began) queue = [];
  queue.push(newest);
  showDue();
};

document.addEventListener("htmx:beforeRequest", ({ detail }) => {
  if (detail.requestConfig.verb === "post") sentAt = performance.now();
});
document.addEventListener("htmx:afterRequest", ({ detail }) => {
  if (detail.requestConfig.verb !== "post") return;
  sentAt = 0;
  showDue();
});
document.addEventListener("htmx:afterSettle", noteSeen);
document.addEventListener("visibilitychange", showDue);
