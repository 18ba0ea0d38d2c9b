"""What an FMU of the system shows to the tools that run it."""

from collections.abc import Iterator
from typing import Annotated

from pydantic import Field

from fairlead.model.part import Part
from fairlead.model.problems import Mistake
from fairlead.model.values import Quantity, Text


class FmuChoice(Part):
    """Inputs, outputs and parameters of an FMU by name. Lists left out stand for all that is useful."""

    inputs: tuple[Text, ...] | None = Field(
        default=None, description="inputs such as `B.position`; all when left out. Others follow the file"
    )
    outputs: tuple[Text, ...] | None = Field(
        default=None,
        description="outputs such as `left.force_end` or `M.position`; end forces, points and the largest tension "
        "when left out",
    )
    parameters: tuple[Text, ...] | None = Field(
        default=None,
        description="values of this file that may be set before the run, by their path: `environment.water_density`; "
        "all that have an effect when left out",
    )
    communication_step: Annotated[float, Quantity("s", above=0)] | None = Field(
        default=None, description="step suggested to the host; `output_every` when left out"
    )

    def relations(self) -> Iterator[Mistake]:
        for name in ("inputs", "outputs", "parameters"):
            names = getattr(self, name) or ()
            for index, item in enumerate(names):
                if item in names[:index]:
                    yield Mistake((name, index), f"'{item}' is named twice", "name it once")
