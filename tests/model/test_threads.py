"""Parts are built at their first use, which may be that of several threads at once."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext

from fairlead.model.part import Part


def test_one_thread_at_a_time_builds_a_part(monkeypatch):
    """With pydantic's own lock, where it has one, out of the way: releases before 2.14 have none."""
    monkeypatch.setattr("pydantic.main._rebuild_lock", nullcontext(), raising=False)
    both, builds = threading.Barrier(2), []

    class Weight(Part):
        mass: float

        @classmethod
        def __get_pydantic_core_schema__(cls, source, handler):
            try:
                both.wait(0.5)
                builds.append("two at once")
            except threading.BrokenBarrierError:
                builds.append("one")
            return handler(source)

    with ThreadPoolExecutor(2) as pool:
        made = list(pool.map(lambda mass: Weight(mass=mass), (1.0, 2.0)))
    assert [weight.mass for weight in made] == [1.0, 2.0]
    assert builds == ["one"]
