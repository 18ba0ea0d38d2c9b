"""What the axes of a study are called: words instead of the paths of the file and the keys of the statistics."""

from __future__ import annotations

import re

_NAMED = ("types", "points", "bodies", "cables", "joints", "loads")
"""Parts of a file whose entries have names of their own."""
_STATISTICS = {"mean": "mean", "max": "largest", "min": "least", "std": "standard deviation of"}
LOST = "cables"
"""The key of a study that says which cable is lost."""


def spoken(name: str, varied: bool, long_name: str = "") -> str:
    """`environment.waves.significant_height` as "significant height of waves", `west.tension@buoy.max` as "west:
    largest tension at buoy"; what is neither, in its long name or as it is written.

    varied  whether it is a path of the file, and not a statistic of a channel
    """
    if varied:
        return _of_path(name)
    channel, _, statistic = name.rpartition(".")
    thing, _, quantity = channel.rpartition(".")
    if statistic in _STATISTICS and thing:
        quantity, _, place = quantity.partition("@")
        return f"{thing}: {_STATISTICS[statistic]} {_plain(quantity)}" + (f" at {place}" if place else "")
    found = re.match(r"(.+?)\.\w+(?:@[\w-]+)?\.", name)
    return f"{found[1]}: {long_name}" if found and long_name else name


def _of_path(path: str) -> str:
    if path == LOST:
        return "lost cable"
    path, axis = re.sub(r"\[([012])\]$", "", path), re.search(r"\[([012])\]$", path)
    *owners, last = path.split(".")
    if owners and owners[0] in _NAMED:
        owner, keys = ".".join(owners[1:2]), [*owners[2:], last]
    else:
        owner, keys = owners[-1] if len(owners) > 1 else "", [last]
    words = " ".join(map(_plain, keys)) + (f" {'xyz'[int(axis[1])]}" if axis else "")
    return f"{words} of {_plain(owner)}" if owner and keys != [owner] else words


def _plain(key: str) -> str:
    """A key as words: `peak_period`, `current[0]` as "peak period", "current 1"."""
    return re.sub(r"\[(\d+)\]", lambda index: f" {int(index[1]) + 1}", key).replace("_", " ")
