// The pages of past positions and of an analysis.
import "./shared/morphing.js";
import "./replay/steps.js";
import "./replay/autoplay.js";
import "./replay/my-turn.js";
import "./replay/graph.js";
import "./replay/asking.js";
import "./replay/scrolling.js";
import "./replay/first-request.js";
import "./share.js";
import { hasSecrets, hideWhenLeft } from "./shared/secrets.js";

if (hasSecrets()) hideWhenLeft();
