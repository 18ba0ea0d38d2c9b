"""Replay in 3D: results as one page that any browser opens, without a network."""

from .opening import open_results
from .page import replay_page

__all__ = ["open_results", "replay_page"]
