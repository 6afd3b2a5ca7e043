// On a shared device, the Back button must not show one player's secrets to the next, nor the
// secrets of a seat that has moved to another device. A page with secrets is hidden when it is
// left, and loaded again when the browser restores it.
export const hasSecrets = () => document.querySelector(".secret") !== null;

export const hideWhenLeft = () => {
  addEventListener("pagehide", () => {
    document.body.hidden = true;
  });
  addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload();
  });
};
