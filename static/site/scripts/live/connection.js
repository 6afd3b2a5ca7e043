// The banner that says that the connection is gone.
export const showOffline = (isOffline) => {
  document.getElementById("offline").hidden = !isOffline;
};

document.addEventListener("htmx:sendError", () => showOffline(true));
document.addEventListener("htmx:responseError", () => showOffline(true));
document.addEventListener("htmx:afterRequest", ({ detail }) => {
  if (detail.successful) showOffline(false);
});
