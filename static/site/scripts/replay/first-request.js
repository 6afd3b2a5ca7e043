// Links and forms that are used before htmx has loaded wait for it. If it cannot be loaded, the browser
// follows them.
import { hasHtmx, loadAtFirstTouch, loadHtmx } from "../shared/load-htmx.js";
import { showAddress } from "./positions.js";

const isBoosted = (element) =>
  element.closest("[hx-boost]")?.getAttribute("hx-boost") === "true" ||
  element.matches("[hx-post]");
let isLost = false;
const isReady = (event) => isLost || hasHtmx() || event.defaultPrevented;

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href]");
  if (isReady(event) || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (!link || !isBoosted(link)) return;
  event.preventDefault();
  showAddress(link.href);
});

document.addEventListener("submit", async (event) => {
  const { target: form, submitter } = event;
  if (isReady(event) || !isBoosted(form)) return;
  event.preventDefault();
  await loadHtmx().catch(() => {
    isLost = true;
  });
  // htmx sends the button of a form that it has seen clicked.
  if (submitter) submitter.click();
  else form.requestSubmit();
});

loadAtFirstTouch();
