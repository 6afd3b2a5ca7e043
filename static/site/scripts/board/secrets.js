// The address of a page with secrets becomes that of the board for all: it stays in the history of
// a device that goes from hand to hand.
import { hasSecrets, hideWhenLeft } from "../shared/secrets.js";

if (hasSecrets()) {
  history.replaceState(null, "", location.pathname);
  hideWhenLeft();
}
