// Writes the report of a comparison into the page.
import { drawBoard } from "./boards.js";

const part = (id) => document.getElementById(id);

export const fill = (sentence, values) =>
  sentence.replace(/%\((\w+)\)s/g, (_, name) =>
    values[name] === "" ? values.nothing : values[name],
  );

const show = (id, text) => {
  part(id).textContent = text;
  part(id).hidden = !text;
};

export const sentenceOf = (report, { sentences, words }) => {
  const code = report.code === "no_class" && !report.found ? "no_class_at_all" : report.code;
  return fill(sentences[code], { ...report, nothing: words.nothing });
};

const listRuns = (runs, count, words) => {
  const items = Array.from({ length: count }, (_, number) => {
    const item = document.createElement("li");
    const state = runs[number] === undefined ? "untried" : runs[number] ? "right" : "wrong";
    const name = number ? fill(words.run, { number }) : words.example;
    item.className = state;
    item.textContent = `${name}: ${words[state === "untried" ? state : `is_${state}`]}`;
    return item;
  });
  part("run-list").replaceChildren(...items);
};

// The boards of a run up to a line of its report, whose lines are some of the run's own.
const boardsOf = (report, run) => {
  if (!run.steps) return run.output.split("\n\n").slice(0, report.lines.length).map(withoutCounts);
  let place = 0;
  return report.lines.map((line) => {
    while (run.steps[place] && run.steps[place][0] !== line) place++;
    return run.steps[place++]?.[2];
  });
};

const withoutCounts = (answer) => answer.slice(0, answer.lastIndexOf("\n"));

const showBoards = (report, run) => {
  part("boards").hidden = !report.expectedBoard;
  if (!report.expectedBoard) return;
  const drawn = drawBoard([...boardsOf(report, run), report.expectedBoard]);
  const text = document.createElement("pre");
  text.className = "lines";
  text.textContent = report.expectedBoard;
  part("right-board").replaceChildren(drawn ?? text);
  part("own").hidden = !report.ownBoard;
  part("own-board").textContent = report.ownBoard;
};

// The moves that the site has of the lines before the last one, and those lines of the whole run.
const movesOf = (report, run) => {
  if (!run.options) return [];
  let place = 0;
  const lines = run.steps?.map(([line]) => line) ?? run.lines;
  for (const line of report.lines.slice(0, -1)) place = lines.indexOf(line, place) + 1;
  return run.moves.filter(([number]) => number <= place).map(([, move]) => move);
};

const offerBoard = (moves, run, values) => {
  const form = part("open");
  if (!form) return;
  form.hidden = !(values.transcripts && run?.options && moves.length);
  if (form.hidden) return;
  form.elements.transcript.value = moves.join(", ");
  for (const old of form.querySelectorAll("[data-option]")) old.remove();
  for (const [name, value] of Object.entries(run.options)) {
    const field = document.createElement("input");
    Object.assign(field, { type: "hidden", name, value });
    field.dataset.option = "";
    form.append(field);
  }
};

const showDifference = (report, { values, record }) => {
  const run = record.runs[report.run];
  show("problem", sentenceOf(report, values));
  show("place", report.caret ? `${report.text}\n${report.caret}` : "");
  const line = report.code !== "syntax" && report.line;
  show("error-line", line ? fill(values.words.line, { line }) : "");
  part("lead").hidden = !report.lines?.length;
  const prompt = record.board ? ">>> " : "";
  part("lines").textContent = (report.lines ?? []).map((line) => prompt + line).join("\n");
  showBoards(report, run);
  offerBoard(report.lines?.length ? movesOf(report, run) : [], run, values);
};

const showSuccess = ({ values, record }) => {
  for (const id of ["problem", "place", "error-line"]) show(id, "");
  part("lead").hidden = part("boards").hidden = true;
  const moves = (run) => run.moves?.length ?? 0;
  const longest = record.runs.reduce((best, run) => (moves(run) > moves(best) ? run : best));
  offerBoard(
    (longest.moves ?? []).map(([, move]) => move),
    longest,
    values,
  );
};

const titleOf = (report, wrong, count, words) => {
  if (!report) return fill(words.right, { count: count - 1 });
  if (["endless", "stopped", "crashed"].includes(report.code)) return words.stopped;
  return wrong ? fill(words.wrong, { wrong, count }) : words.unreadable;
};

export const showReport = (answer, runs, context) => {
  const { values, record } = context;
  const report = answer.done;
  const count = record.runs.length;
  const wrong = runs.filter((right) => right === false).length;
  const { words } = values;
  const title = titleOf(report, wrong, count, words);
  part("report").hidden = false;
  part("report").classList.toggle("all-right", !report);
  part("report-title").textContent = title;
  if (report) showDifference(report, context);
  else showSuccess(context);
  show("printed", answer.printed ? words.printed : "");
  part("runs").hidden = !runs.length;
  listRuns(runs, count, words);
  part("report-title").focus();
};
