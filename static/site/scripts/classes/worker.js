// The worker in which a visitor's own code runs. It is served with a policy of its own, by which it
// cannot reach any network: the page gives it all that it needs, the interpreter's bytes too.
const writeSources = (files, sources) => {
  for (const [path, text] of Object.entries(sources)) {
    files.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    files.writeFile(path, text);
  }
};

const run = async ({ interpreter, wasm, sources, task }) => {
  // The interpreter fetches its own bytes, which are here already.
  self.fetch = async () => new Response(wasm, { headers: { "Content-Type": "application/wasm" } });
  const { loadMicroPython } = await import(interpreter);
  const python = await loadMicroPython({
    url: "micropython.wasm",
    pystack: 64 * 1024,
    heapsize: 16 * 1024 * 1024,
    stdout: () => {},
    stderr: () => {},
  });
  writeSources(python.FS, sources);
  python.registerJsModule("page", { task, post: (text) => self.postMessage(JSON.parse(text)) });
  python.runPython(
    "import page\nfrom games.classes.comparison.in_page import compare\ncompare(page.task, page.post)",
  );
};

self.onmessage = ({ data }) =>
  run(data).catch((error) => self.postMessage({ crashed: String(error.message || error) }));
