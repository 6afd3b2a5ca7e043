// Goes to another past position of the game. The page is morphed, and its address replaces the
// previous one in the history, so that the Back button leaves the game.
import { loadHtmx } from "../shared/load-htmx.js";

const region = () => document.querySelector("#replay, #analysis");
const steps = () => document.querySelector(".plies[data-ply]").dataset;

// The last requested ply, until it is shown: keys pressed faster than answers arrive count from it.
let asked;

export const lastPly = () => Number(steps().last);

export const currentPly = () => asked ?? Number(steps().ply);

export const showAddress = (address, ply) => {
  const swap = "morph:outerHTML show:none settle:0ms";
  asked = ply;
  return loadHtmx().then(
    () => {
      htmx.ajax("GET", address, { source: region(), target: region(), swap });
      // Once more, because the request that this one replaces ends only now.
      asked = ply;
    },
    () => location.replace(address),
  );
};

export const showPly = (ply) => {
  if (ply === currentPly() || ply < 0 || ply > lastPly()) return;
  showAddress(steps().address.replace("{}", ply), ply);
};

document.addEventListener("htmx:afterRequest", () => {
  asked = undefined;
});
