"""What a run has recorded since its file was last written whole: rows that are only ever appended, each block sealed.

While a run lasts, `run.nc` holds its beginning and names a journal beside it, which takes the rest. A kill at any
moment leaves every block that was finished; what follows the last whole one is not read. The layout, little-endian:

    magic (16), identity of the run (16), columns of a row (8), size of the state (8), SHA-256 of these (32)
    two places for a state to resume from, used in turn: number of the writing, samples, time, steps (8 each), y, hash
    blocks: number of the first sample, count of samples (8 each), their times, their rows, hash

A state is written after the rows it belongs to are on the disk. So where a state counts more samples than there are
whole blocks, the journal was not cut short by a kill: it is damaged.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
import struct
import weakref
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .errors import ResultError
from .places import is_free, new_beside, remove_abandoned, write_at, write_error
from .restart import Restart

SUFFIX = "rows"
MAGIC = b"fairlead rows 1\n"
_HEADER = struct.Struct("<16s16sQQ")
_STATE = struct.Struct("<QQdq")
_BLOCK = struct.Struct("<QQ")
_HASH = hashlib.sha256().digest_size
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Reference:
    """How a result names its journal: the file's name, the identity of the run, how many samples came before."""

    name: str
    identity: str
    samples: int

    @property
    def seal(self) -> str:
        text = f"{self.name}\n{self.identity}\n{self.samples}"
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class Journal:
    """The journal of one run while it is written.

    result   the file it belongs to
    columns  numbers in a row; state: numbers in a state, 0 where none is kept
    before   samples that are in the result already
    """

    def __init__(self, result: Path, columns: int, state: int, before: int):
        self._result = result
        self._columns, self._state = columns, state
        self._writings = 0
        self.samples = 0
        identity = secrets.token_bytes(16)
        try:
            self.path, self._descriptor = new_beside(result, SUFFIX)
        except OSError as error:
            raise write_error(result, error) from error
        self._closing = weakref.finalize(self, os.close, self._descriptor)
        self.reference = Reference(self.path.name, identity.hex(), before)
        header = _HEADER.pack(MAGIC, identity, columns, state)
        try:
            write_at(self._descriptor, header + hashlib.sha256(header).digest(), 0)
        except OSError as error:
            self.remove()
            raise write_error(result, error) from error
        self._end = _first_block(state)

    def fits(self, restart: Restart | None) -> bool:
        """Whether it has room for such a state."""
        return restart is None or len(restart.y) == self._state

    def append(self, times: Floats, rows: Floats, restart: Restart | None) -> None:
        """Add samples and the state after the last of them; on failure nothing is added, and it may be tried again."""
        try:
            block = b""
            if len(times):
                block = _sealed(_BLOCK.pack(self.reference.samples + self.samples, len(times)), times, rows)
                write_at(self._descriptor, block, self._end)
                os.fsync(self._descriptor)
            if restart is not None:
                head = _STATE.pack(self._writings + 1, restart.samples, restart.time, restart.steps)
                write_at(self._descriptor, _sealed(head, restart.y), _state_place(self._state, self._writings % 2))
                os.fsync(self._descriptor)
                self._writings += 1
            self._end += len(block)
            self.samples += len(times)
        except OSError as error:
            raise write_error(self._result, error) from error

    def blocks(self) -> Iterator[tuple[Floats, Floats]]:
        """Times and rows, block by block, as they were appended."""
        found = Rows(self._descriptor, self.reference, self._columns, self._result)
        yield from found.blocks(self.reference.samples + self.samples)

    def remove(self) -> None:
        """Its rows are in the result now, or are not wanted."""
        with contextlib.suppress(OSError):
            self.path.unlink()
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self._closing()


