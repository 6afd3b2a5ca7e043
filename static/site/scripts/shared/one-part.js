// A part of a page whose forms and links replace it alone, without htmx: the answer is morphed in,
// so that the focus stays. The arrow keys move the focus to the next button on its board.
import "./morphing.js";

const WAYS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const SIZE = 26;

const moveFocus = (event) => {
  if (event.key === "Escape") document.getElementById("b-back")?.click();
  const cell = event.target.closest?.("[data-cell]");
  if (!cell || !(event.key in WAYS)) return;
  event.preventDefault();
  const [down, right] = WAYS[event.key];
  let [row, column] = cell.id.split("-").slice(1).map(Number);
  for (let step = 0; step < SIZE; step++) {
    row += down;
    column += right;
    const next = document.getElementById(`c-${row}-${column}`);
    if (next) return next.focus();
  }
};

// Returns a function that replaces the part with the id by that of an address. `sent` gets a form's
// address, options and event, and sends it.
export const onePart = (id, sent) => {
  const part = () => document.getElementById(id);
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!part()?.contains(form)) return;
    event.preventDefault();
    const body = new FormData(form, event.submitter);
    const fields = new URLSearchParams(body);
    if (form.method === "post") sent(form.action, { method: "POST", body }, event);
    else sent(`${form.action}?${fields}`, {}, event);
  });
  document.addEventListener("keydown", moveFocus);
  return async (address, options) => {
    const answer = await fetch(address, { ...options, headers: { "HX-Request": "true" } });
    const html = await answer.text();
    if (!html.includes(`id="${id}"`)) throw new Error(answer.status);
    Idiomorph.morph(part(), html, { morphStyle: "outerHTML" });
    return answer;
  };
};
