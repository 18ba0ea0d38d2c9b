"""Pereira et al. as published: azimuth, elevation and twist of each link, stepped through elevation zero."""

from .compiled_paper import CompiledPaperLinks

__all__ = ["CompiledPaperLinks"]
