// The button beside an address: shares it where the device can, else copies it and says so. What is
// no address is always copied.
(() => {
  "use strict";
  const name = () => {
    if (navigator.share) for (const button of document.querySelectorAll("[data-share]")) button.textContent = button.dataset.share;
  };
  document.addEventListener("click", async ({ target }) => {
    const button = target.closest?.(".copy");
    if (!button) return;
    const field = button.previousElementSibling, url = field.value;
    try {
      if (button.dataset.share && navigator.share) return await navigator.share({ url });
      // The older way is for addresses without https.
      if (navigator.clipboard) await navigator.clipboard.writeText(url);
      else { field.select(); document.execCommand("copy"); }
      document.getElementById("status").textContent = button.textContent = button.dataset.done;
    } catch { field.select(); }
  });
  document.addEventListener("htmx:afterSettle", name);
  name();
})();
