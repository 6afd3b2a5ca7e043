// Asks for the values of a position that the reader stays at. A step comes first: while one is under
// way the question is dropped, and asked again once that request has ended in any way.
const STAY_MS = 200;

let stay;
// The form whose question is on its way or answered.
let formSent;

const askForValues = () => {
  const form = document.querySelector("form.ask");
  if (form && form !== formSent) htmx.trigger(form, "stay");
};

const askLater = () => {
  clearTimeout(stay);
  stay = setTimeout(askForValues, STAY_MS);
};

addEventListener("load", askLater);
document.addEventListener("htmx:afterRequest", askLater);
document.addEventListener("htmx:beforeRequest", ({ target }) => {
  if (target.matches(".ask")) formSent = target;
});
document.addEventListener("htmx:sendAbort", ({ target }) => {
  if (target === formSent) formSent = undefined;
});
