// The banner that says that the connection is gone.
export const showOffline = (isOffline) => {
  const banner = document.getElementById("offline");
  const isBack = !banner.hidden && !isOffline;
  banner.hidden = !isOffline;
  if (isBack) document.dispatchEvent(new Event("back-online"));
};

document.addEventListener("htmx:sendError", () => showOffline(true));
document.addEventListener("htmx:responseError", () => showOffline(true));
document.addEventListener("htmx:afterRequest", ({ detail }) => {
  if (detail.successful) showOffline(false);
});
