// Forms that are sent before htmx has loaded wait for it, and a form whose last answer the stream has
// overtaken waits for that answer: htmx would drop the next move like a second click. Meanwhile a
// move is drawn like any other, and it is reported as lost if htmx cannot be loaded.
import { hasHtmx, loadAtFirstTouch, loadHtmx } from "../shared/load-htmx.js";
import { tellLost } from "./answers.js";
import { board } from "./elements.js";
import { loseMark } from "./marks.js";
import { drawWaiting, loseWaiting } from "./sending.js";

// The last pressed button of each form, and its ply.
const waiting = new Map();

// The waiting request of a button is dropped once its move is drawn.
const copyOf = (button) => Object.assign(button.cloneNode(), { id: "", hidden: true });

const send = (form, { button, ply }) => {
  if (ply !== board().dataset.ply) return;
  form.append(button);
  button.click();
  button.remove();
};

const takeWaiting = () => {
  const taken = [...waiting];
  waiting.clear();
  for (const [form] of taken) delete form.dataset.waits;
  return taken;
};

const sendWaiting = () => {
  for (const [form, request] of takeWaiting()) send(form, request);
};

const tellAllLost = () => {
  const losses = takeWaiting().length ? [loseWaiting(), loseMark()] : [true];
  if (!losses.some(Boolean)) tellLost({ began: board().dataset.version });
};

// The ply of the board on which the last request of each form was made.
const plies = new WeakMap();
document.addEventListener("htmx:beforeRequest", ({ target }) => {
  plies.set(target, board().dataset.ply);
});

const isOvertaken = (form) =>
  form.matches(".htmx-request[hx-post]") && plies.get(form) !== board().dataset.ply;
const answerTo = (form) =>
  new Promise((tell) => form.addEventListener("htmx:afterRequest", tell, { once: true }));

const wait = (event) => {
  const { target: form, submitter: button } = event;
  const isReady = hasHtmx() && !isOvertaken(form);
  if (isReady || event.defaultPrevented || !button || !form.matches("[hx-post], [hx-get]")) return;
  event.preventDefault();
  event.stopPropagation();
  waiting.set(form, { button: copyOf(button), ply: board().dataset.ply });
  form.dataset.waits = "true";
  drawWaiting(new FormData(form, button));
  (hasHtmx() ? answerTo(form) : loadHtmx()).then(sendWaiting, tellAllLost);
};
document.addEventListener("submit", wait, true);

loadAtFirstTouch();
