"""Make the PNG icons that operating systems need from the site's logo, ``static/site/icon.svg``.

Run ``.venv/bin/python -m scripts.icons`` after changing the logo."""

from __future__ import annotations

from pathlib import Path

import resvg_py

SITE = Path(__file__).resolve().parent.parent / "static" / "site"
GREEN = "#1f5c4a"
SIZES = {"icon-192": 192, "icon-512": 512}
# Operating systems crop these to a shape of their own, which keeps four fifths of the width.
WHOLE_SIZES = {"touch-180": 180, "maskable-512": 512}


def main() -> None:
    """Write the icons to ``static/site/icons``."""
    sign = (SITE / "icon.svg").read_text()
    inner = sign.replace("<svg ", '<svg x="2.4" y="2.4" width="19.2" height="19.2" ', 1)
    whole = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">'
        f'<path fill="{GREEN}" d="M0 0h24v24H0z"/>{inner}</svg>'
    )
    for drawn, sizes in ((sign, SIZES), (whole, WHOLE_SIZES)):
        for name, size in sizes.items():
            picture = resvg_py.svg_to_bytes(svg_string=drawn, width=size, height=size)
            (SITE / "icons" / f"{name}.png").write_bytes(bytes(picture))


if __name__ == "__main__":
    main()
