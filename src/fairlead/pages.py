"""A page of HTML that a notebook shows, a browser opens and a file keeps."""

from __future__ import annotations

import os
import sys
from pathlib import Path


class Page:
    """text  of the page, complete in itself; height: of its frame in a notebook, in pixels."""

    def __init__(self, text: str, height: int):
        self.text = text
        self.height = height
        self.path: Path | None = None

    def save(self, path: str | Path) -> Path:
        """Write the page, as HTML, or as PDF (printed by Chromium) by its name; returns the path."""
        path = Path(path)
        if path.suffix.lower() == ".pdf":
            from fairlead.view.report import print_pdf

            print_pdf(self.text, path)
        else:
            path.write_text(self.text, encoding="utf-8")
        self.path = path
        return path

    def to(self, path: str | Path | None) -> Page:
        """Written to a path; without one left to the notebook, or opened in the browser where there is a display."""
        if path is not None:
            self.save(path)
        elif not in_notebook() and has_display():
            self.open()
        return self

    def open(self) -> bool:
        """Open the page in a browser, from a file of its own unless it was saved; False where there is none."""
        import tempfile
        import webbrowser

        if self.path is None or self.path.suffix.lower() == ".pdf":
            self.save(Path(tempfile.mkdtemp(prefix="fairlead_")) / "page.html")
        assert self.path is not None
        return webbrowser.open(self.path.resolve().as_uri())

    def __repr__(self) -> str:
        where = f"in {self.path}" if self.path else "not saved; .save(path) keeps it, .open() shows it in a browser"
        return f"<page of {len(self.text) / 1e6:.2g} MB, {where}>"

    def _repr_html_(self) -> str:
        """A frame that holds the whole page: nothing of the notebook around it reaches in, nor the page out."""
        import html

        style = f"width: 100%; height: {self.height}px; border: 0"
        return f'<iframe srcdoc="{html.escape(self.text)}" style="{style}" allowfullscreen></iframe>'


def has_display() -> bool:
    """Whether a window could be shown."""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def in_notebook() -> bool:
    """Whether the kernel of a notebook runs this process; IPython is not loaded to find out."""
    shell = sys.modules.get("IPython")
    return shell is not None and hasattr(shell.get_ipython(), "kernel")
