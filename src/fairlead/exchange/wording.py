"""How a caller asks for another program's file to be read, in the words of the command line, of Python, of a study."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Wording:
    """What a refusal advises. partial: to go on though something is missing; turbine: to say where one stands."""

    partial: str
    turbine: str


COMMAND_LINE = Wording("--partial", "say it: --turbines {}=x,y")
PYTHON = Wording("fairlead.load(..., partial=True)", "say it: fairlead.load(..., turbines={{{}: (x, y, z)}})")
STUDY = Wording("import it with --partial and name the YAML", "import it with --turbines {}=x,y and name the YAML")
