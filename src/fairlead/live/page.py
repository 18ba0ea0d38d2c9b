"""The live page: the scene of the replay, fed by a socket, with what a watch-keeper needs around it."""

from __future__ import annotations

import json
import re
from functools import cached_property
from importlib import resources
from importlib.resources.abc import Traversable

from fairlead.view.replay.page import MODULES, VENDORED

OWN = ("liverun", "connection", "watch", "sandbox", "live")
STYLES = ("style.css", "live.css")
KINDS = {".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8"}


class Page:
    """The text of the page and of its parts, by the names under which it asks for them; all come from here."""

    @cached_property
    def _files(self) -> dict[str, Traversable]:
        replay, own = resources.files("fairlead.view.replay") / "page", resources.files("fairlead.live") / "page"
        vendor = resources.files("fairlead.view") / "vendor"
        found = {f"{name}.js": replay / f"{name}.js" for name in MODULES}
        found |= {f"{name}.js": own / f"{name}.js" for name in OWN}
        found |= {file: vendor / file for file in VENDORED.values()}
        return found | {"style.css": replay / "style.css", "live.css": own / "live.css"}

    @cached_property
    def modules(self) -> str:
        """The import map that stands in the page."""
        found = {name: f"/page/{file}" for name, file in VENDORED.items()}
        found |= {f"fairlead/{name}.js": f"/page/{name}.js" for name in (*MODULES, *OWN)}
        return json.dumps({"imports": found})

    @property
    def scripts(self) -> tuple[str, ...]:
        """Texts that a browser may run though they stand in the page itself."""
        return (self.modules,)

    @cached_property
    def html(self) -> str:
        """The page."""
        replay = (resources.files("fairlead.view.replay") / "page" / "page.html").read_text(encoding="utf-8")
        stage = re.search(r"<body>\n(.*?)<script", replay, re.DOTALL)
        assert stage is not None
        own = (resources.files("fairlead.live") / "page" / "live.html").read_text(encoding="utf-8")
        return own.replace("@STAGE@", stage[1]).replace("@MODULES@", self.modules)

    def part(self, name: str) -> tuple[str, str] | None:
        """Text and kind of a part; None where there is none of this name."""
        found = self._files.get(name)
        if found is None:
            return None
        return found.read_text(encoding="utf-8"), KINDS[name[name.rindex(".") :]]
