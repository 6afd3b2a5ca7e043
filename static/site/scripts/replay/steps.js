// The arrow keys, Home and End step from ply to ply.
import { currentPly, lastPly, showPly } from "./positions.js";

const GOALS = {
  Home: () => 0,
  ArrowLeft: () => currentPly() - 1,
  ArrowRight: () => currentPly() + 1,
  End: () => lastPly(),
};
// Fields, and boards that scroll in their frame, use the same keys.
const USERS_OF_KEYS = "input, textarea, .grid-window.large";

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  if (!(event.key in GOALS) || event.target.closest(USERS_OF_KEYS)) return;
  if (!document.querySelector(".plies[data-ply]")) return;
  event.preventDefault();
  showPly(GOALS[event.key]());
});
