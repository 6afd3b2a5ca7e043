// The page on which a visitor's class is compared. Its code stays in this tab.
import { offerHandIn } from "./hand-in.js";
import { judgeFiles, textOf } from "./many.js";
import "./playing.js";
import { showReport } from "./report.js";
import { compare, prepare } from "./session.js";

const MOST = 1_000_000;
const values = JSON.parse(document.getElementById("exercise").textContent);
const code = document.getElementById("code");
const form = document.getElementById("code-form");
const run = document.getElementById("run");
const stop = document.getElementById("stop");
const status = document.getElementById("status");
const loading = document.getElementById("loading");
const storageKey = `code ${location.pathname}`;
let halt;
let halted;

const busy = (running) => {
  run.setAttribute("aria-disabled", running);
  halted = false;
  stop.hidden = !running;
  status.textContent = running ? values.words.running : "";
  loading.hidden = true;
};

const store = () => {
  try {
    sessionStorage.setItem(storageKey, code.value);
  } catch {
    // More than the browser stores, or no storage at all: the code is in the field all the same.
  }
};

const tell = (sentence) => {
  document.getElementById("report").hidden = true;
  status.textContent = sentence;
};

// Resolves with the report on a source, or with nothing if it is stopped before Python is there.
const judged = (source) =>
  new Promise((resolve, reject) => {
    let stopped = halted;
    halt = () => {
      stopped = true;
      resolve();
    };
    const progress = (bytes) => {
      loading.hidden = stopped;
      loading.value = bytes;
    };
    const begin = (prepared) => {
      if (stopped) return;
      loading.hidden = true;
      const end = (answer, runs) => resolve({ answer, runs, record: prepared.record });
      halt = compare({ values, ...prepared, source, end });
    };
    if (stopped) resolve();
    else prepare(values, progress).then(begin).catch(reject);
  });

const start = async () => {
  const source = code.value.replaceAll("\r\n", "\n");
  if (!source.trim()) return tell(values.sentences.empty);
  if (source.length > MOST) return tell(values.sentences.too_large);
  document.getElementById("report").hidden = true;
  busy(true);
  try {
    const found = await judged(source);
    busy(false);
    if (!found) return;
    showReport(found.answer, found.runs, { values, record: found.record });
    offerHandIn(found);
  } catch {
    busy(false);
    tell(values.words.failed);
  }
};

const read = async (file) => {
  if (file.size > MOST) return tell(values.sentences.too_large);
  code.value = await textOf(file);
  store();
};

const open = async (file) => {
  if (!stop.hidden) return;
  await read(file);
  start();
};

const readAll = async (files) => {
  if (files.length < 2) return files[0] && read(files[0]);
  if (!stop.hidden) return;
  tell("");
  busy(true);
  const progress = (text) => {
    status.textContent = `${values.words.running} ${text}`;
  };
  try {
    const end = await judgeFiles(files, { values, judge: judged, open, tell: progress });
    busy(false);
    tell(end);
  } catch {
    busy(false);
    tell(values.words.failed);
  }
};

form.addEventListener("submit", (event) => {
  event.preventDefault();
  if (stop.hidden) start();
});
stop.addEventListener("click", () => {
  halted = true;
  halt?.();
  run.focus();
});
code.addEventListener("input", store);
document.getElementById("file").addEventListener("change", ({ target }) => {
  readAll([...target.files]);
  target.value = "";
});
for (const kind of ["dragover", "dragleave", "drop"])
  code.addEventListener(kind, (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    code.classList.toggle("over", kind === "dragover");
    if (kind === "drop") readAll([...event.dataTransfer.files]);
  });
document.getElementById("copy").addEventListener("click", async () => {
  const lines = document.getElementById("lines");
  try {
    await navigator.clipboard.writeText(lines.textContent);
    status.textContent = values.words.copied;
  } catch {
    // Without the clipboard the lines are selected, to be copied by hand.
    getSelection().selectAllChildren(lines);
  }
});
code.value = sessionStorage.getItem(storageKey) ?? "";
form.hidden = false;
