"""Run every example and draw the pictures of the documentation, small enough to be committed. Run `make pictures`."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from PIL import Image

import fairlead as fl
from fairlead.view import save_all

HERE = Path(__file__).resolve().parent
EXAMPLES = HERE.parent / "examples"
WIDTH, COLOURS = 1200, 96
BESIDE_GEOMETRY = {"hanging_mooring": "tension_history", "towed_cable": "tension_along"}
"""Examples whose story the shape alone does not tell, and the picture that does."""


def shrink(source: Path, target: Path) -> None:
    """A smaller copy of a picture, with a palette instead of full colour."""
    with Image.open(source) as picture:
        height = round(picture.height * WIDTH / picture.width)
        small = picture.convert("RGB").resize((WIDTH, height), Image.Resampling.LANCZOS)
    small.quantize(COLOURS, dither=Image.Dither.NONE).save(target, optimize=True)


def draw(path: Path) -> None:
    """Run one example and write its pictures to `docs/images`."""
    result = fl.simulate(path, progress=sys.stderr.isatty())
    kinds = ["geometry", *([BESIDE_GEOMETRY[path.stem]] if path.stem in BESIDE_GEOMETRY else [])]
    with tempfile.TemporaryDirectory() as folder:
        for kind, file in save_all(result, folder, kinds).items():
            name = path.stem if kind == "geometry" else f"{path.stem}-{kind}"
            shrink(file, HERE / "images" / f"{name}.png")
            print(f"docs/images/{name}.png")


if __name__ == "__main__":
    (HERE / "images").mkdir(exist_ok=True)
    for name in sys.argv[1:] or sorted(path.stem for path in EXAMPLES.glob("*.yaml")):
        draw(EXAMPLES / f"{name}.yaml")
