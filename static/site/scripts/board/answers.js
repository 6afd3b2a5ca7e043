// The server's answers to moves and other forms: outdated ones are dropped, lost ones reported.
import { clearAnnouncement } from "./announcements.js";
import { board } from "./elements.js";
import { isMarkLost } from "./marks.js";
import { preview } from "./preview.js";
import { isLost } from "./sending.js";

const lost = document.getElementById("lost");

// The version of the board when the request without an answer was sent.
let lostVersion;

document.addEventListener("htmx:beforeRequest", ({ target, detail: { requestConfig } }) => {
  requestConfig.began = board().dataset.version;
  // A repeated refusal or fault is read out again.
  if (requestConfig.verb === "post") clearAnnouncement();
  if (!target.matches("form")) return;
  document.getElementById("trouble").textContent = "";
  lost.hidden = true;
});

// An answer that the stream has overtaken would replace the newer board by an older one. Even the
// same board would be read out again, and lose the first step of a move begun on it. A version
// below that of the request comes from a site restored from a backup, and is shown.
const isOutdated = ({ serverResponse: html, xhr, requestConfig: { verb, began } }) => {
  const shown = Number(board().dataset.version);
  const version = Number(html.match(/data-version="(\d+)"/)?.[1]);
  const isRepeated = version === shown && shown > began && verb === "post" && xhr.status === 200;
  return version >= began && (version < shown || isRepeated);
};

const isUnwanted = (detail) => {
  const { id, dataset } = detail.target;
  if (id === "board") return isOutdated(detail);
  // A hint for another board than the one for which it was requested.
  if (id === "hint") return !detail.serverResponse.includes(`data-for="${dataset.for}"`);
  // Faults of requests that the page repeats by itself are not shown, only those of forms.
  return id === "trouble" && !detail.requestConfig.elt.matches("form");
};

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (isUnwanted(detail)) detail.shouldSwap = false;
});

// A form without an answer is reported as lost, unless the board has another version by then, which
// may be the effect of the form. The preview is removed, since the move would look half done.
export const tellLost = ({ began }) => {
  preview();
  lostVersion = began;
  lost.hidden = lostVersion !== board().dataset.version;
};

document.addEventListener(
  "htmx:afterRequest",
  ({ target, detail: { xhr, failed, requestConfig } }) => {
    if (!target.matches("form")) return;
    // A lost move or mark stays on the board, and is sent again.
    if (isLost() || isMarkLost()) return;
    if (failed || !xhr.status) tellLost(requestConfig);
    else if (xhr.status >= 300)
      document.querySelector(".refused:not(:empty)")?.scrollIntoView({ block: "nearest" });
    else if (!target.dataset.waits) target.reset();
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
