"""Take pictures of replay pages and of the page of `fairlead demo` in headless Chromium, small enough to be committed.

`python docs/make_screens.py` runs the examples and the demo; `python docs/make_screens.py NAME=result.nc ...` uses
results at hand.
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
    "--virtual-time-budget=8000",
)


def take(name: str, address: str, folder: Path, height: int = 720) -> None:
    """Open a page and keep a picture of it."""
    browser = next((path for path in map(shutil.which, BROWSERS) if path), None)
    if browser is None:
        sys.exit("there is no Chromium on this machine; `make browser` installs Debian's")
    picture = folder / f"{name}.png"
    command = [browser, *FLAGS, f"--window-size=1280,{height}", f"--user-data-dir={folder}/profile"]
    subprocess.run([*command, f"--screenshot={picture}", address], check=True, capture_output=True, timeout=300)
    with Image.open(picture) as shot:
        small = shot.convert("RGB").resize((WIDTH, WIDTH * shot.height // shot.width), Image.Resampling.LANCZOS)
    # gradients of water and sky have more colours than a palette; thin coloured lines want full colour resolution
    small.save(IMAGES / f"view_{name}.jpg", quality=86, subsampling=0, optimize=True)
    print(f"docs/images/view_{name}.jpg")


def replay(name: str, result: object, folder: Path) -> str:
    """Write the replay page of a result; its address."""
    page = folder / f"{name}.html"
    page.write_text(replay_page({name: result}), encoding="utf-8")
    return page.as_uri() + SCREENS[name]


def demo(folder: Path) -> str:
    """Make the page of `fairlead demo`; its address."""
    command = Path(sys.executable).with_name("fairlead")
    subprocess.run([command, "demo", "--no-open"], check=True, cwd=folder)
    return (folder / "demo" / "index.html").as_uri()


if __name__ == "__main__":
    at_hand = dict(argument.split("=", 1) for argument in sys.argv[1:])
    with tempfile.TemporaryDirectory() as place:
        for example in at_hand or SCREENS:
            path = at_hand.get(example)
            found = fl.open_result(path) if path else fl.simulate(EXAMPLES / f"{example}.yaml", progress=True)
            take(example, replay(example, found, Path(place)), Path(place))
        if not at_hand:
            take("demo", demo(Path(place)), Path(place), height=950)
