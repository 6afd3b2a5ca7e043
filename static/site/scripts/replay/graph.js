// The graph of an analysis: a dot leads to its move, and any other point to the move below it,
// without loading a page. From a variation it leads back to the game.
import { showAddress } from "./positions.js";

document.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  const plot = event.target.closest?.(".plot");
  if (!plot) return;
  event.preventDefault();
  const dot = event.target.closest("a")?.getAttribute("href");
  const { left, width } = plot.getBoundingClientRect();
  const share = (event.clientX - left) / width;
  showAddress(dot || `?ply=${Math.round(share * plot.dataset.last)}`);
});
