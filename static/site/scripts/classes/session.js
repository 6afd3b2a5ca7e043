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
let judge;
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

const startWorker = (values, before) => {
  const worker = new Worker(values.worker, { type: "module" });
  const ready = Promise.all([files, before]).then(
    ([{ forWorker }]) =>
      new Promise((resolve, reject) => {
        worker.onmessage = ({ data }) => {
          forWorker.memory ??= data.memory;
          return data.ready ? resolve() : reject(new Error(data.crashed));
        };
        worker.onerror = ({ message }) => reject(new Error(message));
        worker.postMessage(forWorker);
      }),
  );
  ready.catch(() => {});
  return { worker, ready };
};

// Returns two started interpreters and the files, of which `progress` gets the bytes loaded so far:
// everything is loaded with the first run, and once. The judge stays, since it runs no code of a
// visitor; that runs in a fresh player each time, which starts while the last report is read, and
// in the memory that the judge had before it judged.
export const prepare = async (values, progress) => {
  let bytes = 0;
  const add = (more) => {
    bytes += more;
    progress(bytes);
  };
  files ??= loadFiles(values, add);
  judge ??= startWorker(values);
  spare ??= startWorker(values, judge.ready);
  try {
    await Promise.all([spare.ready, judge.ready]);
    return { judge: judge.worker, player: spare.worker, ...(await files) };
  } catch (error) {
    files = spare = judge = undefined;
    throw error;
  }
};

// Keeps the prepared player from other comparisons.
export const takePlayer = () => {
  spare = undefined;
};

const post = (worker, task) => worker.postMessage({ task: JSON.stringify(task) });

// Runs the code and calls `end` once, with a report and with the state of each run. Returns a
// function that stops it. The player plays lines and the judge compares its answers, so that code
// that reaches into its own interpreter changes no verdict.
export const compare = ({ values, judge: referee, player, record, source, end }) => {
  let wanted = 0;
  let answers = [];
  let printed = false;
  let closed = false;
  let timer;
  takePlayer();
  const close = (how) => {
    if (closed) return;
    closed = true;
    clearTimeout(timer);
    player.terminate();
    if (how) post(referee, { answers, end: how });
  };
  const finish = (done, runs) => {
    close();
    spare = startWorker(values);
    end({ done, printed }, runs);
  };
  referee.onmessage = ({ data }) => {
    if ("done" in data) return finish(data.done, data.runs);
    if ("crashed" in data) {
      referee.terminate();
      judge = undefined;
      return finish({ code: "crashed", error: data.crashed }, []);
    }
    if (closed) return;
    wanted = record.board ? data.play.length : 1;
    answers = [];
    post(player, { lines: data.play });
    clearTimeout(timer);
    const late = () => close({ code: "endless", seconds: values.seconds });
    timer = setTimeout(late, values.seconds * 1000);
  };
  player.onmessage = ({ data }) => {
    if ("crashed" in data) return close({ code: "crashed", error: data.crashed });
    if (data.problem) return close(data.problem);
    if (answers.length >= wanted) return;
    answers.push(data.answer);
    printed = data.printed;
    if (answers.length < wanted) return;
    post(referee, { answers });
    answers = [];
    wanted = 0;
  };
  player.onerror = ({ message }) => close({ code: "crashed", error: message || "" });
  const { name, board } = record;
  player.postMessage({ begin: JSON.stringify({ source, name, board }) });
  referee.postMessage({ begin: JSON.stringify({ record }), task: "{}" });
  return () => close({ code: "stopped" });
};
