// Polls for the board if streams do not get through.
import { board } from "../board/elements.js";
import { conditionalGet } from "../shared/conditional-get.js";
import { addressOf } from "./boards.js";
import { showOffline } from "./connection.js";
import { queueBoard } from "./queue.js";

const TIMEOUT = 4000;
const getBoard = conditionalGet();
let askedAt = 0;

export const sinceAsked = () => performance.now() - askedAt;

const take = async (response, began) => {
  if (response.status >= 500) throw response;
  // The page of a game that was deleted, or closed to watchers, says so.
  if ([403, 404].includes(response.status)) return location.reload();
  if (response.ok) {
    const html = await response.text();
    queueBoard(html.match(/data-version="(\d+)"/)[1], html, began);
  }
  showOffline(false);
};

export const askForBoard = async () => {
  const began = board().dataset.version;
  askedAt = performance.now();
  try {
    const signal = AbortSignal.timeout(TIMEOUT);
    const address = addressOf("board/");
    // A player with the page in a tab that is not shown is not there.
    if (document.hidden) address.searchParams.set("hidden", 1);
    await take(await getBoard(address, { signal }), began);
  } catch {
    showOffline(true);
  }
};
