// Requests the values of a position at which the reader stays. Steps take precedence: while one is
// under way the request is dropped, and repeated once the step's request has ended in any way.
import { loadHtmx } from "../shared/load-htmx.js";

const STAY_MS = 200;

let stay;
// The form whose request is on its way or answered.
let formSent;

const askForValues = () => {
  const form = document.querySelector("form.ask");
  if (form && form !== formSent) loadHtmx().then(() => htmx.trigger(form, "stay"));
};

const askLater = () => {
  clearTimeout(stay);
  stay = setTimeout(askForValues, STAY_MS);
};

// The line of an analysis that is under way asks by htmx itself.
if (document.querySelector("#analysis .waiting")) loadHtmx().catch(() => {});
addEventListener("load", askLater);
document.addEventListener("htmx:afterRequest", askLater);
document.addEventListener("htmx:beforeRequest", ({ target }) => {
  if (target.matches(".ask")) formSent = target;
});
document.addEventListener("htmx:sendAbort", ({ target }) => {
  if (target === formSent) formSent = undefined;
});
