// The region that screen readers read out. A sentence that comes twice differs by a space, or the
// second one would not be read.
const region = document.getElementById("status");

export const announce = (sentence) => {
  region.textContent = sentence === region.textContent ? `${sentence}\u00a0` : sentence;
};

export const clearAnnouncement = () => {
  region.textContent = "";
};
