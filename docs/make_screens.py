"""Take pictures of replay pages in headless Chromium, small enough to be committed.

`python docs/make_screens.py` runs the examples; `python docs/make_screens.py NAME=result.nc ...` uses results at hand.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from example_pages import EXAMPLES, IMAGES
from make_pictures import WIDTH
from PIL import Image

import fairlead as fl
from fairlead.view.replay import replay_page

SCREENS = {
    "sinking_cables": "#theme=light&t=900&cable=left",
    "seismic_front_end": "#theme=light&t=1200",
}
"""Examples and the state in which their page is shown."""
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--hide-scrollbars",
    "--window-size=1280,720",
    "--virtual-time-budget=8000",
)


def take(name: str, result: object, folder: Path) -> None:
    """Write the page of a result, open it and keep a picture of it."""
    browser = next((path for path in map(shutil.which, BROWSERS) if path), None)
    if browser is None:
        sys.exit("there is no Chromium on this machine; `make browser` installs Debian's")
    page, picture = folder / f"{name}.html", folder / f"{name}.png"
    page.write_text(replay_page({name: result}), encoding="utf-8")
    command = [browser, *FLAGS, f"--user-data-dir={folder}/profile", f"--screenshot={picture}"]
    subprocess.run([*command, page.as_uri() + SCREENS[name]], check=True, capture_output=True, timeout=300)
    with Image.open(picture) as shot:
        small = shot.convert("RGB").resize((WIDTH, WIDTH * shot.height // shot.width), Image.Resampling.LANCZOS)
    # gradients of water and sky have more colours than a palette; thin coloured lines want full colour resolution
    small.save(IMAGES / f"view_{name}.jpg", quality=86, subsampling=0, optimize=True)
    print(f"docs/images/view_{name}.jpg")


if __name__ == "__main__":
    at_hand = dict(argument.split("=", 1) for argument in sys.argv[1:])
    with tempfile.TemporaryDirectory() as place:
        for example in at_hand or SCREENS:
            path = at_hand.get(example)
            found = fl.open_result(path) if path else fl.simulate(EXAMPLES / f"{example}.yaml", progress=True)
            take(example, found, Path(place))
