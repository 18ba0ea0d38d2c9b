"""What a run needs to continue exactly where it was."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from .errors import ResultError


@dataclass(frozen=True)
class Restart:
    """The state of a run at one of its samples.

    time        simulated time, s
    steps       time steps taken since the start
    y           the whole state vector of the formulation, (state,)
    layout      fingerprint of the layout of ``y``
    input_hash  fingerprint of the input text the run was started with
    samples     how many observations had been recorded (the recorder fills this in)
    """

    time: float
    steps: int
    y: NDArray[np.float64] = field(repr=False)
    layout: str = ""
    input_hash: str = ""
    samples: int = 0

    @property
    def seal(self) -> str:
        """Hash of everything in it (SHA-256, hexadecimal)."""
        import hashlib

        head = f"{float(self.time).hex()} {self.steps} {self.samples}\n{self.layout}\n{self.input_hash}\n"
        y = np.ascontiguousarray(self.y, dtype="<f8").tobytes()
        return hashlib.sha256(head.encode("utf-8", "surrogatepass") + y).hexdigest()

    def require(self, *, layout: str, input_hash: str, path: str) -> None:
        """Refuse to continue a run with a state that belongs to another system, program version or input."""
        if self.input_hash != input_hash:
            raise ResultError(
                f"{path}: cannot resume, the input differs from the one this run was started with; "
                "restore the input file (its text is in the result as 'input_file') or start a new run"
            )
        if self.layout != layout:
            raise ResultError(
                f"{path}: cannot resume, the state was written with another layout (formulation or version of the "
                "program); resume with the version named in the result as 'fairlead_version' or start a new run"
            )


def fingerprint(text: str) -> str:
    """A short text that two different inputs practically never share (SHA-256, hexadecimal)."""
    import hashlib  # here, because it loads OpenSSL

    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
