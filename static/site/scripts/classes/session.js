// One comparison: the files that it needs, the worker that runs it, and its time.
const load = async (address, progress) => {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${response.status}`);
  const parts = [];
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Blob(parts);
    parts.push(value);
    progress(value.length);
  }
};

const loadJson = async (address, progress) =>
  JSON.parse(await (await load(address, progress)).text());

let files;
let spare;

const loadFiles = async (values, progress) => {
  const [sources, record, library, wasm] = await Promise.all([
    loadJson(values.sources, progress),
    loadJson(values.record, progress),
    load(values.library, progress).then((blob) => blob.arrayBuffer()),
    load(values.wasm, progress).then((blob) => blob.arrayBuffer()),
  ]);
  return { record, forWorker: { sources, library, wasm: await WebAssembly.compile(wasm) } };
};

// Every comparison begins in a fresh interpreter, which starts while the last report is read.
const startWorker = (values) => {
  const worker = new Worker(values.worker, { type: "module" });
  const ready = files.then(
    ({ forWorker }) =>
      new Promise((resolve, reject) => {
        worker.onmessage = ({ data }) => (data.ready ? resolve() : reject(new Error(data.crashed)));
        worker.onerror = ({ message }) => reject(new Error(message));
        worker.postMessage(forWorker);
      }),
  );
  ready.catch(() => {});
  return { worker, ready };
};

// Returns a started interpreter and the files, of which `progress` gets the bytes loaded so far:
// everything is loaded with the first run, and once.
export const prepare = async (values, progress) => {
  let bytes = 0;
  const add = (more) => {
    bytes += more;
    progress(bytes);
  };
  files ??= loadFiles(values, add);
  spare ??= startWorker(values);
  try {
    await spare.ready;
    return { worker: spare.worker, ...(await files) };
  } catch (error) {
    files = spare = undefined;
    throw error;
  }
};

// Runs the code and calls `end` once, with a report and with the state of each run. Returns a
// function that stops it.
export const compare = ({ values, worker, record, source, end }) => {
  const runs = [];
  spare = undefined;
  let at = [0, -1];
  let timer;
  const finish = (report) => {
    clearTimeout(timer);
    worker.terminate();
    spare = startWorker(values);
    end(report, runs);
  };
  const here = (code, details = {}) => {
    const { steps, lines } = record.runs[at[0]];
    const played = (steps?.map(([line]) => line) ?? lines).slice(0, at[1] + 1);
    finish({ done: { code, lines: played, run: at[0], step: at[1], ...details } });
  };
  const wait = () => {
    clearTimeout(timer);
    const late = () => here("endless", { seconds: values.seconds });
    timer = setTimeout(late, values.seconds * 1000);
  };
  worker.onmessage = ({ data }) => {
    if (data.at) {
      // The time is that of a whole run.
      if (data.at[0] !== at[0] || at[1] < 0) wait();
      at = data.at;
    } else if ("run" in data) runs[data.run] = data.right;
    else if (data.crashed) here("crashed", { error: data.crashed });
    else finish(data);
  };
  worker.onerror = (event) => here("crashed", { error: event.message || "" });
  wait();
  worker.postMessage({ task: JSON.stringify({ record, source }) });
  return () => here("stopped");
};
