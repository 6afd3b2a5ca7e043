// Counts down the clocks of the player bars. The server's time comes with the page, and with each
// board the moment when a side's time is used up. Only the server decides when a flag falls; a
// player's page reminds it.
const flagForm = document.querySelector("#flag");
const faces = () => document.querySelectorAll(".clock b[data-until]");
const ahead = Number(flagForm.dataset.now) - Date.now();
const DAY_MS = 86400000;
const LOW = 20000;
const LAG_MS = 600;
const REMIND_EVERY = 2000;
const WARNED_AT = [60, 30, 10];

const two = (number) => String(number).padStart(2, "0");

const written = (left) => {
  const hours = Math.floor(left / 3600000);
  if (left >= DAY_MS) {
    return flagForm.dataset.days
      .replace("{days}", Math.floor(left / DAY_MS))
      .replace("{hours}", hours % 24);
  }
  const minutes = Math.floor(left / 60000) % 60;
  const seconds = Math.floor(left / 1000) % 60;
  if (hours) return `${hours}:${two(minutes)}:${two(seconds)}`;
  const tenths = left < 10000 ? `.${Math.floor(left / 100) % 10}` : "";
  return `${minutes}:${two(seconds)}${tenths}`;
};

let leftBefore = Number.POSITIVE_INFINITY;
let remindedAt = 0;

// Only the reader's own time is announced.
const tell = (left) => {
  const passed = WARNED_AT.find((n) => leftBefore > n * 1000 && left <= n * 1000 && left > 0);
  if (passed && Number.isFinite(leftBefore)) {
    document.querySelector("#clock-warning").textContent = flagForm.getAttribute(
      `data-warning-${passed}`,
    );
  }
  leftBefore = left;
};

const remind = () => {
  if (Date.now() - remindedAt < REMIND_EVERY || !document.querySelector("#board .seat.mine"))
    return;
  remindedAt = Date.now();
  fetch(flagForm.action, { method: "POST", body: new FormData(flagForm) }).catch(() => {});
};

const count = () => {
  let mine = Number.POSITIVE_INFINITY;
  for (const face of faces()) {
    const left = Number(face.dataset.until) - Date.now() - ahead;
    const shown = written(Math.max(0, left));
    if (face.textContent !== shown) face.textContent = shown;
    face.parentElement.classList.toggle("low", left < LOW);
    if (face.closest(".bar").querySelector(".mine")) mine = left;
    // The timer of a turn that cannot pass yet is only shown.
    if (left < -LAG_MS && !("over" in face.dataset)) remind();
  }
  tell(mine);
};

setInterval(count, 100);
document.addEventListener("htmx:afterSwap", count);
count();
