"""A wheel of the command and the games' classes, which the site offers and a release has:
``python -m games.classes.wheel [folder]`` writes it. It needs no package, and no index has it."""

from __future__ import annotations

import base64
import hashlib
import sys
import tomllib
from io import BytesIO
from modulefinder import ModuleFinder
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from games.classes.recording import all_exercises, record_path
from games.core.registry import all_rules

ROOT = Path(__file__).resolve().parents[2]
# The name says how to install it: an index may have another file of any name.
NAME = "boardsite_classes_by_file"
WHEEL = "Wheel-Version: 1.0\nGenerator: {name}\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
METADATA = "Metadata-Version: 2.1\nName: {name}\nVersion: {version}\nRequires-Python: >=3.11\n"


def wheel_name(version: str) -> str:
    return f"{NAME}-{version}-py3-none-any.whl"


def make_wheel(version: str) -> bytes:
    """Return the bytes of the wheel, which are the same each time."""
    about = f"{NAME}-{version}.dist-info"
    files = {path.relative_to(ROOT).as_posix(): path.read_bytes() for path in _paths()}
    for file, text in {"WHEEL": WHEEL, "METADATA": METADATA}.items():
        files[f"{about}/{file}"] = text.format(name=NAME, version=version).encode()
    files[f"{about}/licenses/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    record = "".join(f"{name},{_digest(data)},{len(data)}\n" for name, data in files.items())
    files[f"{about}/RECORD"] = f"{record}{about}/RECORD,,\n".encode()
    written = BytesIO()
    with ZipFile(written, "w", ZIP_DEFLATED) as packed:
        for name, data in files.items():
            packed.writestr(ZipInfo(name), data, ZIP_DEFLATED)
    return written.getvalue()


def _paths() -> list[Path]:
    """Return the modules that the command imports, sooner or later, and the recorded runs."""
    finder = ModuleFinder(path=[str(ROOT)])
    for module in ("games.classes.__main__", *(f"games.{slug}.rules" for slug in all_rules())):
        finder.import_hook(module)
    named = (getattr(found, "__file__", None) for found in finder.modules.values())
    modules = {Path(file) for file in named if file}
    return sorted(modules | {record_path(*pair) for pair in all_exercises()})


def _digest(data: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode()
    return "sha256=" + digest.rstrip("=")


if __name__ == "__main__":
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    target = Path(*sys.argv[1:2], wheel_name(project["version"]))
    target.write_bytes(make_wheel(project["version"]))
    sys.stdout.write(f"{target}\n")
