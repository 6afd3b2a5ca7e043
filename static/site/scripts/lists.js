// Refreshes the lists of games on the front page while it is visible. Only pages of games have
// streams; these lists are polled, and sent only if they have changed.
import { conditionalGet } from "./shared/conditional-get.js";
import "./shared/morphing.js";
import "./shared/someone.js";

const EVERY = 10000;
const getLists = conditionalGet();

const show = (html) => {
  const page = new DOMParser().parseFromString(html, "text/html");
  document.title = page.title;
  for (const list of page.querySelectorAll("body > [id]")) {
    const shown = document.getElementById(list.id);
    if (shown) Idiomorph.morph(shown, list, { morphStyle: "outerHTML" });
  }
};

const renew = async () => {
  if (document.hidden) return;
  try {
    const response = await getLists(document.getElementById("my-games").dataset.address);
    if (response.ok) show(await response.text());
  } catch {
    // Without a connection the lists stay as they are until the next attempt.
  }
};

setInterval(renew, EVERY);
addEventListener("pageshow", ({ persisted }) => persisted && renew());
document.addEventListener("visibilitychange", renew);
