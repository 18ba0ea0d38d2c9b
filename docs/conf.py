"""Sphinx settings. Run `make docs`."""

from __future__ import annotations

import gc
import sys
from functools import cache
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.search.en import SearchEnglish

sys.path.insert(0, str(Path(__file__).resolve().parent))

import fairlead

gc.set_threshold(100_000)  # pages stay in memory until all are written: looking for garbage took an eighth of the time
SearchEnglish.stem = cache(SearchEnglish.stem)  # the index of words asks for the same stems page by page: a tenth of it

project = "Fairlead"
author = "the Fairlead authors"
copyright = "the Fairlead authors"
version = release = fairlead.__version__

extensions = ["myst_parser", "mathml", "api_pages", "generated_pages", "example_pages"]
myst_enable_extensions = ["dollarmath", "amsmath", "deflist", "colon_fence", "attrs_inline"]
html_math_renderer = "mathml"
myst_heading_anchors = 4
exclude_patterns = ["_build"]
nitpicky = True
# types in signatures: those of other projects are not at hand without a network, and a few of ours are not public
nitpick_ignore_regex = [("py:class", ".*"), ("py:.*", r"(?!fairlead\.).*")]
default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"

html_theme = "furo"
html_title = f"Fairlead {release}"
html_static_path = ["_static"]
html_css_files = ["fairlead.css"]
html_show_sphinx = False
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#1c5d8c", "color-brand-content": "#1c5d8c"},
    "dark_css_variables": {"color-brand-primary": "#7fb8de", "color-brand-content": "#7fb8de"},
}


def setup(app: Sphinx) -> None:
    """`-t navigation_once` keeps the list of all pages to the first one: on each it is two fifths of the work."""
    if app.tags.has("navigation_once"):
        app.connect("html-page-context", leave_out_navigation, priority=400)  # before the theme makes it


def leave_out_navigation(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    """Called by Sphinx for every page."""
    if page != "index":
        context.pop("toctree", None)
