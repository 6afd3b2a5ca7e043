// A worker of a comparison: it runs a visitor's own code, or judges its answers. The interpreter
// stands before this script in one file. Its policy lets it load nothing: the page gives it all.
const PAGE_OF_MEMORY = 65_536;
const MOST_MEMORY = 512 * 1024 * 1024;
const { createPyodideModule, loadPyodide } = {
  createPyodideModule: globalThis._createPyodideModule,
  loadPyodide: globalThis.loadPyodide,
};

const limitMemory = () => {
  const { grow } = WebAssembly.Memory.prototype;
  WebAssembly.Memory.prototype.grow = function (pages) {
    if (this.buffer.byteLength + pages * PAGE_OF_MEMORY > MOST_MEMORY) throw new RangeError();
    return grow.call(this, pages);
  };
};

const writeSources = (files, sources) => {
  for (const [path, text] of Object.entries(sources)) {
    files.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    files.writeFile(path, text);
  }
};

// The first interpreter leaves its memory, in which the others begin: that takes a fifth of the time.
const start = async ({ wasm, library, sources, memory }) => {
  limitMemory();
  // The interpreter would fetch its parts, which are here already.
  self.fetch = async () => new Response(library);
  WebAssembly.instantiateStreaming = async (_response, imports) => ({
    module: wasm,
    instance: await WebAssembly.instantiate(wasm, imports),
  });
  const python = await loadPyodide({
    createPyodideModule,
    indexURL: "/",
    lockFileContents: JSON.stringify({ info: { abi_version: "2026_0" }, packages: {} }),
    jsglobals: {},
    stdout: () => {},
    stderr: () => {},
    _makeSnapshot: !memory,
    _loadSnapshot: memory,
  });
  writeSources(python.FS, sources);
  python.runPython("import games.classes.comparison.in_page");
  const made = memory ? {} : { memory: python.makeMemorySnapshot() };
  self.postMessage({ ready: true, ...made });
  return python.runPython("games.classes.comparison.in_page.start");
};

let started;
let side;

// The files come first, then `begin` with the side of the comparison, then its tasks.
const run = async ({ begin, task, ...files }) => {
  started ??= start(files);
  const python = await started;
  if (begin) side = python(begin);
  if (task) side(task, (text) => self.postMessage(JSON.parse(text)));
};

self.onmessage = ({ data }) =>
  run(data).catch((error) => self.postMessage({ crashed: String(error.message || error) }));
