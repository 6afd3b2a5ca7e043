// Draws a half-chosen move, or one that is being sent, from the tree that came with the board: it
// changes a copy of the server's board, and morphs its parts into the page.
import { board } from "./elements.js";
import {
  allNames,
  asksFirst,
  faceWithoutButton,
  marksOf,
  promptOf,
  sentBoard,
  shownText,
  startOfTree,
  stepsOf,
  WHOLE_MOVE,
} from "./tree.js";

const setAll = (element, attributes) => {
  for (const [name, value] of Object.entries(attributes))
    if (value) element.setAttribute(name, value);
    else element.removeAttribute(name);
};

export const sends = (value, isMove) => ({
  name: isMove ? "move" : "chosen",
  form: isMove ? "" : "steps",
  value,
});

const isFinal = ({ next }) => next === WHOLE_MOVE && !asksFirst();

// Returns functions that change a cell in a copy of the board.
const cellOf = (td, place) => {
  const button = td.firstElementChild;
  const addToLabel = (text) => button.setAttribute("aria-label", `${button.ariaLabel}${text}`);
  const withdraw = () => {
    if (!td.matches(".legal")) return;
    td.classList.remove("legal");
    button.querySelector(".can")?.remove();
    const face = faceWithoutButton(place);
    if (face !== null) button.innerHTML = face;
    setAll(button, { type: "button", "aria-disabled": "true", "data-effects": "" });
    setAll(button, { name: "", form: "", value: "" });
    button.setAttribute("aria-label", button.ariaLabel.split("; ")[0]);
  };
  return {
    td,
    button,
    withdraw,
    change({ cell, html, label }) {
      button.innerHTML = html;
      button.setAttribute("aria-label", `${cell}, ${label}`);
      if (td.matches(".last")) addToLabel(`, ${shownText("last")}`);
    },
    mark(name) {
      if (td.matches(`.mark-${name}`)) return;
      td.className = `${td.className.replace(/ mark-\S+/, "")} mark-${name}`;
      if (name !== "chosen") return;
      const last = td.matches(".last") ? `, ${shownText("last")}` : "";
      const label = button.ariaLabel.slice(0, button.ariaLabel.length - last.length);
      button.setAttribute("aria-label", `${label}, ${shownText("chosen")}${last}`);
    },
    offer({ face, sign, label, short = label, value, effects }, isMove) {
      withdraw();
      td.classList.add("legal");
      if (face) button.innerHTML = face;
      if (sign) button.insertAdjacentHTML("beforeend", `<u class="can ${sign}"></u>`);
      setAll(button, { type: "", "aria-disabled": "", "data-effects": effects });
      setAll(button, { "data-step": short === label ? "" : label });
      setAll(button, sends(value, isMove));
      addToLabel(`; ${short}`);
    },
  };
};

const copyOfBoard = () => {
  const copy = sentBoard().cloneNode(true);
  const cells = [...copy.querySelectorAll("td.cell")].map(cellOf);
  const named = Object.fromEntries(allNames().map((name, place) => [name, cells[place]]));
  return { copy, cells, named };
};

// Focus and tab stops of the page are kept.
const morphInto = (live, fresh) => {
  const [tabIndex, made] = [live.firstElementChild?.tabIndex, fresh.firstElementChild];
  if (live.matches("td")) made.tabIndex = tabIndex;
  if (!live.isEqualNode(fresh)) Idiomorph.morph(live, fresh);
};

const showCopy = ({ copy }) => {
  const parts = (root) => [...root.querySelectorAll("td.cell, #prompt, .beside")];
  const fresh = parts(copy);
  for (const [index, live] of parts(board()).entries()) morphInto(live, fresh[index]);
  document.dispatchEvent(new Event("board-drawn"));
};

const showPrompt = ({ copy }, text) => {
  copy.querySelector("#prompt").textContent = text;
  return text;
};

// The steps of the tree's root on the board; all steps below a root that is not the first step.
const withdrawChosen = ({ cells }, path) => {
  const [first, start] = [stepsOf(path)[0], startOfTree()];
  for (const { td, button, withdraw } of cells) {
    if (!td.matches(".legal")) continue;
    if (button.value === first || (start && button.value.startsWith(`${start} `))) withdraw();
    else if (button.name !== "mark") setAll(button, sends(button.value));
  }
};

