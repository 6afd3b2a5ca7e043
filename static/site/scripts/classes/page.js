// The page on which a visitor's class is compared. Its code stays in this tab.
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

const busy = (running) => {
  run.setAttribute("aria-disabled", running);
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

const start = async () => {
  const source = code.value.replaceAll("\r\n", "\n");
  if (!source.trim()) return tell(values.sentences.empty);
  if (source.length > MOST) return tell(values.sentences.too_large);
  document.getElementById("report").hidden = true;
  busy(true);
  let stopped = false;
  halt = () => {
    stopped = true;
    busy(false);
  };
  try {
    const prepared = await prepare(values, (bytes) => {
      loading.hidden = stopped;
      loading.value = bytes;
    });
    if (stopped) return;
    loading.hidden = true;
    const end = (answer, runs) => {
      halt = undefined;
      busy(false);
      showReport(answer, runs, { values, record: prepared.record });
    };
    halt = compare({ values, ...prepared, source, end });
  } catch {
    if (stopped) return;
    busy(false);
    tell(values.words.failed);
  }
};

const read = async (file) => {
  if (!file) return;
  if (file.size > MOST) return tell(values.sentences.too_large);
  code.value = await file.text();
  store();
};

form.addEventListener("submit", (event) => {
  event.preventDefault();
  if (stop.hidden) start();
});
stop.addEventListener("click", () => {
  halt?.();
  run.focus();
});
code.addEventListener("input", store);
document.getElementById("file").addEventListener("change", ({ target }) => read(target.files[0]));
for (const kind of ["dragover", "dragleave", "drop"])
  code.addEventListener(kind, (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    code.classList.toggle("over", kind === "dragover");
    if (kind === "drop") read(event.dataTransfer.files[0]);
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
