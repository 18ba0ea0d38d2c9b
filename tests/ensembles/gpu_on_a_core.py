"""A GPU that is none: the arrays of one, in its order, and members or packs of a core in place of its threads."""

from __future__ import annotations

import numpy as np

from fairlead.algebra.lanes import WIDTH
from fairlead.algebra.packs import pack_array
from fairlead.ensembles.gpu import GROUP
from fairlead.ensembles.streaming import fold


class GpuOnACore:
    """What `fairlead.ensembles.gpu.Gpu` does, by the same kernels compiled for a core."""

    name, free = "a core", 10**9

    def __init__(self):
        self.launches = 0

    def put(self, array):
        return np.array(array)

    def spread(self, row, members):
        return np.repeat(np.tile(row, (members // GROUP, 1))[:, :, None], GROUP, axis=2).reshape(-1)

    def full(self, shape, value):
        return np.full(shape, value)

    def fetch(self, array):
        return np.array(array)

    def watch(self, them, t, n, h, every, asked, home, out):
        (self._by_packs if them.compiled.lone is None else self._one_by_one)(them, t, n, h, every, asked, home, out)
        self.launches += 1

    def _one_by_one(self, them, t, n, h, every, asked, home, out):
        compiled = them.compiled
        ints, shared, own, y, work, u, status = them.arrays
        for k in range(them.members):
            at = np.s_[k // GROUP, :, k % GROUP]
            reals = shared[: compiled.reals.size].copy()
            reals[: them.split] = _of(own, own.size // them.members)[at][: them.split]
            for place, number in them.known.items():
                reals[place] = number
            state, scratch = (np.ascontiguousarray(_of(a, a.size // them.members)[at]) for a in (y, work))
            inputs = np.ascontiguousarray(_of(u, u.size // them.members)[at])[: compiled.initial_inputs().size]
            if status[k] == 0:
                status[k] = compiled.lone(t, state, n, h, inputs, ints, reals, scratch, compiled.kind, every, asked,
                                          home[k : k + 1], out[k : k + 1])  # fmt: skip
            _of(y, state.size)[at], _of(work, scratch.size)[at] = state, scratch

    def _by_packs(self, them, t, n, h, every, asked, home, out):
        compiled = them.compiled
        ints, shared, own, y, work, u, status = them.arrays
        for lead in range(0, them.members, WIDTH):
            group, lane = divmod(lead, GROUP)
            part = np.s_[group, :, lane : lane + WIDTH]
            reals = _packed(np.repeat(shared[: compiled.reals.size, None], WIDTH, axis=1))
            reals[: them.split] = _of(own, own.size // them.members)[part][: them.split]
            for place, number in them.known.items():  # part of the code there, whatever the constants say
                reals[place] = number
            states = _packed(_of(y, compiled.layout.size)[part])
            scratch = _packed(_of(work, compiled.work.size)[part])
            told = status[lead : lead + WIDTH].astype(float)
            inputs = np.ascontiguousarray(_of(u, u.size // them.members)[group, :, lane])
            seen = out[lead : lead + WIDTH]
            compiled.pack(t, states, n, h, inputs[: compiled.initial_inputs().size], ints, reals, scratch,
                          compiled.kind, told, every, asked, home[lead : lead + WIDTH], seen)  # fmt: skip
            _of(y, compiled.layout.size)[part], _of(work, compiled.work.size)[part] = states, scratch
            status[lead : lead + WIDTH] = told

    def fold(self, status, rows, *rest):
        fold(status.astype(float), rows, *rest)


def _of(array, size):
    return array.reshape(-1, size, GROUP)


def _packed(rows):
    found = pack_array(len(rows))
    found[:] = rows
    return found
