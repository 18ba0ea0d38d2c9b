"""MoorDyn's Python module, moved by Fairlead: `import fairlead.compat.moordyn as moordyn`.

    system = moordyn.Create("Mooring/lines.txt")
    moordyn.Init(system, x, v)
    f = moordyn.Step(system, x, v, t, dt)
    moordyn.Close(system)

Names, order of x, units, signs and errors are MoorDyn's; `docs/moordyn_files.md` says what is other and what is more.
"""

from . import generator as Generator  # noqa: F401
from .calls import *  # noqa: F403
from .constants import *  # noqa: F403
from .instance import MoorDyn as MoorDyn
from .not_there import refusing as __getattr__  # noqa: F401
