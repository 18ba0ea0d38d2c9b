"""A page as PDF, printed by a browser."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import tempfile
from pathlib import Path

from fairlead.results import ResultError

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge")
PATIENCE = 120  # s


def print_pdf(page: str, path: str | Path) -> Path:
    """Write the text of an HTML page as a PDF; a browser of the Chromium kind prints it, without a window."""
    path = Path(path)
    browser = next((found for found in map(shutil.which, BROWSERS) if found), None)
    if browser is None:
        raise ResultError(
            f"{path}: writing PDF needs Chromium or Chrome, which is not here; install one, or name the report .html "
            "and print it from any browser"
        )
    if not path.parent.is_dir():
        raise ResultError(f"{path}: there is no folder {path.parent}; create it or choose another with -o")
    with tempfile.TemporaryDirectory() as folder:
        source, printed = Path(folder) / "report.html", Path(folder) / "report.pdf"
        source.write_text(page, encoding="utf-8")
        command = [browser, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        command += [f"--user-data-dir={folder}/profile", "--no-pdf-header-footer", f"--print-to-pdf={printed}"]
        with contextlib.suppress(subprocess.TimeoutExpired):
            subprocess.run([*command, source.as_uri()], capture_output=True, timeout=PATIENCE, check=False)
        if not printed.is_file():
            raise ResultError(
                f"{path}: {Path(browser).name} printed nothing; name the report .html and print it yourself"
            )
        try:
            shutil.copyfile(printed, path)
        except OSError as error:
            raise ResultError(f"{path}: cannot be written ({error.strerror}); choose another with -o") from error
    return path
