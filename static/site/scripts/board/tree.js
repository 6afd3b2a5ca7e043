// The step tree, which comes with the board to the player to move. step_tree.py explains the
// names of its parts.
import { board, effectOf, effectSaid } from "./elements.js";

export const WHOLE_MOVE = -1;

// The tree of the board as the server sent it, and a copy of that board.
let tree = null;
let sent = null;
let names = [];

export const sentBoard = () => sent;
export const allNames = () => names;

// A text that the page contains for its scripts.
export const shownText = (key) => document.getElementById("steps").dataset[key];

export const readTree = () => {
  sent = board().cloneNode(true);
  const json = sent.querySelector("#tree")?.textContent;
  tree = json ? { at: "", from: 0, ask: 0, root: 0, faces: [], ...JSON.parse(json) } : null;
  names = [...sent.querySelectorAll("[data-cell]")].map((button) => button.dataset.cell);
};

export const startOfTree = () => tree.at;
export const asksFirst = () => tree.ask === 1;

const string = (index = 0) => tree.s[index];
const said = (index, at) =>
  string(index).replace(/\t(-?\d+)\t/g, (_, offset) => names[at + Number(offset)]);

// Returns [[value, [cell, …]], …] of an array of strings with the offsets of their cells.
const byValue = (pairs = [], at = 0) =>
  pairs.flatMap((offsets, index) =>
    index % 2 ? [[string(pairs[index - 1]), offsets.map((offset) => names[at + offset])]] : [],
  );

const changesOf = (row = [], at = 0) => {
  const changes = [];
  for (let index = 0; index < row.length; index += 3) {
    const [offset, html, label] = row.slice(index);
    changes.push({ cell: names[at + offset], html: string(html), label: said(label, at) });
  }
  return changes;
};

const effectsOf = (row, at) =>
  byValue(row, at)
    .flatMap(([effect, cells]) => cells.map((cell) => `${cell}:${effect}`))
    .join(" ");

// The labels and effects of the root's steps are on the buttons of the board.
const shownStep = (value) => {
  const button = sent.querySelector(
    `[name=move][value="${value}"], [name=chosen][value="${value}"]`,
  );
  if (!button) return {};
  const [label, short] = button.dataset.cell
    ? [effectOf(button), effectSaid(button)]
    : [button.textContent];
  return { label, short, effects: button.dataset.effects || "" };
};

const choiceOf = (offset, row, origin, before) => {
  const place = origin + (offset || 0);
  const [token, label, sign, face, effects, changes, next = 0] = row;
  const cell = offset === null ? "" : names[place];
  const text = string(token) || cell;
  const value = [...before, text].join(" ");
  return {
    cell,
    place,
    text,
    value,
    next,
    label: said(label || 0, place),
    sign: string(sign),
    face: string(face),
    effects: effectsOf(effects, place),
    changes: changesOf(changes, place),
    ...(value.split(" ").length === stepsOf(tree.at).length + 1 && shownStep(value)),
  };
};

export const stepsOf = (path) => path.split(" ").filter(Boolean);

// Returns the choices of a node; `before` are the steps that lead to it.
const choicesOf = (node, origin, before) => {
  const row = tree.n[node][2] || [];
  return row.flatMap((step, index) =>
    index % 2 ? [choiceOf(row[index - 1], tree.t[step], origin, before)] : [],
  );
};

// Returns the choices along the steps `path`, and the node after them with its choices; null if the
// tree does not have them.
export const resolve = (path) => {
  const [steps, before] = [stepsOf(path), stepsOf(tree?.at || "")];
  if (!tree || before.some((step, index) => steps[index] !== step)) return null;
  let [node, place] = [tree.root, tree.from];
  const taken = [];
  let choices = choicesOf(node, place, before);
  let parent = null;
  for (const step of steps.slice(before.length)) {
    const choice = choices.find(({ text }) => text === step);
    if (!choice) return null;
    taken.push(choice);
    parent = { node, place, choices };
    ({ next: node, place } = choice);
    choices = node < 0 ? [] : choicesOf(node, place, steps.slice(0, before.length + taken.length));
  }
  if (node < WHOLE_MOVE) return null;
  return { path, taken, node, place, choices, parent };
};

export const promptOf = ({ node, place }) => said(tree.n[node][0] || 0, place);
export const marksOf = ({ node, place }) => byValue(tree.n[node][1], place);

// Returns why a cell cannot be chosen in a node; "" if its prompt says enough.
export const refusalOf = ({ node, place }, cell) => {
  const row = tree.n[node]?.[3] || [];
  const at = names.indexOf(cell);
  const found = row.findIndex((offsets, index) => index % 2 && offsets.includes(at - place));
  return row.length ? said(row[found < 0 ? 0 : found - 1], at) : "";
};

// The picture of a cell without its button.
export const faceWithoutButton = (place) => {
  const index = tree.faces.findIndex((each, number) => number % 2 === 0 && each === place);
  return index < 0 ? null : string(tree.faces[index + 1]);
};
readTree();
