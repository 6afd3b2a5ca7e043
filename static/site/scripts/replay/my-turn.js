// Notifies a player on a past position that the game waits for a move. It polls for the board,
// which is sent only if it has changed; a hidden tab polls a quarter as often.
import { conditionalGet } from "../shared/conditional-get.js";

const EVERY = 5000;
const HIDDEN_EVERY = 4;
const MARK = "● ";

const banner = document.getElementById("called");
const getBoard = conditionalGet();
let skipped = 0;

const show = (isMyTurn) => {
  if (isMyTurn === banner.childElementCount > 0) return;
  const call = document.getElementById("call").content.cloneNode(true);
  banner.replaceChildren(...(isMyTurn ? [call] : []));
  document.title = (isMyTurn ? MARK : "") + document.title.replace(MARK, "");
};

const ask = async () => {
  if (document.hidden && ++skipped % HIDDEN_EVERY) return;
  try {
    const response = await getBoard(banner.dataset.address);
    if (response.ok) show(/id="board" class="[^"]* my-turn/.test(await response.text()));
  } catch {
    // Without a connection the page stays as it is until the next attempt.
  }
};

if (banner) setInterval(ask, EVERY);
