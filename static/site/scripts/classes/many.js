// The table of many files, which are judged one after another. They stay in this tab, as it does.
import { sentenceOf } from "./report.js";

const MOST_FILES = 60;
const MOST_BYTES = 1_000_000;
// Programs for tables take such cells for formulas.
const FORMULA = /^[=+\-@\t\r]/;
const ENCODING = /^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)/;
const section = document.getElementById("many");
const csv = document.getElementById("csv");

// Returns the text of a file as Python reads it: in the encoding that its first two lines name.
export const textOf = async (file) => {
  const bytes = await file.arrayBuffer();
  const lines = new TextDecoder("latin1").decode(bytes.slice(0, 400)).split("\n", 2);
  const named = lines.map((line) => ENCODING.exec(line)?.[1]).find(Boolean) ?? "utf-8";
  const label = named.toLowerCase().replaceAll("_", "-").replace("latin-", "latin");
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
};

// Returns the verdict in one word, as the command has it.
export const verdictOf = ({ done }, runs) => {
  if (!done) return "right";
  if (["endless", "stopped", "crashed"].includes(done.code)) return "stopped";
  return runs.length ? "different" : "unusable";
};

const cellsOf = ({ answer, runs, record }, values) => {
  const report = answer.done;
  const right = runs.filter(Boolean).length;
  const call = report?.lines?.at(-1);
  const sentence = report ? sentenceOf(report, values) : "";
  const difference = call ? `${call}: ${sentence}` : sentence;
  return [values.verdicts[verdictOf(answer, runs)], `${right} / ${record.runs.length}`, difference];
};

const addRow = (file, cells, open) => {
  const row = document.createElement("tr");
  const name = document.createElement("th");
  name.scope = "row";
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = file.name;
  button.addEventListener("click", () => open(file));
  name.append(button);
  row.append(name);
  for (const text of cells)
    row.append(Object.assign(document.createElement("td"), { textContent: text }));
  section.querySelector("tbody").append(row);
};

const quoted = ({ textContent }) =>
  `"${textContent.trim().replace(FORMULA, "'$&").replaceAll('"', '""')}"`;

const offerCsv = () => {
  const rows = [...section.querySelectorAll("tr")].map((row) =>
    [...row.cells].map(quoted).join(","),
  );
  URL.revokeObjectURL(csv.href);
  // Excel reads UTF-8 only after this mark.
  csv.href = URL.createObjectURL(
    new Blob([`\ufeff${rows.join("\r\n")}\r\n`], { type: "text/csv" }),
  );
  csv.hidden = false;
};

// Judges files by `judge(source)`, which resolves with nothing once it was stopped, and tells how
// many are done. A name in the table opens its file.
export const judgeFiles = async (files, { values, judge, open, tell }) => {
  const few = files.slice(0, MOST_FILES);
  section.hidden = false;
  csv.hidden = true;
  section.querySelector("tbody").replaceChildren();
  section.querySelector("h2").focus();
  for (const [number, file] of few.entries()) {
    tell(`${number + 1} / ${few.length}`);
    const problem = (code, error) => ({
      answer: { done: { code, error } },
      runs: [],
      record: { runs: [] },
    });
    let found = problem("too_large");
    if (file.size <= MOST_BYTES) {
      const source = await textOf(file).catch((error) => problem("unreadable", error.message));
      found = typeof source === "string" ? await judge(source) : source;
    }
    if (!found || found.answer.done?.code === "stopped") break;
    addRow(file, cellsOf(found, values), open);
  }
  offerCsv();
  return files.length > few.length ? values.words.too_many : "";
};
