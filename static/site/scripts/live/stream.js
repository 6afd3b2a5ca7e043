// Follows the game: boards come on a stream of server-sent events, with a heartbeat every four
// seconds, and by polling where streams do not get through. All times are milliseconds.
import { board } from "../board/elements.js";
import { kindOfLine, showSomeone } from "../shared/someone.js";
import { addressOf, renewBoard } from "./boards.js";
import { showOffline } from "./connection.js";
import { askForBoard, sinceAsked } from "./polling.js";
import { showPresence } from "./presence.js";
import { queueBoard } from "./queue.js";

const TICK = 500;
const LONGEST_SILENCE = 5000;
const POLL_EVERY = 2000;
const POLL_HIDDEN_EVERY = 20000;
const SHORTEST_PAUSE = 300;
const LONGEST_PAUSE = 1800;
const PAUSE_WITHOUT_STREAMS = 15000;

let stream = null;
let heardAt = 0;
let failures = 0;
let reopenAt = 0;
let isPolling = false;

const now = () => performance.now();

const close = () => {
  stream?.close();
  stream = null;
};

const pauseAfterFailure = (serverAnswers) => {
  const longest =
    serverAnswers && failures > 1
      ? PAUSE_WITHOUT_STREAMS
      : Math.min(LONGEST_PAUSE, SHORTEST_PAUSE * 2 ** failures);
  return longest * (0.5 + Math.random() / 2);
};

// `serverAnswers`: perhaps the server is there and only streams do not get through. A proxy may
// also cut streams, so a second failure of any kind starts polling.
const fail = (serverAnswers) => {
  close();
  failures++;
  isPolling = serverAnswers || failures > 1;
  if (failures > 1 && !serverAnswers) showOffline(true);
  reopenAt = now() + pauseAfterFailure(serverAnswers);
};

const noteAlive = () => {
  heardAt = now();
  failures = 0;
  isPolling = false;
  showOffline(false);
};

const open = () => {
  const began = board().dataset.version;
  const url = addressOf("events/");
  url.searchParams.set("has", began);
  if (kindOfLine()) url.searchParams.set("someone", kindOfLine());
  const opened = new EventSource(url);
  stream = opened;
  heardAt = now();
  // This is not a heartbeat yet: a proxy may hold back everything but the head of the answer.
  opened.onopen = () => {
    heardAt = now();
    showOffline(false);
  };
  opened.addEventListener("beat", noteAlive);
  opened.addEventListener("here", showPresence);
  opened.addEventListener("someone", showSomeone);
  // The game was closed to watchers, as its page says.
  opened.addEventListener("shut", () => location.reload());
  opened.addEventListener("board", ({ lastEventId, data }) => {
    noteAlive();
    queueBoard(lastEventId, data, began);
  });
  opened.onerror = () => {
    if (opened === stream) fail(opened.readyState === EventSource.CLOSED);
  };
};

// A hidden tab has no stream. A player's tab polls instead, since its title shows whose turn it is.
const tickHidden = () => {
  const isPlaying =
    document.querySelector("#board .seat.mine") && !board().classList.contains("over");
  if (isPlaying && sinceAsked() > POLL_HIDDEN_EVERY) askForBoard();
};

const tickShown = () => {
  if (stream && now() - heardAt > LONGEST_SILENCE) {
    showOffline(true);
    fail(failures > 0);
  }
  if (!stream && now() >= reopenAt) open();
  if (isPolling && sinceAsked() > POLL_EVERY) askForBoard();
};

const tick = () => (document.hidden ? tickHidden() : tickShown());

const wake = () => {
  if (document.hidden) return close();
  if (!stream) {
    failures = 0;
    reopenAt = 0;
  }
  tickShown();
};

setInterval(tick, TICK);
const reopen = () => {
  close();
  wake();
};
// Back shows a page as it was left: with an old board, and a stream that is dead without saying so.
const isBack = () => performance.getEntriesByType("navigation")[0]?.type === "back_forward";
addEventListener("pageshow", ({ persisted }) => {
  if (persisted || isBack()) askForBoard();
  if (persisted) reopen();
  else wake();
});
addEventListener("pagehide", close);
addEventListener("online", reopen);
// Boards depend on the setting for confirming moves, which has just changed.
document.addEventListener("preferences", () => {
  reopen();
  renewBoard();
});
document.addEventListener("visibilitychange", wake);
