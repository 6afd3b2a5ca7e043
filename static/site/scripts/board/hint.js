// The hint in the answer bar, and the cells that it names. A hint stays for as long as its position
// does: a player who sits down renews the page around it, a move ends it.
import { cellNamed } from "./elements.js";

Idiomorph.defaults.callbacks.beforeNodeMorphed = (node, fresh) =>
  node.id !== "hint" || node.dataset.for !== fresh.dataset?.for;

document.addEventListener("htmx:afterSettle", () => {
  const names = document.querySelector("#hint [data-cells]")?.dataset.cells.split(" ") || [];
  for (const name of names) cellNamed(name)?.closest("td").classList.add("hinted");
});
