// One comparison: the files that it needs, the worker that runs it, and its time.
const load = async (address, read) => {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${response.status}`);
  return read(response);
};

let files;

// Loads everything with the first run, and once.
const loadFiles = async (values) => {
  const [sources, record, wasm] = await Promise.all([
    load(values.sources, (response) => response.json()),
    load(values.record, (response) => response.json()),
    load(values.wasm, (response) => response.arrayBuffer()),
  ]);
  return { sources, record, wasm };
};

export const ready = async (values) => {
  files ??= loadFiles(values);
  try {
    return await files;
  } catch (error) {
    files = undefined;
    throw error;
  }
};

// Runs the code and calls `end` once, with a report and with the state of each run. Returns a
// function that stops it.
export const compare = ({ values, sources, record, wasm, source, end }) => {
  const worker = new Worker(values.worker, { type: "module" });
  const runs = [];
  let at = [0, -1];
  let timer;
  const finish = (report) => {
    clearTimeout(timer);
    worker.terminate();
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
  const task = JSON.stringify({ record, source });
  const interpreter = new URL(values.interpreter, location.href).href;
  worker.postMessage({ interpreter, wasm, sources, task });
  return () => here("stopped");
};
