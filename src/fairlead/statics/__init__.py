"""Systems at rest: static equilibrium and natural frequencies, for any formulation that can be linearised.

from fairlead.statics import natural_modes, solve

rest = solve("mooring.yaml")
rest.outputs["line.tension_effective"], rest.summary()
rest.stiffness("platform"), rest.at({"platform": (5, 0, 0)})
natural_modes(rest.compiled, rest.y, count=5).frequency
"""

from .equilibrium import settle
from .mode_results import mode_dataset
from .modes import Modes, natural_modes
from .report import Report, StaticsError
from .solution import Equilibrium, solve

__all__ = ["Equilibrium", "Modes", "Report", "StaticsError", "mode_dataset", "natural_modes", "settle", "solve"]
