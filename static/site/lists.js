// The lists of games on the front page follow, for as long as somebody looks at it. They are asked
// for, and not sent as long as they are the same; a stream is for the page of a game.
(() => {
  "use strict";
  const EVERY = 10000;
  const mine = () => document.getElementById("my-games");
  let tag = "";
  const ask = async () => {
    if (document.hidden) return;
    try {
      const headers = { "HX-Request": "true", ...(tag && { "If-None-Match": tag }) };
      const answer = await fetch(mine().dataset.address, { headers });
      if (!answer.ok) return;
      tag = answer.headers.get("ETag");
      const swap = { swapStyle: "morph:outerHTML" };
      htmx.swap("#my-games", await answer.text(), swap, { contextElement: mine() });
    } catch { /* The next time, then. */ }
  };
  // What somebody has opened stays open.
  Idiomorph.defaults.callbacks.beforeAttributeUpdated = (name) => name !== "open";
  setInterval(ask, EVERY);
  addEventListener("pageshow", (event) => event.persisted && ask());
  document.addEventListener("visibilitychange", ask);
})();
