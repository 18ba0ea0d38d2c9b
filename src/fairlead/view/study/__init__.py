"""The page of a study: results against what varies, parallel coordinates, distributions, and the way to replays."""

from .page import study_page

__all__ = ["study_page"]
