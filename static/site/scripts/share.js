// The button beside an address, which shares it if the device can, or else copies it. Other text,
// without `data-share`, is always copied.
const shares = (button) => button.dataset.share && navigator.share;

const nameButtons = () => {
  for (const button of document.querySelectorAll("[data-share]"))
    if (shares(button)) button.textContent = button.dataset.share;
};

const copy = async (field) => {
  if (navigator.clipboard) return navigator.clipboard.writeText(field.value);
  // Browsers offer the clipboard over https only; this older way works without.
  field.select();
  document.execCommand("copy");
};

const shareOrCopy = async (button, field) => {
  if (shares(button)) {
    try {
      const kind = URL.canParse(field.value) ? "url" : "text";
      return await navigator.share({ [kind]: field.value });
    } catch (error) {
      // Refused by the device, not by the visitor: copying is left.
      if (error.name === "AbortError") return;
    }
  }
  await copy(field);
  button.textContent = button.dataset.done;
  document.getElementById("status").textContent = button.dataset.done;
};

document.addEventListener("click", async ({ target }) => {
  const button = target.closest?.(".copy");
  if (!button) return;
  const field = button.previousElementSibling;
  try {
    await shareOrCopy(button, field);
  } catch {
    field.select();
  }
});
document.addEventListener("htmx:afterSettle", nameButtons);
nameButtons();
