// The little script: arrow keys and query keys on the board, previews, tap-to-show. Everything works
// without it, only less at once.
(() => {
  "use strict";
  const board = () => document.getElementById("board");
  const status = document.getElementById("status"), lost = document.getElementById("lost");
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
    const all = [...document.querySelectorAll("#board [data-cell]")];
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
    if (!frame || !cell) return;
    const [at, box] = [cell.getBoundingClientRect(), frame.getBoundingClientRect()];
    if (at.left > box.left + at.width && at.right < box.right && at.top > box.top + at.height && at.bottom < box.bottom) return;
    frame.scrollBy(at.left - box.left - box.width / 2, at.top - box.top - box.height / 2);
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
    if (event.key === "Escape" && !event.target.matches("input") && !document.querySelector(":popover-open")) {
      const opened = document.querySelector("#board .resign[open] summary");
      (opened || document.getElementById("b-back"))?.click();
      opened?.focus();
    }
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

  // What one player opened on a device for all is not what Back shows to the next, nor what a seat
  // saw that has moved away: the address that stays is that of the board for all, and so is the page.
  if (document.querySelector(".secret")) {
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
  document.addEventListener("htmx:beforeRequest", ({ target, detail }) => {
    detail.requestConfig.began = board().dataset.version;
    // What is refused twice for one reason is read out twice, and so is what fails twice.
    if (detail.requestConfig.verb === "post") status.textContent = "";
    if (!target.matches("form")) return;
    document.getElementById("trouble").textContent = "";
    lost.hidden = true;
  });
  // An answer that the stream has overtaken would put an older board in place of the newer one, or
  // the same board: read out again, and without the first step of a move that was begun on it. One
  // from before the request is of a site whose backup was restored.
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    const { serverResponse: html, xhr, requestConfig: { elt, verb, began } } = detail;
    const { id, dataset } = detail.target, had = +board().dataset.version;
    const fresh = id === "board" && +html.match(/data-version="(\d+)"/)?.[1];
    const stale = fresh >= began && (fresh < had || (fresh === had && had > began && verb === "post" && xhr.status === 200));
    // Nor does a hint come to another board than it was asked for. And faults are told to who sent
    // something, not each time that the page asks by itself.
    if (stale || (id === "hint" && !html.includes(`data-for="${dataset.for}"`)) || (id === "trouble" && !elt.matches("form")))
      detail.shouldSwap = false;
  });
  // What somebody sent and was not answered is called lost, unless the board shows another state by
  // then: that may be what it made of it. Nothing is drawn any more as if it were half done.
  let tried;
  document.addEventListener("htmx:afterRequest", ({ target, detail: { xhr, failed, requestConfig } }) => {
    if (!target.matches("form")) return;
    if (failed || !xhr.status) {
      preview();
      tried = requestConfig.began;
      lost.hidden = tried !== board().dataset.version;
    // What was typed and accepted is done with; why something is refused comes into sight.
    } else if (xhr.status < 300) target.reset();
    else document.querySelector(".refused:not(:empty)")?.scrollIntoView({ block: "nearest" });
  });
  document.addEventListener("htmx:afterSettle", () => {
    const { version } = board().dataset;
    lost.hidden ||= tried !== version;
    for (const mistyped of document.querySelectorAll("#mistyped")) {
      if (mistyped.dataset.for !== version) mistyped.textContent = "";
      document.getElementById("typed-move").ariaInvalid = !!mistyped.textContent;
    }
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
