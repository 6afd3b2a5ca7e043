// A dot in the graph of an analysis leads to its move, and any other point to the move below it; the
// page changes in place.
import { lastPly, showPly } from "./positions.js";

document.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  const plot = event.target.closest?.(".plot");
  if (!plot) return;
  event.preventDefault();
  const dot = event.target.closest("a")?.getAttribute("href");
  const { left, width } = plot.getBoundingClientRect();
  const share = (event.clientX - left) / width;
  showPly(dot ? Number(dot.replace("?ply=", "")) : Math.round(share * lastPly()));
});
