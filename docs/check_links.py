"""Every link of the built pages and of the texts beside the README leads somewhere. `make docs` runs it.

Links inside the documentation are followed, anchors included; those to other places are checked for their form and
must stand on the list below, so that a slip of the pen is seen without a network.

    python docs/check_links.py [FOLDER]        default: docs/_build/html
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).resolve().parents[1]
TEXTS = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")
ELSEWHERE = (
    "https://github.com/pradyunsg/furo",  # the theme, in the foot of every page
    "https://distributed.dask.org",
    "https://jobqueue.dask.org",
    "https://kubernetes.dask.org",
    "https://doi.org/10.1016/S1369-9350(00)00002-X",  # sources of the catalogue
    "https://github.com/dankelley/mooring",
    "https://github.com/tallakt/TRPTSim",
    "https://waves-vagues.dfo-mpo.gc.ca/Library/112322.pdf",
)
"""How links to other places begin."""


@dataclass
class Page(HTMLParser):
    """Links and anchors of a page."""

    links: list[str] = field(default_factory=list)
    anchors: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Called by the parser."""
        for name, value in attrs:
            if value and name in ("href", "src") and tag != "base":
                self.links.append(value)
            elif value and (name == "id" or (name == "name" and tag == "a")):
                self.anchors.add(value)


def read(path: Path) -> Page:
    """The links and anchors of a page."""
    page = Page()
    page.feed(path.read_text(encoding="utf-8"))
    return page


def broken(folder: Path) -> Iterator[str]:
    """What is wrong with the links of the pages in a folder, one sentence each."""
    pages = {path.resolve(): read(path) for path in sorted(folder.rglob("*.html"))}
    for path, page in pages.items():
        where = path.relative_to(folder.resolve())
        for link in dict.fromkeys(page.links):
            trouble = _elsewhere(link) if "://" in link else _inside(link, path, pages)
            if trouble:
                yield f"{where}: {link}: {trouble}"


def _elsewhere(link: str) -> str:
    parts = urlsplit(link)
    if (
        parts.scheme != "https"
        or not re.fullmatch(r"[a-z0-9-]+(\.[a-z0-9-]+)+", parts.netloc)
        or re.search(r"\s", link)
    ):
        return "is no address of the form https://host/path"
    if not link.startswith(ELSEWHERE):
        return "is not on the list in docs/check_links.py"
    return ""


def _inside(link: str, path: Path, pages: dict[Path, Page]) -> str:
    if link.startswith(("data:", "javascript:")):
        return ""
    parts = urlsplit(link)
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if not target.exists():
        return "there is no such file"
    anchor = unquote(parts.fragment)
    if anchor and target in pages and anchor not in pages[target].anchors:
        return f"{target.name} has no anchor {anchor}"
    return ""


def broken_in_texts() -> Iterator[str]:
    """What is wrong with the links of the README and its neighbours."""
    for name in TEXTS:
        for link in re.findall(r"\]\(([^)\s]+)\)", (ROOT / name).read_text(encoding="utf-8")):
            trouble = _elsewhere(link) if "://" in link else ""
            if "://" not in link and not (ROOT / link.partition("#")[0]).exists():
                trouble = "there is no such file"
            if trouble:
                yield f"{name}: {link}: {trouble}"


def main() -> None:
    """Print what is wrong, and fail when anything is."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "_build" / "html"
    found = [*broken(folder), *broken_in_texts()]
    for line in found:
        print(line, file=sys.stderr)
    if found:
        sys.exit(f"{len(found)} links lead nowhere")


if __name__ == "__main__":
    main()
