// The live region for screen readers. A repeated sentence gets an extra space, because otherwise it
// would not be read out again.
const region = document.getElementById("status");

export const announce = (sentence) => {
  region.textContent = sentence === region.textContent ? `${sentence}\u00a0` : sentence;
};

export const clearAnnouncement = () => {
  region.textContent = "";
};
