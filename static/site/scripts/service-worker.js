// The service worker of the site: shows the notices of turns and opens their games, and tells the
// site of the browser's new subscription to notices.
const pagesOf = async (address) => {
  const path = new URL(address, location.origin).pathname;
  const pages = await clients.matchAll({ type: "window", includeUncontrolled: true });
  return pages.filter(({ url }) => new URL(url).pathname === path);
};

const show = async ({ title, body, url }) => {
  await registration.showNotification(title, { body, tag: url, data: url });
  const pages = await pagesOf(url);
  if (!pages.some((page) => page.visibilityState === "visible")) return;
  // The game is on the screen already, but browsers may block a site that shows no notice at all.
  for (const notice of await registration.getNotifications({ tag: url })) notice.close();
};

const open = async (url) => {
  const [page] = await pagesOf(url);
  if (page) return page.focus();
  // The front page loses nothing by it, unless another worker still controls it.
  const [home] = await pagesOf("/");
  const moved = await home?.navigate(url).catch(() => null);
  return moved ? moved.focus() : clients.openWindow(url);
};

// The page has the key of the site and the token of its forms.
const renew = async ({ newSubscription }) => {
  const page = await (await fetch("/me/devices/")).text();
  const value = (pattern) => page.match(pattern)?.[1];
  const subscription =
    newSubscription ??
    (await registration.pushManager.subscribe({
      userVisibleOnly: true,
      applicationServerKey: value(/ data-key="([^"]+)"/),
    }));
  const { endpoint, keys } = subscription.toJSON();
  const csrfmiddlewaretoken = value(/ name="csrfmiddlewaretoken" value="([^"]+)"/);
  const body = new URLSearchParams({ csrfmiddlewaretoken, renewed: 1, endpoint, ...keys });
  await fetch("/me/devices/push/", { method: "POST", body });
};

addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renew(event)));
addEventListener("push", (event) => event.waitUntil(show(event.data.json())));
addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data));
});
