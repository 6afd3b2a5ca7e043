// Marks the seats whose players are at the board, and counts the other viewers. Only the seats of
// others have dots, and a new board has none yet.
let present = null;

const markSeats = () => {
  const told = document.querySelector("#watching");
  if (!present || !told) return;
  const { here, away, watching } = told.dataset;
  for (const seat of document.querySelectorAll("#board .seat[data-seat]:not(.mine):has(bdi)")) {
    const isHere = present.here.includes(seat.dataset.seat);
    seat.dataset.here = isHere;
    seat.querySelector(".seat-player").title = isHere ? here : away;
  }
  told.hidden = !present.watching;
  told.textContent = watching.replace("{n}", present.watching);
};

export const showPresence = ({ data }) => {
  present = JSON.parse(data);
  markSeats();
};

document.addEventListener("htmx:afterSwap", markSeats);
