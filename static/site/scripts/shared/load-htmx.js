// htmx is half of all scripts. The pages of games, puzzles and analyses load it only before the first
// request that needs it.
let loading = null;

export const hasHtmx = () => "ajax" in window.htmx;

// htmx reads its settings at once, or not at all if the page is only half loaded.
const pageLoaded = () =>
  new Promise((done) => {
    if (document.readyState === "complete") done();
    else addEventListener("load", done);
  });

const addScript = (address) =>
  new Promise((resolve, reject) => {
    const script = document.createElement("script");
    Object.assign(script, { src: address, onload: resolve, onerror: reject });
    document.head.append(script);
  });

const load = async () => {
  const { extension } = window.htmx;
  await pageLoaded();
  await addScript(document.querySelector("[data-htmx]").dataset.htmx);
  htmx.defineExtension(...extension);
};

// Rejects if the network is gone; another call tries again.
export const loadHtmx = () => {
  if (hasHtmx()) return Promise.resolve();
  loading ??= load().catch((error) => {
    loading = null;
    throw error;
  });
  return loading;
};

// A visitor who touches the page may soon send a form.
export const loadAtFirstTouch = () => {
  const load = () => loadHtmx().catch(() => {});
  for (const name of ["pointerdown", "keydown", "focusin"])
    document.addEventListener(name, load, { once: true });
};
