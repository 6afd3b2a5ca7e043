// Goes to another position of the game that is looked back at. The page is morphed, and its address
// takes the place of the one before, so that the Back button leaves the game.
const region = () => document.querySelector("#replay, #analysis");
const steps = () => document.querySelector(".plies[data-ply]").dataset;

// The ply that was asked for last, until it is shown: keys that are pressed faster than answers come
// count on from it.
let asked;

export const lastPly = () => Number(steps().last);

export const currentPly = () => asked ?? Number(steps().ply);

export const showAddress = (address) => {
  const swap = "morph:outerHTML show:none settle:0ms";
  htmx.ajax("GET", address, { source: region(), target: region(), swap });
};

export const showPly = (ply) => {
  if (ply === currentPly() || ply < 0 || ply > lastPly()) return;
  showAddress(steps().address.replace("{}", ply));
  // Not before: the answer that this request replaces ends now.
  asked = ply;
};

document.addEventListener("htmx:afterRequest", () => {
  asked = undefined;
});
