"""A run as a folder to look through: one page with the replay, the key numbers, the pictures and what to try next."""

from .showcase import showcase

__all__ = ["showcase"]
