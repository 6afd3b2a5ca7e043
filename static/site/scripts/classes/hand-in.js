// Handing in by the secret link of a class: the verdict of the last run, and nothing of the code.
import { verdictOf } from "./many.js";

const rowForm = document.getElementById("hand-in");
const rowStatus = document.getElementById("hand-in-status");
const nickname = document.getElementById("nickname");
const rowPlace = `pupil ${rowForm?.dataset.class}`;
const drawKey = () =>
  [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
// The key of the pupil's row, and the nickname that the row has, if there is one.
let ownRow = { key: drawKey(), name: "" };
let outcome;

const keepRow = (name) => {
  ownRow.name = name;
  for (const id of ["take-back", "someone-else"]) document.getElementById(id).hidden = !name;
  try {
    if (name) localStorage.setItem(rowPlace, JSON.stringify(ownRow));
    else localStorage.removeItem(rowPlace);
  } catch {
    // Without storage the row can be replaced until the page is left.
  }
};

const tellPupil = (sentence) => {
  rowStatus.textContent = sentence;
};

const sendRow = async (fields) => {
  try {
    const response = await fetch(location.pathname, {
      method: "POST",
      credentials: "omit",
      headers: { "Accept-Language": document.documentElement.lang },
      body: new URLSearchParams({ key: ownRow.key, ...fields }),
    });
    const { name, refused } = await response.json();
    if (refused) return tellPupil(refused);
    keepRow(name);
    tellPupil(name ? `${rowStatus.dataset.in} ${name}` : rowStatus.dataset.out);
  } catch {
    tellPupil(rowStatus.dataset.failed);
  }
};

// Takes the outcome of a run, to be handed in.
export const offerHandIn = ({ answer, runs, record }) => {
  const code = verdictOf(answer, runs);
  outcome = { code, right: runs.filter(Boolean).length, runs: record.runs.length };
};

rowForm?.addEventListener("submit", (event) => {
  event.preventDefault();
  if (!outcome) return tellPupil(rowStatus.dataset.first);
  sendRow({ exercise: rowForm.dataset.exercise, name: nickname.value, ...outcome });
});
if (rowForm) {
  document.getElementById("take-back").addEventListener("click", () => sendRow({}));
  document.getElementById("someone-else").addEventListener("click", () => {
    ownRow = { key: drawKey(), name: "" };
    keepRow("");
    tellPupil("");
    nickname.value = "";
    nickname.focus();
  });
  try {
    ownRow = JSON.parse(localStorage.getItem(rowPlace)) ?? ownRow;
  } catch {
    // Nothing was kept.
  }
  nickname.value = ownRow.name.replace(/ \(\d+\)$/, "");
  keepRow(ownRow.name);
  rowForm.hidden = false;
}
