"""The compiled loop over members: each on its way under inputs of its own, then seen."""

from __future__ import annotations

from typing import Any

from fairlead.algebra.compiled import Entry, entry

SIGNATURE = "run real int real int rows block ints rows reals int reals rows ints int int"
NO_NUMBER = -1
"""Status of a member whose state is no longer finite."""


class Direct:
    """A compiled entry as an argument of another: its address is looked up once, and not in every call, which would
    take longer than the steps of a small system."""

    def __init__(self, run: Entry, driver: Any) -> None:
        """run  the entry, for a compiled driver whose first argument it is."""
        self._numba_type_ = driver.signatures[0][0]
        self._run, self._address = run, run.address(self._numba_type_.signature)  # the entry keeps the code alive

    def __wrapper_address__(self) -> int:
        return self._address


@entry
def march(run, t, n, h, parts, y, u, ints, reals, work, kind, copy, out, status, first, last):
    """n steps of h [s] from t [s] of the members from `first` up to `last`, each in `parts`; then one observation.

    run     the formulation's entry (see `KernelCompiled`)
    y       (member, state), in place; reals (member, constant)
    u       (step or 1, member or 1, input): under which each step is taken, or all of them
    out     (member, number), or without columns where nothing is to be seen
    status  (member,): of each; members with another than 0 are left alone
    """
    nothing, calls = out[0, :0], u.shape[0]
    each = n // calls
    for m in range(first, last):
        own = m if u.shape[1] > 1 else 0
        for k in range(calls if n > 0 else 0):
            if status[m] == 0:
                then, steps = t + k * each * h, each * parts
                status[m] = run(then, y[m], steps, h / parts, u[k, own], ints, reals[m], work, kind, copy, nothing)
        for i in range(y.shape[1]):
            if not (abs(y[m, i]) < 1e300) and status[m] == 0:
                status[m] = NO_NUMBER
        if status[m] == 0 and out.shape[1] > 0:
            run(t + n * h, y[m], 0, h / parts, u[calls - 1, own], ints, reals[m], work, kind, copy, out[m])
    return 0
