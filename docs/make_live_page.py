"""Picture of the live page for the documentation: the twin of a tow after five minutes, with a what-if.

python docs/make_live_page.py
"""

from __future__ import annotations

import io
import sys
import time
from pathlib import Path

from PIL import Image

from fairlead.studies.twin_tow import Scenario, Sea, follow, system, twin_file
from fairlead.twin import Twin
from fairlead.twin.file import LookAhead

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests"))
from browser.chromium import Browser  # noqa: E402

WIDE, TALL, SHOWN = 1280, 800, 900
"""Of the page, and width of the picture, px."""
FROM, ASKED = 60.0, 260.0
"""Times from which on the page has trends, and at which a what-if is asked, s."""
ASK = "(f => { f.turn.value = 40; f.requestSubmit() })(document.querySelector('#sandbox form'))"


def main() -> None:
    twin = Twin(twin_file(LookAhead(horizon=300.0, every=60.0)), system())
    estimates = follow(twin, Sea(Scenario(11, duration=ASKED + 600.0)), every=1.0)
    while twin.time < FROM:
        next(estimates)
    with twin.serve(0) as page, Browser(WIDE, TALL) as browser:
        while twin.time < ASKED:
            next(estimates)
        browser.visit(page.address)
        browser.wait("document.getElementById('sandbox') && !document.getElementById('sandbox').hidden")
        browser.run(ASK)
        while not browser.run("document.body.classList.contains('asking')"):
            _ = next(estimates), time.sleep(1.0)  # a page that hears nothing says so
        for _ in range(3):
            _ = next(estimates), time.sleep(1.0)
        picture = Image.open(io.BytesIO(browser.screenshot())).convert("RGB")
    small = picture.resize((SHOWN, SHOWN * TALL // WIDE), Image.Resampling.LANCZOS)
    small.save(HERE / "images" / "live_page.webp", quality=85, method=6)


if __name__ == "__main__":
    main()
