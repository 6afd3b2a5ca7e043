// Keeps the number of waiting games in the header up to date while the page is visible. It is loaded
// only for players who have games with others besides that of the page, and sent only if it has
// changed; a page without a stream must know as well, so this is polled.
import { conditionalGet } from "./shared/conditional-get.js";

const EVERY = 30000;
const link = document.querySelector(".me");
const getTurns = conditionalGet();

const show = (html) => {
  const page = new DOMParser().parseFromString(html, "text/html");
  // The link itself stays, with the focus that it may have.
  link.replaceChildren(...page.querySelector(".me").childNodes);
};

const ask = async () => {
  if (document.hidden) return;
  try {
    const response = await getTurns(link.dataset.turns);
    if (response.ok) show(await response.text());
  } catch {
    // Without a connection the number stays as it is until the next attempt.
  }
};

setInterval(ask, EVERY);
addEventListener("pageshow", ({ persisted }) => persisted && ask());
document.addEventListener("visibilitychange", ask);
