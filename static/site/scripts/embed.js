// A board on the page of another site.
import "./shared/morphing.js";
import "./replay/steps.js";
import "./replay/autoplay.js";
import "./replay/following.js";
