// Shows the player's turn by a dot on the icon.
import { board } from "../board/elements.js";

const icon = document.getElementById("icon");
const plainIcon = icon.href;

const markIcon = () => {
  const href = board().classList.contains("my-turn") ? icon.dataset.turn : plainIcon;
  if (icon.getAttribute("href") !== href) icon.href = href;
};

document.addEventListener("htmx:afterSettle", markIcon);
markIcon();
