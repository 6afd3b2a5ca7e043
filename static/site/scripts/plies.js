// Looking back at a game, and its analysis.
import "./replay/steps.js";
import "./replay/my-turn.js";
import "./replay/graph.js";
import "./replay/scrolling.js";
import { hasSecrets, hideWhenLeft } from "./shared/secrets.js";
import "./shared/morphing.js";

if (hasSecrets()) hideWhenLeft();
