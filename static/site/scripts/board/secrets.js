// Replaces the address of a page with secrets by that of the public board, because it stays in the
// history of a device that is passed around.
import { hasSecrets, hideWhenLeft } from "../shared/secrets.js";

if (hasSecrets()) {
  history.replaceState(null, "", location.pathname);
  hideWhenLeft();
}
