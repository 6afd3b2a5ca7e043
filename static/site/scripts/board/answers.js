// The answers of the server to moves and other forms: outdated ones are left out, lost ones are told.
import { clearAnnouncement } from "./announcements.js";
import { board } from "./elements.js";
import { preview } from "./preview.js";
import { isLost } from "./sending.js";

const lost = document.getElementById("lost");

// The version of the board when the request was sent that found no answer.
let lostVersion;

document.addEventListener("htmx:beforeRequest", ({ target, detail: { requestConfig } }) => {
  requestConfig.began = board().dataset.version;
  // The same refusal, or fault, twice is read out twice.
  if (requestConfig.verb === "post") clearAnnouncement();
  if (!target.matches("form")) return;
  document.getElementById("trouble").textContent = "";
  lost.hidden = true;
});

// An answer that the stream has overtaken would put an older board in place of the newer one. The
// same board would be read out again, and without the first step of a move that was begun on it. A
// version below that of the request comes from a site whose backup was restored, and is shown.
const isOutdated = ({ serverResponse: html, xhr, requestConfig: { verb, began } }) => {
  const shown = Number(board().dataset.version);
  const version = Number(html.match(/data-version="(\d+)"/)?.[1]);
  const isRepeated = version === shown && shown > began && verb === "post" && xhr.status === 200;
  return version >= began && (version < shown || isRepeated);
};

const isUnwanted = (detail) => {
  const { id, dataset } = detail.target;
  if (id === "board") return isOutdated(detail);
  // A hint for another board than the one that it was asked for.
  if (id === "hint") return !detail.serverResponse.includes(`data-for="${dataset.for}"`);
  // Faults of requests that the page repeats by itself: a reader is told those of forms only.
  return id === "trouble" && !detail.requestConfig.elt.matches("form");
};

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (isUnwanted(detail)) detail.shouldSwap = false;
});

// A form without an answer is called lost, unless the board shows another version by then: that may
// be the effect of the form. The preview goes, or the move would look half done.
export const tellLost = ({ began }) => {
  preview();
  lostVersion = began;
  lost.hidden = lostVersion !== board().dataset.version;
};

document.addEventListener(
  "htmx:afterRequest",
  ({ target, detail: { xhr, failed, requestConfig } }) => {
    if (!target.matches("form")) return;
    // A lost move stays on the board, which says so.
    if (isLost()) return;
    if (failed || !xhr.status) tellLost(requestConfig);
    else if (xhr.status < 300) target.reset();
    else document.querySelector(".refused:not(:empty)")?.scrollIntoView({ block: "nearest" });
  },
);

document.addEventListener("htmx:afterSettle", () => {
  const { version } = board().dataset;
  lost.hidden ||= lostVersion !== version;
  for (const mistyped of document.querySelectorAll("#mistyped")) {
    if (mistyped.dataset.for !== version) mistyped.textContent = "";
    document.getElementById("typed-move").ariaInvalid = Boolean(mistyped.textContent);
  }
});
