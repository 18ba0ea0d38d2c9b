"""The journal of a run: what was appended is read back, what was cut short is not, what was damaged is told."""

from __future__ import annotations

import os
from dataclasses import replace

import numpy as np
import pytest

from fairlead.results.errors import ResultError
from fairlead.results.journal import Journal, Rows
from fairlead.results.restart import Restart
from fairlead.results.seals import seal_of, seal_of_texts

COLUMNS, STATE, BEFORE = 4, 5, 3


def samples(first, count):
    """Times and rows of samples, each with its number in it."""
    times = 0.5 * np.arange(first, first + count)
    return times, times[:, None] + 0.01 * np.arange(COLUMNS)


def state(after, time):
    return Restart(time, 10 * after, np.arange(STATE) + time, samples=after)


@pytest.fixture
def journal(tmp_path):
    """A journal with two blocks, of two and of three samples, and a state after each."""
    made = Journal(tmp_path / "run.nc", COLUMNS, STATE, BEFORE)
    made.append(*samples(3, 2), state(5, 2.0))
    made.append(*samples(5, 3), state(8, 3.5))
    yield made
    made.close()


def read(journal, **changes):
    """Times, rows and the newest state of a journal, as a reader finds them."""
    with Rows.opened(journal.path.with_name("run.nc"), replace(journal.reference, **changes), COLUMNS) as rows:
        blocks = list(rows.blocks())
        times, tables = (np.concatenate([block[k] for block in blocks]) for k in range(2)) if blocks else ([], [])
        return times, tables, rows.restart("", "")


def damage(journal, place, content):
    descriptor = os.open(journal.path, os.O_WRONLY)
    os.pwrite(descriptor, content, place)
    os.close(descriptor)


def test_all_that_was_appended_is_read_back_and_the_newest_state(journal):
    times, rows, restart = read(journal)
    asked = samples(3, 5)
    assert np.array_equal(times, asked[0])
    assert np.array_equal(rows, asked[1])
    assert (restart.samples, restart.time, restart.steps) == (8, 3.5, 80)
    assert np.array_equal(restart.y, np.arange(STATE) + 3.5)
    assert np.array_equal(np.concatenate([block[0] for block in journal.blocks()]), asked[0])
    assert journal.samples == 5


def test_states_take_turns_so_that_one_is_always_whole(journal):
    """A write of a third state that was cut short leaves the second, wherever it goes."""
    journal.append(*samples(8, 1), state(9, 4.0))
    content = journal.path.read_bytes()
    for time in (3.5, 4.0):
        place = content.index((np.arange(STATE) + time).tobytes())
        damage(journal, place, b"\x01")
        assert read(journal)[2].time == 7.5 - time, "the other one"
        damage(journal, place, content[place : place + 1])
    assert read(journal)[2].time == 4.0


def test_a_block_that_was_cut_short_by_a_kill_is_not_read(journal):
    """No state counts it yet: rows come first on the disk."""
    journal.append(*samples(8, 2), None)
    size = journal.path.stat().st_size
    for cut in (1, 40, 60, 120):
        os.truncate(journal.path, size - cut)
        assert np.array_equal(read(journal)[0], samples(3, 5)[0])


def test_rows_that_a_state_counts_and_that_are_not_there_are_told(journal):
    size = journal.path.stat().st_size
    os.truncate(journal.path, size - 8)
    with pytest.raises(ResultError, match=r"what its run recorded last, in .* is damaged; copy both files again"):
        read(journal)


def test_a_block_of_another_place_is_no_block_of_this_one(journal):
    """The first block written again behind the last, whole and sealed, is not read as what follows."""
    content = journal.path.read_bytes()
    one = 16 + 8 * 2 * (1 + COLUMNS) + 32
    two = 16 + 8 * 3 * (1 + COLUMNS) + 32
    first = len(content) - one - two
    damage(journal, len(content), content[first : first + one])
    assert np.array_equal(read(journal)[0], samples(3, 5)[0])


def test_the_journal_of_another_run_is_refused(journal):
    with pytest.raises(ResultError, match="damaged"):
        read(journal, identity="00" * 16)
    with pytest.raises(ResultError, match="cannot be one of its own"):
        read(journal, name="../" + journal.reference.name)


def test_a_writing_that_failed_may_be_tried_again(journal, monkeypatch):
    """A full disk for a moment: nothing is counted, and the same samples are there once after the next try."""
    from fairlead.results import journal as module

    with monkeypatch.context() as patched:
        patched.setattr(module, "write_at", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device")))
        with pytest.raises(ResultError, match=r"run\.nc"):
            journal.append(*samples(8, 2), state(10, 4.5))
    assert journal.samples == 5
    assert np.array_equal(read(journal)[0], samples(3, 5)[0])
    journal.append(*samples(8, 2), state(10, 4.5))
    assert np.array_equal(read(journal)[0], samples(3, 7)[0])
    assert read(journal)[2].time == 4.5


def test_rows_are_on_the_disk_before_the_state_that_counts_them(journal, monkeypatch):
    from fairlead.results import journal as module

    done, write_at, fsync = [], module.write_at, os.fsync
    monkeypatch.setattr(module, "write_at", lambda *what: (done.append(("write", what[2])), write_at(*what)))
    monkeypatch.setattr(os, "fsync", lambda descriptor: (done.append(("on disk", None)), fsync(descriptor)))
    end = journal.path.stat().st_size
    journal.append(*samples(8, 2), state(10, 4.5))
    (rows, place), (safe, _), (later, head), (last, _) = done
    assert (rows, safe, later, last) == ("write", "on disk", "write", "on disk")
    assert place == end > head, "the rows first"


def test_samples_beyond_those_asked_for_are_left_out(journal):
    rows = Rows(os.open(journal.path, os.O_RDONLY), journal.reference, COLUMNS, journal.path)
    assert [len(times) for times, _ in rows.blocks(7)] == [2, 2]
    with pytest.raises(ResultError, match="damaged"):
        list(rows.blocks(9))


def test_a_seal_tells_numbers_texts_and_shapes_apart_and_no_two_kinds_of_nan():
    """Any NaN may come back as any other; 1.0 and the next number, two texts and one, may not."""
    other_nan = np.array([0x7FF8000000000001], dtype=np.uint64).view(np.float64)
    assert seal_of(np.array([np.nan])) == seal_of(other_nan)
    assert seal_of(np.array([1.0])) != seal_of(np.array([np.nextafter(1.0, 2.0)]))
    assert seal_of(np.array(["a", "bc"], dtype=object)) != seal_of(np.array(["ab", "c"], dtype=object))
    assert seal_of(np.array([1.0]).astype(">f8")) == seal_of(np.array([1.0]))

    def texts(shape=(2, 3), units="m", value=1.0, kind="f"):
        return seal_of_texts({"step": value}, [("x", ("a", "b"), shape, kind, {"units": units})])

    different = {texts(), texts((3, 2)), texts(units="N"), texts(value=np.nextafter(1.0, 2.0)), texts(kind="i")}
    assert len(different) == 5
    assert texts(value=np.float64(1.0)) == texts()
    assert texts(kind="O") == texts(kind="U"), "texts are texts, however a library holds them"
