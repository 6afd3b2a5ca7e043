// The arrow keys, Home and End step from ply to ply.
const KEYS = ["Home", "ArrowLeft", "ArrowRight", "End"];
// Fields, and boards that scroll in their window, use the same keys.
const USERS_OF_KEYS = "input, textarea, .grid-window.large";

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  if (event.target.closest(USERS_OF_KEYS)) return;
  const link = document.querySelectorAll(".plies a")[KEYS.indexOf(event.key)];
  if (!link?.href) return;
  event.preventDefault();
  // With htmx, on the page of an analysis, a click puts the position into the same page. Elsewhere
  // the next page takes the place of this one, so that the Back button leaves the game.
  if (window.htmx) link.click();
  else location.replace(link.href);
});
