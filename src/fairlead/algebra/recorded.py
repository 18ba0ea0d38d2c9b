"""Numbers that remember how they were computed: from one calculation in Python to a list of operations.

A formulation computes the constants of its equations from physical properties once, in plain Python. Done with
`Recorded` numbers the same calculation leaves a `Tape`: additions, products and powers in their order, from which the
constants follow for any other values in microseconds, to the same bits, here or in C. A decision on the way (drag of
one law or another, a stiffness that is zero) is kept as a condition, and the tape refuses values that would decide
otherwise.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import numpy as np

ADD, SUBTRACT, MULTIPLY, DIVIDE, POWER, QUOTIENT, SIZE, LARGER = OPERATIONS = range(8)
"""What is done with two numbers. QUOTIENT: division that gives infinity where DIVIDE gives up; SIZE: |left|."""
LESS, AT_MOST, EQUAL = COMPARISONS = range(3)


def _recorder(a: Any, b: Any) -> Recorder | None:
    return next((one.recorder for one in (a, b) if isinstance(one, Recorded)), None)


def larger(a: Any, b: Any) -> Any:
    """The larger of two numbers, without a decision."""
    recorder = _recorder(a, b)
    return max(a, b) if recorder is None else recorder.make(LARGER, a, b)


def quotient(a: Any, b: Any) -> Any:
    """a/b, infinite where b is 0: so that stiffnesses in series, 1/Σ 1/k, need no decision where one of them is 0."""
    recorder = _recorder(a, b)
    if recorder is not None:
        return recorder.make(QUOTIENT, a, b)
    return a / b if b != 0.0 else math.inf  # of sizes, which are not negative


_DO: tuple[Callable[[Any, Any], Any], ...] = (
    operator.add, operator.sub, operator.mul, operator.truediv, operator.pow, quotient, lambda a, _: abs(a), max,
)  # fmt: skip
_HOLDS: tuple[Callable[[Any, Any], Any], ...] = (operator.lt, operator.le, operator.eq)


class Recorder:
    """Operations in the order in which they were made, each made once."""

    def __init__(self, values: Sequence[float]) -> None:
        self.values = [float(value) for value in values]
        """Of the parameters, then of constants and results as they come up."""
        self.operations: list[tuple[int, int, int, int]] = []
        """(operation, left, right, result), numbers by their places in `values`."""
        self.conditions: dict[tuple[int, int, int], bool] = {}
        """(comparison, left, right) and how it came out."""
        self._known: dict[tuple[int, int, int], int] = {}
        self._constants: dict[str, int] = {}
        self.parameters = tuple(Recorded(value, self, k) for k, value in enumerate(self.values))

    def place(self, number: Any) -> int:
        """Where a number stands, a constant being added."""
        if isinstance(number, Recorded):
            return number.place
        value = float(number)
        key = value.hex()
        if key not in self._constants:
            self._constants[key] = len(self.values)
            self.values.append(value)
        return self._constants[key]

    def make(self, operation: int, left: Any, right: Any) -> Recorded:
        key = (operation, self.place(left), self.place(right))
        if key not in self._known:
            self._known[key] = len(self.values)
            self.values.append(_DO[operation](float(left), float(right)))
            self.operations.append((*key, self._known[key]))
        place = self._known[key]
        return Recorded(self.values[place], self, place)

    def compare(self, comparison: int, left: Any, right: Any) -> bool:
        holds = bool(_HOLDS[comparison](float(left), float(right)))
        self.conditions[comparison, self.place(left), self.place(right)] = holds
        return holds


class Recorded(float):
    """A number with its place in a recorder. Whatever turns it into a plain one ends its record."""

    __slots__ = ("place", "recorder")
    recorder: Recorder
    place: int

    def __new__(cls, value: float, recorder: Recorder, place: int) -> Recorded:
        self = super().__new__(cls, value)
        self.recorder, self.place = recorder, place
        return self

    __array_ufunc__ = None  # numpy's numbers and arrays leave what they have to do with it to the methods below

    def _with(self, operation: int, left: Any, right: Any) -> Any:
        if isinstance(left, np.ndarray) or isinstance(right, np.ndarray):
            pairs = np.broadcast(np.asarray(left, dtype=object), np.asarray(right, dtype=object))
            found = np.empty(pairs.size, dtype=object)
            found[:] = [self.recorder.make(operation, one, other) for one, other in pairs]
            return found.reshape(pairs.shape)
        if not (isinstance(left, (int, float)) and isinstance(right, (int, float))):
            return NotImplemented
        return self.recorder.make(operation, left, right)

    def __add__(self, other: Any) -> Any:
        return self._with(ADD, self, other)

    def __radd__(self, other: Any) -> Any:
        return self._with(ADD, other, self)

    def __sub__(self, other: Any) -> Any:
        return self._with(SUBTRACT, self, other)

    def __rsub__(self, other: Any) -> Any:
        return self._with(SUBTRACT, other, self)

    def __mul__(self, other: Any) -> Any:
        return self._with(MULTIPLY, self, other)

    def __rmul__(self, other: Any) -> Any:
        return self._with(MULTIPLY, other, self)

    def __truediv__(self, other: Any) -> Any:
        return self._with(DIVIDE, self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return self._with(DIVIDE, other, self)

    def __pow__(self, other: Any, modulo: None = None) -> Any:
        return self._with(POWER, self, other)

    def __neg__(self) -> Any:
        return self._with(MULTIPLY, -1.0, self)

    def __pos__(self) -> Recorded:
        return self

    def __abs__(self) -> Any:
        return self._with(SIZE, self, 0.0)

    def __lt__(self, other: Any) -> bool:
        return self.recorder.compare(LESS, self, other)

    def __le__(self, other: Any) -> bool:
        return self.recorder.compare(AT_MOST, self, other)

    def __gt__(self, other: Any) -> bool:
        return self.recorder.compare(LESS, other, self)

    def __ge__(self, other: Any) -> bool:
        return self.recorder.compare(AT_MOST, other, self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, (int, float)) and self.recorder.compare(EQUAL, self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __bool__(self) -> bool:
        return not self.recorder.compare(EQUAL, self, 0.0)

    __hash__ = float.__hash__


@dataclass(frozen=True)
class Tape:
    """How constants follow from parameters p: the operations that are needed for them, and the conditions.

    values      parameters, constants and results; only the results differ from tape to tape of one calculation
    operations  (n, 4): operation, left, right and result, by their places in `values`
    conditions  (m, 4): comparison, left, right, and 1 where it holds
    places, of  which constants they are, and where in `values` each is found
    """

    parameters: int
    values: np.ndarray
    operations: np.ndarray
    conditions: np.ndarray
    places: np.ndarray
    of: np.ndarray

    @classmethod
    def made(cls, recorder: Recorder, constants: Sequence[Any]) -> Tape:
        """Of the constants that are `Recorded`, as far as they depend on parameters."""
        found = [(k, c.place) for k, c in enumerate(constants) if isinstance(c, Recorded)]
        wanted = {place for _, place in found} | {p for key in recorder.conditions for p in key[1:]}
        needed = []
        for operation in reversed(recorder.operations):
            if operation[3] in wanted:
                needed.append(operation)
                wanted |= set(operation[1:3])
        return cls(
            len(recorder.parameters),
            np.array(recorder.values),
            np.array(needed[::-1], dtype=np.int64).reshape(-1, 4),
            np.array([(*key, int(holds)) for key, holds in recorder.conditions.items()], dtype=np.int64).reshape(-1, 4),
            np.array([k for k, _ in found], dtype=np.int64),
            np.array([place for _, place in found], dtype=np.int64),
        )

    def constants(self, p: Sequence[float] | np.ndarray) -> np.ndarray | None:
        """The constants at `places` for other parameters; None where a decision would have been another."""
        player = Player(self)
        if not player.play(range(self.parameters), p):
            return None
        return np.array([player.values[k] for k in self.of])

    def depends(self, parameters: Iterable[int]) -> np.ndarray:
        """Which of `values` depend on some parameters, (values,) of bool."""
        on = np.zeros(len(self.values), dtype=bool)
        on[list(parameters)] = True
        for _, left, right, result in self.operations.tolist():
            on[result] = on[left] or on[right]
        return on


class Player:
    """A tape at present values of its parameters; what depends on a few of them is found by what they enter alone."""

    def __init__(self, tape: Tape) -> None:
        self.tape = tape
        self.values: list[float] = tape.values.tolist()
        self._parts: dict[tuple[int, ...], tuple[list[list[int]], list[list[int]], np.ndarray]] = {}

    def play(self, parameters: Iterable[int], numbers: Sequence[float] | np.ndarray) -> bool:
        """Give some parameters other values; False, and nothing is changed, where a decision would be another."""
        chosen = tuple(parameters)
        operations, conditions, _ = self._part(chosen)
        before, values = self.values, self.values.copy()
        for place, number in zip(chosen, numbers, strict=True):
            values[place] = float(number)
        try:
            for operation, left, right, result in operations:
                values[result] = _DO[operation](values[left], values[right])
        except (ArithmeticError, ValueError):
            return False
        self.values = values
        for comparison, left, right, holds in conditions:
            if _HOLDS[comparison](values[left], values[right]) != bool(holds):
                self.values = before
                return False
        return True

    def following(self, parameters: Iterable[int]) -> tuple[np.ndarray, np.ndarray]:
        """Which constants follow from some parameters, and what they are at present."""
        _, _, found = self._part(tuple(parameters))
        return self.tape.places[found], np.array([self.values[k] for k in self.tape.of[found]])

    def _part(self, chosen: tuple[int, ...]) -> tuple[list[list[int]], list[list[int]], np.ndarray]:
        if chosen not in self._parts:
            tape, on = self.tape, self.tape.depends(chosen)
            operations, conditions = tape.operations, tape.conditions
            self._parts[chosen] = (
                operations[on[operations[:, 3]]].tolist(),
                conditions[on[conditions[:, 1]] | on[conditions[:, 2]]].tolist(),
                np.flatnonzero(on[tape.of]),
            )
        return self._parts[chosen]


_kind: ContextVar[type] = ContextVar("kind", default=float)


@contextmanager
def recording() -> Iterator[None]:
    """Arrays made by `blank` and `numbers` meanwhile keep `Recorded` numbers as they are."""
    token = _kind.set(object)
    try:
        yield
    finally:
        _kind.reset(token)


def blank(size: int | tuple[int, ...]) -> np.ndarray:
    """An array of zeros for constants of the equations."""
    found: np.ndarray = np.full(size, 0.0, dtype=_kind.get())
    return found


def numbers(values: Sequence[Any]) -> np.ndarray:
    """An array of constants of the equations."""
    return np.array(values, dtype=_kind.get())
