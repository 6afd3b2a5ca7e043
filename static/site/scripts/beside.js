// Links that open their page beside the game, with a script that the first click loads.
document.addEventListener("click", async (event) => {
  const link = event.target.closest?.("a[data-beside]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  try {
    const { open } = await import(link.dataset.beside);
    await open(link);
  } catch {
    location.href = link.href;
  }
});
