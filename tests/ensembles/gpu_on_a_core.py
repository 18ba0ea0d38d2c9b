"""A GPU that is none: the arrays of one, in its order, and packs of a core in place of its threads."""

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

    def watch(self, them, t, n, h, every, first, asked, home, out):
        compiled = them.compiled
        ints, shared, own, y, work, u, status = them.arrays
        split = own.size // them.members
        for lead in range(0, them.members, WIDTH):
            group, lane = divmod(lead, GROUP)
            part = np.s_[group, :, lane : lane + WIDTH]
            reals = _packed(np.repeat(shared[:, None], WIDTH, axis=1))
            reals[:split] = _of(own, split)[part]
            for place, number in them.known.items():  # part of the code there, whatever the constants say
                reals[place] = number
            states = _packed(_of(y, compiled.layout.size)[part])
            scratch = _packed(_of(work, compiled.work.size)[part])
            told = status[lead : lead + WIDTH].astype(float)
            homes = np.ascontiguousarray(np.moveaxis(home[lead : lead + WIDTH], 0, 2)).reshape(-1)
            inputs = np.ascontiguousarray(_of(u, u.size // them.members)[group, :, lane])
            seen = out[lead : lead + WIDTH]
            compiled.pack(t, states, n, h, inputs[: compiled.initial_inputs().size], ints, reals, scratch,
                          compiled.kind, told, every, first, asked, homes, seen)  # fmt: skip
            _of(y, compiled.layout.size)[part], _of(work, compiled.work.size)[part] = states, scratch
            status[lead : lead + WIDTH] = told
        self.launches += 1

    def fold(self, status, rows, *rest):
        fold(status.astype(float), rows, *rest)


def _of(array, size):
    return array.reshape(-1, size, GROUP)


def _packed(rows):
    found = pack_array(len(rows))
    found[:] = rows
    return found
