"""Segments of a recording as one result file."""

from __future__ import annotations

from pathlib import Path

from fairlead.results import Recorder, ResultError, open_result, rows_of, shape_of

from .segments import PATTERN


def join(folder: Path, output: Path) -> int:
    """Write all segments in a folder, one after the other, as one result; how many samples it has.

    Of a time that two segments have (a twin that was killed and went on) the earlier one counts. `ResultError` where
    there are none, or where they are of different systems.
    """
    files = sorted(folder.glob(PATTERN))
    if not files:
        raise ResultError(f"{folder}: holds no recording of a live twin ({PATTERN})")
    recorder: Recorder | None = None
    for file in files:
        part = open_result(file)
        shape = shape_of(part)
        if recorder is None:
            recorder = Recorder(output, shape, dict(part.attrs), energy=False)
        elif recorder.shape != shape:
            raise ResultError(f"{file}: is of another system than {files[0].name}; join those of one twin")
        for time, row in zip(part["time"].values, rows_of(part, shape), strict=True):
            if time > recorder.last_time:
                recorder.append(float(time), row)
        recorder.flush()
    assert recorder is not None
    recorder.close()
    return recorder.samples
