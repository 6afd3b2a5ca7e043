// Follows the game: new boards come on a stream of server-sent events, and where streams do not get
// through, by asking every two seconds. A beat every four seconds tells that the stream is alive.
(() => {
  "use strict";
  const SILENT = 5000, SOONEST = 300, LATEST = 1800, REFUSED = 15000, ASK = 2000, ASK_HIDDEN = 20000;
  const board = () => document.getElementById("board");
  let stream = null, heard = 0, failures = 0, next = 0, asks = false, asked = 0, tag = "";

  const now = () => performance.now();
  const offline = (gone) => { document.getElementById("offline").hidden = !gone; };
  const address = (part) => {
    const url = new URL(board().dataset.address, location);
    url.pathname = url.pathname.replace(/board\/$/, part);
    return url;
  };

  // `began`: what the page had when it asked. A board before that is the newest all the same, of a
  // site whose backup was restored.
  const show = (version, html, began) => {
    const { version: had, ply, chosen } = board().dataset;
    if (+version <= +had && +version >= +began) return;
    htmx.swap("#board", html, { swapStyle: "morph:outerHTML" }, { contextElement: board() });
    choose(ply, chosen);
  };
  // Somebody sat down, or the like: the half-chosen move still stands, and what is told of that too.
  const choose = (ply, chosen) => {
    if (!chosen || board().dataset.ply !== ply) return;
    const url = address("board/");
    url.searchParams.set("chosen", chosen);
    url.searchParams.set("kept", 1);
    // Asked by no form: one that waits for an answer would have it dropped.
    htmx.ajax("GET", url.href, { source: "#net", target: "#board", swap: "morph:outerHTML" });
  };
  let before;
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    const done = detail.requestConfig.verb === "post" && detail.xhr.status === 200 && detail.shouldSwap;
    before = done && detail.target.id === "board" && { ...board().dataset };
  });
  document.addEventListener("htmx:afterSettle", () => {
    if (before) choose(before.ply, before.chosen);
    before = null;
  });

  const ask = async () => {
    const began = board().dataset.version;
    asked = now();
    try {
      const headers = { "HX-Request": "true", ...(tag && { "If-None-Match": tag }) };
      const answer = await fetch(address("board/"), { headers, signal: AbortSignal.timeout(4000) });
      if (answer.status >= 500) throw answer;
      // The game was deleted: that page says so.
      if (answer.status === 404) return location.reload();
      if (answer.ok) {
        tag = answer.headers.get("ETag");
        const html = await answer.text();
        show(html.match(/data-version="(\d+)"/)[1], html, began);
      }
      offline(false);
    } catch { offline(true); }
  };

  const rest = () => { stream?.close(); stream = null; };
  // `answers`: the server may well be there, and only streams do not get through.
  const lose = (answers) => {
    rest();
    failures++;
    // Nor is it known when connections are cut off: whatever stands in between may do so to streams.
    asks = answers || failures > 1;
    if (failures > 1 && !answers) offline(true);
    const pause = answers && failures > 1 ? REFUSED : Math.min(LATEST, SOONEST * 2 ** failures);
    next = now() + pause * (0.5 + Math.random() / 2);
  };
  const open = () => {
    const url = address("events/"), began = board().dataset.version;
    url.searchParams.set("has", began);
    const mine = stream = new EventSource(url);
    heard = now();
    const alive = () => {
      heard = now();
      failures = 0;
      asks = false;
      offline(false);
    };
    // Not a sign of life yet: a proxy may hold back all but the head.
    mine.onopen = () => { heard = now(); offline(false); };
    mine.addEventListener("beat", alive);
    mine.addEventListener("board", (event) => { alive(); show(event.lastEventId, event.data, began); });
    mine.onerror = () => { if (mine === stream) lose(mine.readyState === EventSource.CLOSED); };
  };

  const wake = () => {
    if (document.hidden) return rest();
    if (!stream) { failures = next = 0; }
    tick();
  };
  const tick = () => {
    const seated = document.querySelector("#board .seat.mine") && !board().classList.contains("over");
    if (document.hidden) {
      // A tab that nobody looks at holds no connection; its title tells whose turn it is all the same.
      if (seated && now() - asked > ASK_HIDDEN) ask();
      return;
    }
    if (stream && now() - heard > SILENT) { offline(true); lose(failures > 0); }
    if (!stream && now() >= next) open();
    if (asks && now() - asked > ASK) ask();
  };
  setInterval(tick, 500);
  addEventListener("pageshow", wake);
  addEventListener("online", () => { rest(); wake(); });
  document.addEventListener("visibilitychange", wake);

  document.addEventListener("htmx:sendError", () => offline(true));
  document.addEventListener("htmx:responseError", () => offline(true));
  document.addEventListener("htmx:afterRequest", (event) => { if (event.detail.successful) offline(false); });

  // Your turn: the icon has a dot, and there is a sound for who wants one.
  const icon = document.getElementById("icon"), plain = icon.href;
  const mark = () => {
    const href = board().classList.contains("my-turn") ? icon.dataset.turn : plain;
    if (icon.getAttribute("href") !== href) icon.href = href;
  };
  document.addEventListener("htmx:afterSettle", mark);
  mark();
  document.addEventListener("my-turn", () => {
    if (!document.documentElement.dataset.sound) return;
    const audio = new AudioContext(), tone = audio.createOscillator(), volume = audio.createGain();
    const start = audio.currentTime;
    tone.frequency.setValueAtTime(520, start);
    tone.frequency.setValueAtTime(700, start + 0.12);
    volume.gain.setValueAtTime(0.15, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + 0.5);
    tone.connect(volume).connect(audio.destination);
    tone.onended = () => audio.close();
    tone.start();
    tone.stop(start + 0.5);
  });
})();
