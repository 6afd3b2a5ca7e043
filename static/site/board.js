// The little script: arrow keys and query keys on the board, previews, tap-to-show. Everything works
// without it, only less at once.
(() => {
  "use strict";
  const board = () => document.getElementById("board");
  const cells = () => [...document.querySelectorAll("#board [data-cell]")];
  const status = document.getElementById("status");
  let current = "";

  // What somebody is writing into a field stays when what is around it is renewed, and what was
  // opened or closed stays so.
  Idiomorph.defaults.callbacks.beforeAttributeUpdated = (name, node) =>
    !(["value", "checked"].includes(name) && node.matches("input:not([type=hidden], [readonly])")) && name !== "open";

  // A hint stays for as long as its board does: with somebody who sits down, not with a move.
  Idiomorph.defaults.callbacks.beforeNodeMorphed = (node, fresh) =>
    node.id !== "hint" || node.dataset.for !== fresh.dataset?.for;
  const point = () => {
    for (const name of document.querySelector("#hint [data-cells]")?.dataset.cells.split(" ") || [])
      document.querySelector(`#board [data-cell="${name}"]`)?.closest("td").classList.add("hinted");
  };

  // One tab stop: the cell that was focused last, or the first legal one.
  const rove = () => {
    const all = cells();
    if (!all.length) return;
    const here = document.getElementById(current) || all.find((c) => c.name) || all[0];
    current = here.id;
    for (const cell of all) cell.tabIndex = cell === here ? 0 : -1;
  };
  // A list of moves shows the last ones, unless somebody has gone back in it, and a board that is
  // larger than its window shows where something happened last.
  let last = true;
  document.addEventListener("scroll", ({ target: { scrollTop, clientHeight, scrollHeight, classList } }) => {
    if (classList?.contains("move-list")) last = scrollTop + clientHeight > scrollHeight - 9;
  }, true);
  const reveal = () => {
    const moves = document.querySelector("#board .move-list");
    if (moves && last) moves.scrollTop = moves.scrollHeight;
    const frame = document.querySelector("#board .grid-window");
    const cell = document.querySelector("#board td.last") || document.querySelector("#board td.legal");
    if (!frame || !cell || frame.scrollWidth + frame.scrollHeight <= frame.clientWidth + frame.clientHeight) return;
    const [at, box] = [cell.getBoundingClientRect(), frame.getBoundingClientRect()];
    if (at.left > box.left + at.width && at.right < box.right && at.top > box.top + at.height && at.bottom < box.bottom) return;
    frame.scrollBy(at.left - box.left - frame.clientWidth / 2, at.top - box.top - frame.clientHeight / 2);
  };
  const say = (words) => {
    status.textContent = words === status.textContent ? words + "\u00a0" : words;
  };
  const list = (selector) =>
    [...document.querySelectorAll("#board " + selector)].map((c) => c.dataset.cell || c.textContent).join(", ");
  const queries = {
    l: () => say([...document.querySelectorAll("#board .news")].map((p) => p.textContent).join(" ") || "–"),
    t: () => say(document.querySelector("#board .whose, #board .result")?.textContent || ""),
    m: () => say(list(".legal [data-cell]") || list(".step") || "–"),
  };

  document.addEventListener("keydown", (event) => {
    const cell = event.target.closest?.("[data-cell]");
    // Escape takes a step of the move back, unless it closes something.
    if (event.key === "Escape" && !event.target.matches("input") && !document.querySelector(":popover-open"))
      document.getElementById("b-back")?.click();
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    // From the end of a game one looks back by the key that goes on doing so there.
    const { ply } = board().dataset;
    if (event.key === "ArrowLeft" && event.target.matches("body, main") && board().matches(".over") && ply > 0)
      location.href = location.pathname + (ply - 1) + "/";
    if (!cell) return;
    const [row, column] = cell.id.split("-").slice(1).map(Number);
    const last = cell.closest("tr").querySelectorAll("[data-cell]").length - 1;
    const goal = {
      ArrowUp: [row - 1, column], ArrowDown: [row + 1, column], ArrowLeft: [row, column - 1],
      ArrowRight: [row, column + 1], Home: [row, 0], End: [row, last],
    }[event.key];
    if (goal) {
      document.getElementById("c-" + goal.join("-"))?.focus();
      event.preventDefault();
    } else queries[event.key]?.();
  });
  // Who goes by keyboard and presses a button that the next board has no more is on a square then.
  let held;
  document.addEventListener("focusin", ({ target }) => {
    held = target.matches("#board :focus-visible") && target;
    if (target.dataset.cell) { current = target.id; rove(); }
  });

  // What a click would do, on the cells it would do it to.
  const preview = (button) => {
    for (const cell of document.querySelectorAll("#board td[data-preview]")) delete cell.dataset.preview;
    for (const pair of (button?.dataset.effects || "").split(" ").filter(Boolean)) {
      const [name, effect] = pair.split(":");
      const cell = document.querySelector(`#board [data-cell="${name}"]`);
      if (cell) cell.closest("td").dataset.preview = effect;
    }
  };
  const over = (event) => preview(event.target.closest?.("#board [data-effects]"));
  document.addEventListener("pointerover", over);
  document.addEventListener("focusin", over);

  // A first tap shows, a second one plays. A board that is renewed has forgotten the first.
  let told;
  document.addEventListener("click", (event) => {
    if (event.pointerType !== "touch" || board().dataset.confirm !== "touch") return;
    const button = event.target.closest?.("#board [data-cell][name=move]"), prompt = document.getElementById("prompt");
    const cell = button?.closest("td"), armed = document.querySelector("#board td.armed");
    if (armed) prompt.textContent = told;
    armed?.classList.remove("armed");
    if (!button || cell === armed) return;
    cell.classList.add("armed");
    event.preventDefault();
    event.stopPropagation();
    preview(button);
    told = prompt.textContent;
    // The label ends with what the move would do.
    prompt.textContent = board().dataset.again.replace("{}", button.getAttribute("aria-label").split("; ").pop());
    say(prompt.textContent);
  }, true);

  // What one player opened on a device for all is not what Back shows to the next: the address that
  // stays is that of the board for all, and so is the page.
  if (document.querySelector(".opened")) {
    history.replaceState(null, "", location.pathname);
    addEventListener("pagehide", () => { document.body.hidden = true; });
    addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
  }

  // Links that lead to secrets are selected whole.
  document.addEventListener("focusin", (event) => { if (event.target.readOnly) event.target.select(); });

  // What the links to seats beside the board depend on.
  const offered = () =>
    board().dataset.empty + board().classList.contains("over") + document.querySelectorAll("#board .mine").length;
  let links = offered(), mine = board().classList.contains("my-turn");
  document.addEventListener("htmx:beforeRequest", ({ detail }) => {
    detail.requestConfig.began = board().dataset.version;
    // What is refused twice for one reason is read out twice.
    if (detail.requestConfig.verb === "post") status.textContent = "";
  });
  // An answer that the stream has overtaken would put an older board in place of the newer one, or
  // the same board without the first step of a move that was begun on it. One from before the
  // request is of a site whose backup was restored.
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    // Nor does a hint come to another board than it was asked for.
    const { id, dataset } = detail.target;
    if (id === "hint" && !detail.serverResponse.includes(`data-for="${dataset.for}"`)) detail.shouldSwap = false;
    const fresh = id === "board" && detail.serverResponse.match(/data-version="(\d+)"/);
    const { verb, began } = detail.requestConfig;
    if (!fresh || +fresh[1] < +began) return;
    const { version: had, chosen } = board().dataset;
    const moved = verb === "post" && detail.xhr.status === 200;
    if (+fresh[1] < +had || (+fresh[1] === +had && moved && chosen)) detail.shouldSwap = false;
  });
  // What was typed and accepted is done with, and so is a failure before it. Of what never arrived
  // there is no status.
  document.addEventListener("htmx:afterRequest", (event) => {
    if (event.detail.target.id !== "trouble") document.getElementById("trouble").textContent = "";
    const { status: answered } = event.detail.xhr;
    if (answered && answered < 300 && event.target.matches("#typed, #more")) event.target.reset();
  });
  document.addEventListener("htmx:afterSettle", () => {
    rove();
    reveal();
    if (held && !held.isConnected) document.getElementById(current).focus();
    point();
    if (offered() !== links) {
      links = offered();
      htmx.trigger("#links", "refresh");
    }
    const turn = board().classList.contains("my-turn");
    if (turn && !mine) document.dispatchEvent(new Event("my-turn"));
    mine = turn;
  });
  rove();
  reveal();
})();
