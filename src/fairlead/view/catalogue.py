"""All figures by name: drawing them and writing them to files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from fairlead.results import ResultError

from .energy import energy
from .envelopes import envelopes
from .free_surface import floaters, free_surface
from .geometry import geometry
from .lift import lift
from .lifts import lifts
from .spectra import spectra
from .statistics import statistics
from .style import in_house_style
from .tension import tension_along, tension_history
from .tether import tether_links

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure

KINDS: dict[str, Callable[..., Figure]] = {
    "geometry": geometry,
    "tension_history": tension_history,
    "tension_along": tension_along,
    "envelopes": envelopes,
    "spectra": spectra,
    "statistics": statistics,
    "energy": energy,
}
LIFT = "lift"
"""A figure of results with a cable on a winch."""
OWN: dict[str, tuple[str, Callable[..., Figure]]] = {
    "tether_links": ("link_length_mean", tether_links),
    "floaters": ("surface_perturbation", floaters),
    "free_surface": ("surface_perturbation", free_surface),
}
"""Figures of one formulation's own numbers: the variable a result must hold, and the drawing."""
SUFFIXES = (".png", ".svg", ".pdf")
UNDATED: dict[str, dict[str, Any]] = {"svg": {"Date": None}, "pdf": {"CreationDate": None, "ModDate": None}}


def figures(dataset: xr.Dataset, kinds: Sequence[str] | None = None) -> dict[str, Figure]:
    """Draw figures of a result by name; without ``kinds`` every one that the result has the data for."""
    return {kind: _drawing(kind)(dataset) for kind in _chosen(dataset, kinds)}


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
    return {kind: save(_drawing(kind)(dataset), folder / f"{stem}{kind}{suffix}") for kind in chosen}


def save(figure: Figure, path: str | Path) -> Path:
    """Write one figure; its file carries no date, so that the same result always gives the same file."""
    path = Path(path)
    try:
        save_to(figure, path, path.suffix.lower().lstrip("."))
    except OSError as error:
        raise ResultError(f"{path}: cannot write the picture ({error.strerror}); choose another folder") from error
    return path


@in_house_style
def save_to(figure: Figure, target: Path | BinaryIO, form: str) -> None:
    """Write one figure to a file or a buffer, in the format png, svg or pdf."""
    figure.savefig(target, format=form or None, metadata=UNDATED.get(form))


def _drawing(kind: str) -> Callable[..., Figure]:
    if kind == LIFT:
        return lift
    return KINDS[kind] if kind in KINDS else OWN[kind][1]


def _chosen(dataset: xr.Dataset, kinds: Sequence[str] | None) -> list[str]:
    if kinds is None:
        known = KINDS if "cable" in dataset.coords else {"energy"}
        usual = [kind for kind in KINDS if kind in known and (kind != "energy" or "work_drag" in dataset)]
        usual += [LIFT] if lifts(dataset) else []
        return usual + [kind for kind, (needed, _) in OWN.items() if needed in dataset]
    unknown = [kind for kind in kinds if kind not in (*KINDS, *OWN, LIFT)]
    if unknown:
        raise ResultError(
            f"there is no figure called {', '.join(unknown)}; there are {', '.join((*KINDS, LIFT, *OWN))}"
        )
    for kind in kinds:
        if kind in OWN and OWN[kind][0] not in dataset:
            raise ResultError(f"the result has no {OWN[kind][0]}, which the figure {kind} shows")
    return list(kinds)
