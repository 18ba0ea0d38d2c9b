"""Settings of the `reduced` formulation."""

from pydantic import Field

from fairlead.model.part import Part


class ReducedSettings(Part):
    """Settings of the `reduced` formulation."""

    model: str | None = Field(
        default=None,
        description="file of the reduced model, as `fairlead reduce` writes it; beside the file that names it, or here",
    )
