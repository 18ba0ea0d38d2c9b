"""Systems at rest: static equilibrium and natural frequencies, for any formulation that can be linearised.

from fairlead.statics import natural_modes, solve

rest = solve("mooring.yaml")
rest.outputs["line.tension_effective"], rest.summary()
rest.stiffness("platform"), rest.at({"platform": (5, 0, 0)})
natural_modes(rest.compiled, rest.y, count=5).frequency

Modes come with scipy, and are fetched when they are first asked for: a run that begins at rest needs none.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .equilibrium import settle
from .report import Report, StaticsError

if TYPE_CHECKING:
    from .mode_results import mode_dataset
    from .modes import Modes, natural_modes
    from .solution import Equilibrium, solve

__all__ = ["Equilibrium", "Modes", "Report", "StaticsError", "mode_dataset", "natural_modes", "settle", "solve"]

_MODULE_OF = {
    "Equilibrium": "solution", "solve": "solution", "Modes": "modes", "natural_modes": "modes",
    "mode_dataset": "mode_results",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'fairlead.statics' has no '{name}'")
    return getattr(import_module(f".{_MODULE_OF[name]}", __name__), name)
