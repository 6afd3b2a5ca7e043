// The page of a puzzle. Its forms and links replace the puzzle alone, without htmx: the answer is
// morphed in, so that the focus stays. The arrow keys move the focus to the next button on the
// board.
import "./shared/morphing.js";

const challenge = () => document.getElementById("challenge");
const WAYS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const SIZE = 26;

const show = async (address, options) => {
  const answer = await fetch(address, { ...options, headers: { "HX-Request": "true" } });
  const html = await answer.text();
  if (!html.includes('id="challenge"')) throw new Error(answer.statusText);
  Idiomorph.morph(challenge(), html, { morphStyle: "outerHTML" });
  if (answer.ok) history.replaceState(null, "", answer.url);
};

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!challenge()?.contains(form)) return;
  event.preventDefault();
  const body = new FormData(form, event.submitter);
  const fields = new URLSearchParams(body);
  const sent = form.method === "post" ? [form.action, { method: "POST", body }] : [`?${fields}`];
  show(...sent).catch(() => {
    // Sent by a script, a form leaves out the button that was pressed, which is the move.
    const { name, value } = event.submitter ?? {};
    const pressed = Object.assign(document.createElement("input"), { type: "hidden", name, value });
    if (name) form.append(pressed);
    HTMLFormElement.prototype.submit.call(form);
  });
});

document.addEventListener("click", (event) => {
  const link = event.target.closest("#challenge a[href^='?']");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  show(link.href).catch(() => location.assign(link.href));
});

document.addEventListener("keydown", (event) => {
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
});
