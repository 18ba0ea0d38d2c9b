"""All figures by name: drawing them and writing them to files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fairlead.results import ResultError

from .energy import energy
from .geometry import geometry
from .style import in_house_style
from .tension import tension_along, tension_history

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure

KINDS: dict[str, Callable[..., Figure]] = {
    "geometry": geometry,
    "tension_history": tension_history,
    "tension_along": tension_along,
    "energy": energy,
}
SUFFIXES = (".png", ".svg", ".pdf")


def figures(dataset: xr.Dataset, kinds: Sequence[str] | None = None) -> dict[str, Figure]:
    """Draw figures of a result by name; without ``kinds`` every one that the result has the data for."""
    return {kind: KINDS[kind](dataset) for kind in _chosen(dataset, kinds)}


def save_all(
    dataset: xr.Dataset,
    folder: str | Path,
    kinds: Sequence[str] | None = None,
    suffix: str = ".png",
    stem: str = "",
) -> dict[str, Path]:
    """Write figures to ``folder`` (made if need be) as ``<stem><kind><suffix>``; returns the file of each kind.

    ``suffix`` is .png, or .svg or .pdf for vector graphics.
    """
    suffix = suffix if suffix.startswith(".") else f".{suffix}"
    if suffix.lower() not in SUFFIXES:
        raise ResultError(f"cannot write pictures as {suffix!r}; choose one of {', '.join(SUFFIXES)}")
    chosen = _chosen(dataset, kinds)
    folder = Path(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ResultError(f"{folder}: cannot make this folder ({error.strerror}); choose another with -o") from error
    return {kind: save(KINDS[kind](dataset), folder / f"{stem}{kind}{suffix}") for kind in chosen}


@in_house_style
def save(figure: Figure, path: str | Path) -> Path:
    """Write one figure; its file carries no date, so that the same result always gives the same file."""
    path = Path(path)
    dated = {".svg": {"Date": None}, ".pdf": {"CreationDate": None, "ModDate": None}}
    try:
        figure.savefig(path, metadata=dated.get(path.suffix.lower()))
    except OSError as error:
        raise ResultError(f"{path}: cannot write the picture ({error.strerror}); choose another folder") from error
    return path


def _chosen(dataset: xr.Dataset, kinds: Sequence[str] | None) -> list[str]:
    if kinds is None:
        return [kind for kind in KINDS if kind != "energy" or "work_drag" in dataset]
    unknown = [kind for kind in kinds if kind not in KINDS]
    if unknown:
        raise ResultError(f"there is no figure called {', '.join(unknown)}; there are {', '.join(KINDS)}")
    return list(kinds)
