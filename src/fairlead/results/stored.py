"""A result file that is open: its variables, its state to resume from, the journal beside it while its run lasts."""

from __future__ import annotations

import contextlib
import errno
import json
import os
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .dataset import build_dataset, rows_of, shape_of
from .errors import ResultError
from .hdf5 import SIGNATURE, ImpossibleSize, NotReadable, checked, h5_file, require_possible_sizes
from .integrity import Checked, DamagedContent
from .journal import Reference, Rows
from .netcdf import JOURNAL_GROUP, RESTART_GROUP
from .required import fault_of
from .restart import Restart
from .seals import SEALS_GROUP, seal_of, seal_of_texts
from .variables import TEXT_ATTRIBUTES

if TYPE_CHECKING:
    import xarray as xr

CLASSIC_SIGNATURE = b"CDF"
IN_MEMORY = 1 << 30  # bytes up to which a result is read as a whole; of a larger one, what is asked for
AT_A_TIME = 8 << 20  # bytes of rows
KILLED = "stopped: its run was killed"

Floats = NDArray[np.float64]


class ForeignFile(ResultError):
    """A sound file, of another kind."""


class Stored:
    """An open file, whatever happens to its name meanwhile. `ResultError` says why it cannot be one."""

    def __init__(self, path: Path):
        self.path = path
        with contextlib.ExitStack() as stack:
            self._file = stack.enter_context(self._checked())
            with self._sentences():
                start = self._file.read(len(SIGNATURE)) or b""
            self._require_signature(start)
            with self._sentences():
                self._content = stack.enter_context(h5_file(self._file, path))
                self._items = dict(self._content.items())
                self._declared = self._require_possible_sizes()
            self._stack = stack.pop_all()

    def _checked(self) -> Checked:
        try:
            return checked(self.path)
        except DamagedContent as error:
            raise self._damaged() from error
        except NotReadable as error:
            raise self._not_readable(error) from error

    def close(self) -> None:
        """Let go of the file."""
        self._stack.close()

    def __enter__(self) -> Stored:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def is_current(self) -> bool:
        """Whether the name still leads to this file."""
        try:
            return os.path.samestat(os.fstat(self._file.fileno()), os.stat(self.path))
        except OSError:
            return False

    @property
    def is_sealed(self) -> bool:
        """Whether it is as a run wrote it: nobody but Fairlead seals a file."""
        return self._seals is not None

    @cached_property
    def lazy(self) -> xr.Dataset:
        """What the file itself holds, each variable read when it is asked for."""
        with self._sentences():
            dataset = self._opened()
            self._require_texts(dataset)
            fault = fault_of(dataset)
        if fault is not None:
            raise self._foreign(fault)
        texts = {name: str(dataset.attrs[name]) for name in TEXT_ATTRIBUTES if name in dataset.attrs}
        return dataset.assign_attrs(texts)

    def _opened(self) -> xr.Dataset:
        """A file that someone else made may use more of NetCDF-4 than one of ours."""
        if self._seals is not None:
            from .sealed import lazy_dataset

            return lazy_dataset(self._content, self._items)
        import h5netcdf
        import xarray as xr

        file = h5netcdf.File(self._content, "r", decode_vlen_strings=True)
        return xr.open_dataset(xr.backends.H5NetCDFStore(file))

    def read(self, names: tuple[str, ...], kind: str) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Attributes and variables of a file of another kind than a result, which its attribute `kind` names."""
        with self._sentences():
            dataset = self._opened()
        if str(dataset.attrs.get("kind")) != kind:
            raise ForeignFile(f"{self.path}: is no {kind}")
        self._require_texts(dataset)
        with self._sentences():
            dataset = dataset.load()
        self._require_numbers(dataset)
        return dict(dataset.attrs), {name: dataset[name].values for name in names}

    def load(self) -> xr.Dataset:
        """Everything, the journal included; FileNotFoundError when that is not there (any more)."""
        reference = self.journal
        if reference is None:
            return self._beginning()
        shape = shape_of(self.lazy)
        with Rows.opened(self.path, reference, shape.size) as rows, self._sentences():
            base = self._whole()
            pieces = [(base["time"].values, rows_of(base, shape)), *rows.blocks()]
            attrs = dict(self.lazy.attrs)
            if not rows.in_use and attrs.get("status") == "running":
                attrs["status"] = KILLED
        times, numbers = (np.concatenate(parts) for parts in zip(*pieces, strict=True))
        return build_dataset(shape, times, numbers, attrs, energy="energy_kinetic" in self.lazy)

    def load_beginning(self) -> xr.Dataset:
        """What is in the file itself, with a warning that more was recorded."""
        dataset = self._beginning()
        known = str(dataset.attrs.get("warnings", ""))
        name = self.journal.name if self.journal is not None else ""
        note = f"only the beginning: what its run recorded after this is in {name}, which is not beside the result"
        return dataset.assign_attrs(warnings=f"{known}\n{note}".lstrip(), status=KILLED)

    def _beginning(self) -> xr.Dataset:
        if self._declared > IN_MEMORY:
            self._stack.pop_all()  # stays open for as long as the Dataset lives
            return self.lazy
        return self._whole()

    def _whole(self) -> xr.Dataset:
        """All of the file, in memory and held against its hashes."""
        with self._sentences():
            dataset = self.lazy.load()
        self._require_numbers(dataset)
        return dataset

    def blocks(self, stop: int) -> Iterator[tuple[Floats, Floats]]:
        """Times and rows of the samples before ``stop``, a few at a time."""
        shape = shape_of(self.lazy)
        inside = self.lazy.sizes["time"]
        length = max(1, AT_A_TIME // (8 * shape.size))
        for start in range(0, min(stop, inside), length):
            part = self.lazy.isel(time=slice(start, min(start + length, stop, inside)))
            with self._sentences():
                times, rows = part["time"].values, rows_of(part, shape)
            yield times, rows
        reference = self.journal
        if stop > inside and reference is not None:
            with Rows.opened(self.path, reference, shape.size) as found:
                yield from found.blocks(stop)

    @cached_property
    def journal(self) -> Reference | None:
        """The journal of a run that has not ended, or was killed."""
        with self._sentences():
            if JOURNAL_GROUP not in self._content:
                return None
            attrs = dict(self._content[JOURNAL_GROUP].attrs)
            found = Reference(str(attrs["name"]), str(attrs["identity"]), int(np.asarray(attrs["samples"]).item()))
            whole = found.seal == attrs["seal"]
        if not whole:
            raise self._damaged()
        return found

    def restart(self) -> Restart:
        """The newest state to resume from; FileNotFoundError when the journal is not there (any more)."""
        with self._sentences():
            found = self._own_restart()
        if found is None:
            raise ResultError(f"{self.path}: holds no state to resume from; start the run again from its input file")
        if self.journal is None:
            return found
        with Rows.opened(self.path, self.journal, shape_of(self.lazy).size) as rows:
            return rows.restart(found.layout, found.input_hash) or found

    def own_restart(self) -> Restart | None:
        """The state in the file itself."""
        with self._sentences():
            return self._own_restart()

    def _own_restart(self) -> Restart | None:
        if RESTART_GROUP not in self._content:
            return None
        group = self._content[RESTART_GROUP]
        attrs = dict(group.attrs)
        found = Restart(
            time=float(np.asarray(attrs["time"]).item()),
            steps=int(np.asarray(attrs["steps"]).item()),
            y=np.array(group["y"][...], dtype=np.float64),
            layout=str(attrs["layout"]),
            input_hash=str(attrs["input_hash"]),
            samples=int(np.asarray(attrs["samples"]).item()),
        )
        if found.seal != attrs["seal"]:
            raise ValueError("the state is not the one that was written")
        return found

    def _require_signature(self, start: bytes) -> None:
        if not start:
            raise ResultError(f"{self.path}: the file is empty; run its input file again")
        if start.startswith(CLASSIC_SIGNATURE):
            raise self._foreign("it is in the classic NetCDF format")
        if start != SIGNATURE:
            if SIGNATURE.startswith(start):
                raise self._damaged()
            raise ResultError(f'{self.path}: is not a NetCDF file; name a result that "fairlead run" wrote')

    def _require_possible_sizes(self) -> int:
        """Bytes that the file declares."""
        own = [item for item in self._items.values() if hasattr(item, "shape")]
        groups = [item for item in self._items.values() if not hasattr(item, "shape")]
        datasets = own + [item for group in groups for item in group.values() if hasattr(item, "shape")]
        try:
            return require_possible_sizes(datasets, os.fstat(self._file.fileno()).st_size)
        except ImpossibleSize as error:
            cure = "copy it again from where it came from, or run its input file again"
            raise ResultError(f"{self.path}: {error}; {cure}") from error

    def _require_texts(self, dataset: xr.Dataset) -> None:
        seals = self._seals
        if seals is None:
            return
        variables = dataset.variables.items()
        described = ((str(name), v.dims, v.shape, v.dtype.kind, v.attrs) for name, v in variables)
        if seal_of_texts(dataset.attrs, described) != seals["texts"]:  # type: ignore[arg-type]
            raise self._damaged()

    def _require_numbers(self, dataset: xr.Dataset) -> None:
        if self._seals is None:
            return
        with self._sentences():
            known = json.loads(str(self._seals["numbers"]))
            same = {str(name): seal_of(v.values) for name, v in dataset.variables.items()} == known
        if not same:
            raise self._damaged()

    @cached_property
    def _seals(self) -> dict[str, Any] | None:
        """Hashes of what was written; None in a file that someone else made of a result."""
        with self._sentences():
            found = dict(self._content[SEALS_GROUP].attrs) if SEALS_GROUP in self._content else None
        if found is not None and not {"texts", "numbers"} <= found.keys():
            raise self._damaged()
        return found

    @contextlib.contextmanager
    def _sentences(self) -> Iterator[None]:
        try:
            yield
        except (ImportError, MemoryError, ResultError, FileNotFoundError):
            raise
        except Exception as error:  # a damaged file may fail in any way the libraries below know
            raise self._damaged() from error

    def _damaged(self) -> ResultError:
        size = os.stat(self.path).st_size if self.path.exists() else 0
        return ResultError(
            f"{self.path}: the file is damaged or was cut short ({size} bytes); "
            "copy it again from where it came from, or run its input file again"
        )

    def _not_readable(self, error: NotReadable) -> ResultError:
        if error.errno == errno.ENOENT:
            return ResultError(f'{self.path}: there is no such file; check the name, or make it with "fairlead run"')
        if error.errno == errno.EISDIR:
            return ResultError(f"{self.path}: is a folder, not a result file; name the .nc file in it")
        if error.errno == errno.EINVAL:
            return ResultError(f'{self.path}: {error.strerror}; name a result that "fairlead run" wrote')
        return ResultError(f"{self.path}: {error.strerror}")

    def _foreign(self, why: str) -> ResultError:
        return ResultError(f'{self.path}: is not a result of Fairlead ({why}); name a file that "fairlead run" wrote')
