// Scrolls the frame of a board so that a cell is in its centre.
export const scrollToCentre = (frame, cell) => {
  const [inner, outer] = [cell.getBoundingClientRect(), frame.getBoundingClientRect()];
  frame.scrollBy(
    inner.left - outer.left - frame.clientWidth / 2,
    inner.top - outer.top - frame.clientHeight / 2,
  );
};