class Rows:
    """A journal as it is read, by whoever holds a descriptor of it.

    columns  as the result says it must have; result: the file it belongs to, for messages
    """

    def __init__(self, descriptor: int, reference: Reference, columns: int, result: Path):
        self._descriptor, self._reference, self._result = descriptor, reference, result
        self._size = os.fstat(descriptor).st_size
        content = os.pread(descriptor, _HEADER.size + _HASH, 0)
        head, seal = content[: _HEADER.size], content[_HEADER.size :]
        if len(head) < _HEADER.size or hashlib.sha256(head).digest() != seal:
            raise self._damaged()
        magic, identity, self.columns, self._state = _HEADER.unpack(head)
        if magic != MAGIC or identity.hex() != reference.identity or self.columns != columns:
            raise self._damaged()
        # Rows are written before the state that counts them, and so must be looked for after it.
        self._states = self._read_states()
        self._size = os.fstat(descriptor).st_size

    @classmethod
    @contextlib.contextmanager
    def opened(cls, result: Path, reference: Reference, columns: int) -> Iterator[Rows]:
        """The journal of a result; FileNotFoundError where it is not beside it."""
        name = reference.name
        if Path(name).name != name or not name.endswith(f".{SUFFIX}"):
            raise ResultError(f"{result}: names a journal that cannot be one of its own; run its input file again")
        flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        descriptor = os.open(Path(os.path.realpath(result)).with_name(name), flags)  # beside the file itself
        try:
            yield cls(descriptor, reference, columns, result)
        finally:
            os.close(descriptor)

    @property
    def in_use(self) -> bool:
        """Whether the run that writes it still lives."""
        return not is_free(self._descriptor)

    def blocks(self, stop: int | None = None) -> Iterator[tuple[Floats, Floats]]:
        """Times and rows of every whole block up to sample `stop`; where it is given, all of these must be there."""
        last = max((restart.samples for restart in self._states), default=0) if stop is None else stop
        place, sample = _first_block(self._state), self._reference.samples
        while stop is None or sample < stop:
            found = self._block(place, sample)
            if found is None:
                break
            times, rows, place = found
            sample += len(times)
            if stop is not None and sample > stop:
                times, rows = times[: stop - sample], rows[: stop - sample]
            yield times, rows
        if sample < last:
            raise self._damaged()

    def restart(self, layout: str, input_hash: str) -> Restart | None:
        """The newest state in it; None where there is none yet."""
        if not self._states:
            return None
        newest = self._states[-1]
        return Restart(newest.time, newest.steps, newest.y, layout, input_hash, newest.samples)

    def _read_states(self) -> list[Restart]:
        """The whole states, oldest first."""
        found = []
        size = _STATE.size + 8 * self._state + _HASH
        for which in range(2 if size <= self._size else 0):
            content = os.pread(self._descriptor, size, _state_place(self._state, which))
            if len(content) < size or hashlib.sha256(content[:-_HASH]).digest() != content[-_HASH:]:
                continue
            number, samples, time, steps = _STATE.unpack_from(content)
            y = np.frombuffer(content, dtype="<f8", count=self._state, offset=_STATE.size)
            if number > 0:
                found.append((number, Restart(time, steps, y.astype(np.float64), samples=samples)))
        return [restart for _, restart in sorted(found, key=lambda pair: pair[0])]

    def _block(self, place: int, sample: int) -> tuple[Floats, Floats, int] | None:
        head = os.pread(self._descriptor, _BLOCK.size, place) if place < self._size else b""
        if len(head) < _BLOCK.size:
            return None
        first, count = _BLOCK.unpack(head)
        size = 8 * count * (1 + self.columns)
        if first != sample or count == 0 or place + _BLOCK.size + size + _HASH > self._size:
            return None
        content = os.pread(self._descriptor, size + _HASH, place + _BLOCK.size)
        if len(content) < size + _HASH or hashlib.sha256(head + content[:-_HASH]).digest() != content[-_HASH:]:
            return None
        numbers = np.frombuffer(content, dtype="<f8", count=count * (1 + self.columns)).astype(np.float64)
        return numbers[:count], numbers[count:].reshape(count, self.columns), place + _BLOCK.size + size + _HASH

    def _damaged(self) -> ResultError:
        return ResultError(
            f"{self._result}: what its run recorded last, in {self._reference.name}, is damaged; copy both files again "
            "from where they came from, or run the input file again"
        )


def clear_journals(result: Path) -> None:
    """Remove the journals of killed runs whose result has been replaced."""
    remove_abandoned(result, SUFFIX)


def _sealed(head: bytes, *numbers: Floats) -> bytes:
    content = head + b"".join(np.ascontiguousarray(part, dtype="<f8").tobytes() for part in numbers)
    return content + hashlib.sha256(content).digest()


def _state_place(state: int, which: int) -> int:
    return _HEADER.size + _HASH + which * (_STATE.size + 8 * state + _HASH)


def _first_block(state: int) -> int:
    return _state_place(state, 2)
