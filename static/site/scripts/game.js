// The page of a game. Without scripts everything on it works as well, at the price of a new page for
// each click. The order counts where listeners share an event: the board decides about an answer
// before the stream looks at it.
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
