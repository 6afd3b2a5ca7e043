// The lists of games on the front page, renewed for as long as the page is seen. Streams are for the
// pages of games; these lists are asked for, and come only when they have changed.
import { conditionalGet } from "./shared/conditional-get.js";
import "./shared/morphing.js";

const EVERY = 10000;
const getLists = conditionalGet();
const myGames = () => document.getElementById("my-games");

const renew = async () => {
  if (document.hidden) return;
  try {
    const response = await getLists(myGames().dataset.address);
    if (!response.ok) return;
    const swap = { swapStyle: "morph:outerHTML" };
    htmx.swap("#my-games", await response.text(), swap, { contextElement: myGames() });
  } catch {
    // Without a connection the lists stay as they are until the next attempt.
  }
};

setInterval(renew, EVERY);
addEventListener("pageshow", ({ persisted }) => persisted && renew());
document.addEventListener("visibilitychange", renew);
