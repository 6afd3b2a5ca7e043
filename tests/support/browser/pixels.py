"""Screenshots compared by the pixels of some boxes."""

from __future__ import annotations

from collections.abc import Sequence

from playwright.sync_api import FloatRect, Page

_CHANGED_IN_EVERY_BOX = """
async ([pictures, boxes]) => {
  const draw = async (picture) => {
    const image = new Image();
    image.src = `data:image/png;base64,${picture}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
    canvas.drawImage(image, 0, 0);
    return canvas;
  };
  const [before, after] = await Promise.all(pictures.map(draw));
  return boxes.every(({ x, y, width, height }) => {
    const [old, now] = [before, after].map(
      (picture) => picture.getImageData(x, y, width, height).data,
    );
    return now.some((value, index) => value !== old[index]);
  });
}
"""


def changed_in_every_box(page: Page, before: str, after: str, boxes: Sequence[FloatRect]) -> bool:
    """Return whether some pixel of each box differs between two screenshots, PNG in Base64.

    ``page`` reads the screenshots, and its own content is ignored.
    """
    return bool(page.evaluate(_CHANGED_IN_EVERY_BOX, [[before, after], list(boxes)]))
