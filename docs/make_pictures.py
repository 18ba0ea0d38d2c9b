"""Run the examples and studies and draw the pictures of the documentation, small enough to be committed.

`make pictures` draws all; `python docs/make_pictures.py NAME ...` those of the named examples.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image

import fairlead as fl
from fairlead.studies import compare
from fairlead.view import comparison, save, save_all

HERE = Path(__file__).resolve().parent
IMAGES = HERE / "images"
EXAMPLES = HERE.parent / "examples"
BENCHMARKS = HERE.parent / "benchmarks"
WIDTH = 1200
BESIDE_GEOMETRY = {
    "hanging_mooring": "tension_history",
    "towed_cable": "tension_along",
    "tether_15_nodes": "tether_links",
    "seismic_front_end": "tension_history",
}
"""Examples whose story the shape alone does not tell, and the picture that does."""
COMPARED = {"rov_tether": ("bars", "lumped", "links", "tether")}
"""Examples that are drawn by several formulations over one another as well."""
STUDIES = {
    "efficiency_study": {"literal_cost": "efficiency_cost", "literal_error": "efficiency_error"},
    "filtering_effect": {"literal": "filtering_effect"},
}
"""Scripts under `benchmarks/`, the pictures they leave and the names they get here."""


def shrink(source: Path, name: str) -> None:
    """Keep a smaller copy of a picture, with a palette instead of full colour."""
    with Image.open(source) as picture:
        width = min(WIDTH, picture.width)
        size = (width, round(picture.height * width / picture.width))
        small = picture.convert("RGB").resize(size, Image.Resampling.LANCZOS)
    # maximum coverage keeps the few pixels of a thin line in their own colour; a median cut would not
    palette = small.quantize(256, method=Image.Quantize.MAXCOVERAGE, kmeans=1, dither=Image.Dither.NONE)
    palette.save(IMAGES / f"{name}.png", optimize=True)
    print(f"docs/images/{name}.png")


def draw_example(name: str, folder: Path) -> None:
    """Run one example and keep its pictures."""
    result = fl.simulate(EXAMPLES / f"{name}.yaml", progress=sys.stderr.isatty())
    kinds = ["geometry", *([BESIDE_GEOMETRY[name]] if name in BESIDE_GEOMETRY else [])]
    for kind, file in save_all(result, folder, kinds).items():
        shrink(file, name if kind == "geometry" else f"{name}-{kind}")
    if name in COMPARED:
        found = compare(EXAMPLES / f"{name}.yaml", COMPARED[name])
        shrink(save(comparison(found), folder / "compare.png"), f"{name}-compare")


def draw_study(script: str, folder: Path) -> None:
    """Run one study and keep its pictures."""
    subprocess.run([sys.executable, BENCHMARKS / f"{script}.py", "-o", folder], check=True, stdout=subprocess.DEVNULL)
    for source, name in STUDIES[script].items():
        shrink(folder / f"{source}.png", name)


if __name__ == "__main__":
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        for example in sys.argv[1:] or sorted(path.stem for path in EXAMPLES.glob("*.yaml")):
            draw_example(example, Path(place))
        if not sys.argv[1:]:
            for study in STUDIES:
                draw_study(study, Path(place))
