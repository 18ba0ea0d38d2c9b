"""Native FMUs: a compiled system as a shared library that any co-simulation tool can run, with no Python inside.

    from fairlead.cosim import fmu

    fmu.export("examples/sinking_cables.yaml", "sinking.fmu", outputs=["left.force_start", "tension_max"])

How it is made: the formulation's entry kernel as numba compiles it (`kernel`), the compiled system as C arrays
(`source`), a fixed C library that serves FMI 2.0 and 3.0 (`native/`), linked for each target (`link`), and the model
description (`description`).
"""

from __future__ import annotations

from .errors import FmuError
from .kernel import TARGETS
from .packing import Exported, default_outputs, export

__all__ = ["TARGETS", "Exported", "FmuError", "default_outputs", "export"]
