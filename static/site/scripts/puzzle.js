// The page of a puzzle. Its forms and links replace the puzzle alone.
import { onePart } from "./shared/one-part.js";

const show = async (address, options) => {
  const answer = await replace(address, options);
  if (answer.ok) history.replaceState(null, "", answer.url);
};

const replace = onePart("challenge", (address, options, { target, submitter }) => {
  show(address, options).catch(() => {
    // Sent by a script, a form leaves out the button that was pressed, which is the move.
    const { name, value } = submitter ?? {};
    const pressed = Object.assign(document.createElement("input"), { type: "hidden", name, value });
    if (name) target.append(pressed);
    HTMLFormElement.prototype.submit.call(target);
  });
});

document.addEventListener("click", (event) => {
  const link = event.target.closest("#challenge a[href^='?']");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  show(link.href).catch(() => location.assign(link.href));
});
