// Opens a page of the site, the rules or the settings, beside a game. The content is fetched from
// that page, and closes when the page leads back to the game. Loaded by the first click.
const addSheets = (page) => {
  const known = [...document.styleSheets].map(({ href }) => href);
  const sheets = [...page.querySelectorAll("link[rel=stylesheet]")]
    .filter(({ href }) => !known.includes(href))
    .map(({ href }) => Object.assign(document.createElement("link"), { rel: "stylesheet", href }));
  document.head.append(...sheets);
  return Promise.all(
    sheets.map(
      (sheet) =>
        new Promise((done) => {
          sheet.onload = done;
        }),
    ),
  );
};

const applySettings = async (form, target) => {
  const sent = Object.fromEntries(new FormData(form));
  const { theme, sound } = sent;
  const { dataset } = document.documentElement;
  dataset.theme = theme;
  // Fields such as look-chess, with values such as flat.
  dataset.looks = Object.entries(sent)
    .filter(([name]) => name.startsWith("look-"))
    .map(([name, value]) => `${name.slice(5)}-${value}`)
    .join(" ");
  dataset.sound = sound === "on" ? form.dataset.sounds : "";
  if (target.name === "sound" && dataset.sound) (await import(dataset.sound)).play("turn");
};

// The answer to a refused form is its page with the reason.
const storeSettings = async (form) => {
  const options = { method: "POST", body: new FormData(form), headers: { "HX-Request": "true" } };
  const response = await fetch(form.action, options);
  if (response.ok) document.dispatchEvent(new Event("preferences"));
  else form.submit();
};

const followSettings = (form) => {
  form.addEventListener("change", ({ target }) => {
    applySettings(form, target);
    storeSettings(form);
  });
};

const show = (content, opener) => {
  const dialog = document.createElement("dialog");
  dialog.className = "beside-game";
  dialog.ariaLabel = content.querySelector("h1").textContent;
  dialog.append(content.querySelector(".back"), content);
  dialog.addEventListener("click", (event) => {
    const isBack = event.target.matches(".back");
    if (isBack) event.preventDefault();
    if (isBack || event.target === dialog) dialog.close();
  });
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((done) => dialog.addEventListener("close", done)).then(() => {
    dialog.remove();
    opener.focus();
  });
};

export const open = async (link) => {
  const response = await fetch(link.href);
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const before = new Set(document.styleSheets);
  await addSheets(page);
  const content = page.querySelector("main > *");
  content.querySelectorAll("form").forEach(followSettings);
  await show(content, link);
  // The page of a game must not get the style sheet of the other pages.
  for (const { ownerNode } of [...document.styleSheets].filter((sheet) => !before.has(sheet)))
    ownerNode.remove();
};
