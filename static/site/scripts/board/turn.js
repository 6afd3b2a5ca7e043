// Sends the event `my-turn` when a turn of this player begins.
import { board } from "./elements.js";

const isMyTurn = () => board().classList.contains("my-turn");

let wasMyTurn = isMyTurn();
document.addEventListener("htmx:afterSettle", () => {
  if (isMyTurn() && !wasMyTurn) document.dispatchEvent(new Event("my-turn"));
  wasMyTurn = isMyTurn();
});
