// An embedded board follows its game on the site's stream, or by polling where streams do not get
// through. Only the number of moves is taken from it: the frame shows what strangers see.
import { conditionalGet } from "../shared/conditional-get.js";
import { currentPly, lastPly, showAddress } from "./positions.js";

const POLL_EVERY = 10000;

const frame = document.getElementById("replay");
const followed = frame.dataset.game;

const showNewest = (board) => {
  const newest = Number(/data-ply="(\d+)"/.exec(board)?.[1]);
  if (!(newest >= 0) || newest === lastPly()) return;
  const shown = currentPly() < lastPly() ? Math.min(currentPly(), newest) : newest;
  showAddress(`${followed}${shown}/embed/`);
};

const pollForBoard = () => {
  const getBoard = conditionalGet();
  setInterval(async () => {
    if (document.hidden) return;
    try {
      const answer = await getBoard(`${followed}board/`);
      if (answer.ok) showNewest(await answer.text());
    } catch {
      // Without a connection the board stays as it is until the next attempt.
    }
  }, POLL_EVERY);
};

if (followed) {
  const boards = new EventSource(`${followed}events/?has=${frame.dataset.version}`);
  boards.addEventListener("board", ({ data }) => showNewest(data));
  boards.addEventListener("shut", () => location.reload());
  boards.onerror = () => {
    if (boards.readyState === EventSource.CLOSED) pollForBoard();
  };
}
