// The switch for notices on this device. The browser subscribes or unsubscribes, and then the form
// is sent to the site.
const form = document.getElementById("push");
const trouble = document.getElementById("push-trouble");

const refuse = (reason) => {
  trouble.textContent = form.dataset[reason];
  trouble.hidden = false;
};

const subscription = async () => {
  const worker = await navigator.serviceWorker?.getRegistration(form.dataset.worker);
  return worker?.pushManager?.getSubscription();
};

const turnOff = async () => {
  const worker = await navigator.serviceWorker?.getRegistration(form.dataset.worker);
  await (await subscription())?.unsubscribe();
  await worker?.unregister();
  return true;
};

const turnOn = async () => {
  if (!navigator.serviceWorker || !window.PushManager) return refuse("missing");
  if ((await Notification.requestPermission()) !== "granted") return refuse("blocked");
  // An older subscription may be for another key of the site.
  await turnOff();
  await navigator.serviceWorker.register(form.dataset.worker);
  const worker = await navigator.serviceWorker.ready;
  const made = await worker.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: form.dataset.key,
  });
  const { endpoint, keys } = made.toJSON();
  form.elements.endpoint.value = endpoint;
  form.elements.p256dh.value = keys.p256dh;
  form.elements.auth.value = keys.auth;
  return true;
};

let state = "";
form.addEventListener("submit", async (event) => {
  if (state === "done") return;
  event.preventDefault();
  if (state === "busy") return;
  state = "busy";
  const { submitter } = event;
  const isOn = Boolean(form.elements.off);
  try {
    // Once turned off, the site sends no notices, even if the browser fails to unsubscribe.
    state = (await (isOn ? turnOff().catch(() => true) : turnOn())) ? "done" : "";
  } catch {
    state = "";
    refuse("failed");
  }
  if (state) form.requestSubmit(submitter);
});

if (form.elements.off)
  subscription().then(
    (found) => found || refuse("forgotten"),
    () => refuse("forgotten"),
  );
