// A mistake in the graph of an analysis is clicked as its move in the list, which changes the page
// in place.
document.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  const mistake = event.target.closest?.(".graph a");
  const href = mistake?.getAttribute("href");
  const link = mistake && document.querySelector(`.analysis a[href="${href}"]`);
  if (!link) return;
  event.preventDefault();
  link.click();
});
