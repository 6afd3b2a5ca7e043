// Scrolls a window over a board so that a cell comes to its middle.
export const scrollToCentre = (frame, cell) => {
  const [inner, outer] = [cell.getBoundingClientRect(), frame.getBoundingClientRect()];
  frame.scrollBy(
    inner.left - outer.left - frame.clientWidth / 2,
    inner.top - outer.top - frame.clientHeight / 2,
  );
};
