"""Functions of MoorDyn's module that are not carried: each is there, and says so with MoorDyn's code when called."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from .constants import ERRCODE_NON_IMPLEMENTED, MoorDynError

_WAVES = "ask `system.simulation` for waves and currents"
_BED = "ask `system.simulation` for the seabed"
_PARTS = "loads and masses of single nodes are not told apart; GetLineNodeForce and GetLineNodeTen are there"
_PRESSURE = "lines carry no pressure"
_FILES = "SaveVTK writes all at once"
_WHY = {
    **dict.fromkeys(("GetWaves", "GetWavesKin"), _WAVES),
    **dict.fromkeys(("GetSeafloor", "GetDepthAt", "GetAverageDepth", "GetMinDepth"), _BED),
    **dict.fromkeys(
        ("GetBodyM", "GetPointM", "GetRodM", "GetRodForce", "GetRodNodeVel", "GetLineNodeM", "GetLineNodeDrag",
         "GetLineNodeFroudeKrilov", "GetLineNodeSeabedForce", "GetLineNodeWeight", "GetLineNodeBendStiff"), _PARTS),
    **dict.fromkeys(("SetLinePressInt", "SetLinePressBend", "IsLinePressBend"), _PRESSURE),
    **dict.fromkeys(("SaveBodyVTK", "SaveLineVTK", "SavePointVTK", "SaveRodVTK", "UseBodyVTK"), _FILES),
}  # fmt: skip


def refusing(name: str) -> Callable[..., NoReturn]:
    """The function of that name, which says why it is not there; `AttributeError` where MoorDyn has none either."""
    if name not in _WHY:
        raise AttributeError(f"MoorDyn's module has no '{name}'")

    def refused(*_: Any, **__: Any) -> NoReturn:
        raise MoorDynError(ERRCODE_NON_IMPLEMENTED, f"{name} is not there: {_WHY[name]}")

    return refused
