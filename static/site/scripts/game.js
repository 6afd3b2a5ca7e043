// The page of a game. Everything on it works without scripts as well, with a new page for each
// click. The order matters for listeners of the same event: the board handles an answer before the
// stream does.
import "./shared/morphing.js";
import "./board/hint.js";
import "./board/scrolling.js";
import "./board/focus.js";
import "./board/keys.js";
import "./board/preview.js";
import "./board/touch.js";
import "./board/marks.js";
import "./board/secrets.js";
import "./board/choosing.js";
import "./board/refusals.js";
import "./board/answers.js";
import "./board/links.js";
import "./board/first-request.js";
import "./share.js";
import "./beside.js";
import "./live/boards.js";
import "./live/stream.js";
import "./live/turn-signal.js";
import "./live/sounds.js";
import "./motion.js";
