// Looking back at a game: the arrow keys, Home and End step from move to move, and what is looked at
// is in sight.
(() => {
  "use strict";
  const steps = ["Home", "ArrowLeft", "ArrowRight", "End"];
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    // What is written in, and a board that is larger than its window, move by the same keys.
    if (event.target.closest("input, textarea, .grid-window.large")) return;
    const link = document.querySelectorAll(".plies a")[steps.indexOf(event.key)];
    if (!link?.href) return;
    event.preventDefault();
    // An analysis puts the next position into the same page; else it takes the place of this one,
    // so that going back leaves the game.
    if (window.htmx) link.click();
    else location.replace(link.href);
  });

  // It becomes one's turn while one looks back. The board is asked for, which is not sent as long as
  // it is the same, and by a tab that nobody looks at seldom; a stream is for the page of the game.
  const called = document.getElementById("called"), title = document.title.replace("● ", "");
  let tag = "", skipped = 0;
  const ask = async () => {
    if (document.hidden && ++skipped % 4) return;
    try {
      const headers = { "HX-Request": "true", ...(tag && { "If-None-Match": tag }) };
      const answer = await fetch(called.dataset.address, { headers });
      if (!answer.ok) return;
      tag = answer.headers.get("ETag");
      const mine = /id="board" class="[^"]* my-turn/.test(await answer.text());
      if (mine === called.hasChildNodes()) return;
      called.replaceChildren(...(mine ? [document.getElementById("call").content.cloneNode(true)] : []));
      document.title = (mine ? "● " : "") + title;
    } catch { /* The next time, then. */ }
  };
  if (called) setInterval(ask, 5000);

  // A mistake in the graph is the link to its move in the list, which changes the page in place.
  document.addEventListener("click", (event) => {
    const dot = event.target.closest?.(".graph a"), plain = !(event.ctrlKey || event.metaKey || event.shiftKey);
    const link = dot && plain && document.querySelector(`.analysis a[href="${dot.getAttribute("href")}"]`);
    if (link) { event.preventDefault(); link.click(); }
  });

  // What somebody has opened stays open from move to move.
  if (window.Idiomorph) {
    Idiomorph.defaults.callbacks.beforeAttributeUpdated = (name, node) => name !== "open" || !node.matches("details");
  }
  // What a seat sees alone Back does not show once it has moved to another device.
  if (document.querySelector(".secret")) {
    addEventListener("pagehide", () => { document.body.hidden = true; });
    addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
  }
  const reveal = () => {
    const cell = document.querySelector("td.last"), frame = cell?.closest(".grid-window.large");
    if (frame) {
      const [at, box] = [cell.getBoundingClientRect(), frame.getBoundingClientRect()];
      frame.scrollBy(at.left - box.left - frame.clientWidth / 2, at.top - box.top - frame.clientHeight / 2);
    }
    const row = document.querySelector(".analysed .current, .move-list .current"), list = row?.closest(".analysed, .move-list");
    if (list) list.scrollTop += row.getBoundingClientRect().top - list.getBoundingClientRect().top - list.clientHeight / 2;
  };
  reveal();
  document.addEventListener("htmx:afterSettle", () => {
    reveal();
    const board = document.querySelector(".board-side");
    if (board && board.getBoundingClientRect().bottom < 80) board.scrollIntoView();
  });
})();
