// On a device for all, the Back button must not show one player's secrets to the next; nor does a
// seat that has moved to another device show its own here. A page with secrets hides as it is left,
// and is loaded anew when the browser restores it.
export const hasSecrets = () => document.querySelector(".secret") !== null;

export const hideWhenLeft = () => {
  addEventListener("pagehide", () => {
    document.body.hidden = true;
  });
  addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload();
  });
};