export const makeButton = (id, label, { value, ...attributes }) => {
  const button = document.createElement("button");
  setAll(button, { id, ...attributes });
  button.value = value;
  button.textContent = label;
  return button;
};

const slug = (text) => text.toLowerCase().replace(/[^a-z0-9]+/g, "-");

const makeStep = ({ text, label, value, effects, next }) =>
  makeButton(`b-${slug(text)}`, label, {
    class: `button step step-${slug(text)}`,
    ...sends(value, isFinal({ next })),
    "data-effects": effects,
  });

const drawBeside = ({ copy }, { path, choices }, isWhole) => {
  const beside = copy.querySelector(".beside");
  const [first, start] = [stepsOf(path)[0], startOfTree()];
  const back = stepsOf(path).slice(0, -1).join(" ");
  const others = [...beside.children].filter(
    ({ id, value }) => id !== "b-back" && !(start && value.startsWith(`${start} `)),
  );
  for (const button of others)
    setAll(button, { ...sends(button.value), "aria-pressed": String(button.value === first) });
  beside.replaceChildren(
    ...choices.filter(({ cell }) => !cell).map(makeStep),
    ...others,
    ...(isWhole
      ? [makeButton("b-confirm", shownText("confirm"), { class: "button", ...sends(path, true) })]
      : []),
    makeButton("b-back", shownText("back"), { class: "button quiet", ...sends(back) }),
  );
};

const drawMarks = ({ named }, at) => {
  for (const [mark, cells] of marksOf(at)) for (const cell of cells) named[cell].mark(mark);
};

// A whole move to be confirmed: the effects of its last step, and the alternatives to it.
const drawWhole = (fresh, { parent, taken }, last) => {
  const { named } = fresh;
  drawMarks(fresh, parent);
  // The board already has the steps of the tree's root.
  for (const choice of taken.length > 1 ? parent.choices : [])
    if (choice.cell && choice !== last) named[choice.cell].offer(choice);
  for (const pair of last.effects.split(" ").filter(Boolean)) {
    const [name, effect] = pair.split(":");
    if (name !== last.cell) named[name].mark(effect);
  }
  if (!last.cell) return;
  named[last.cell].mark("chosen");
  named[last.cell].offer({ ...last, face: "" }, true);
};

const drawChanges = ({ named }, taken) => {
  for (const change of taken.flatMap(({ changes }) => changes)) named[change.cell].change(change);
};

// Shows the steps after `found`, and returns the prompt.
export const drawChosen = (found) => {
  const fresh = copyOfBoard();
  const last = found.taken[found.taken.length - 1];
  const isWhole = last?.next === WHOLE_MOVE;
  let prompt = fresh.copy.querySelector("#prompt").textContent;
  if (last) {
    withdrawChosen(fresh, found.path);
    drawChanges(fresh, found.taken);
    drawBeside(fresh, found, isWhole);
    prompt = showPrompt(fresh, isWhole ? `${last.label}?` : promptOf(found));
    if (isWhole) drawWhole(fresh, found, last);
    else {
      drawMarks(fresh, found);
      for (const choice of found.choices)
        if (choice.cell) fresh.named[choice.cell].offer(choice, isFinal(choice));
    }
  }
  showCopy(fresh);
  return prompt;
};

// Shows a whole move as it will look, without choices and with its cells marked as being sent.
export const drawSent = ({ taken }) => {
  const fresh = copyOfBoard();
  for (const { td, withdraw } of fresh.cells) {
    withdraw();
    td.classList.remove("last");
  }
  drawChanges(fresh, taken);
  showPrompt(fresh, document.getElementById("prompt").textContent);
  const changed = taken.flatMap(({ changes }) => changes.map(({ cell }) => cell));
  const cells = changed.length ? changed : [taken[taken.length - 1].cell].filter(Boolean);
  for (const cell of cells) fresh.named[cell].td.classList.add("sending", "last");
  showCopy(fresh);
};

// Shows the board as the server sent it.
export const drawAsSent = () => showCopy(copyOfBoard());
