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
    await take(await getBoard(addressOf("board/"), { signal }), began);
  } catch {
    showOffline(true);
  }
};
