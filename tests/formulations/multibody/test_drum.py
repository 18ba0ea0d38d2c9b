"""Elements that come off a drum and go back: nothing is lost, in the plane or out of it."""

import numpy as np
import pytest

from fairlead.formulations.multibody.equations import settle

from .systems import compiled

RATE = 0.5


def on_a_drum():
    """The wire on a drum at the top, which merges as soon as it may."""
    winch = {"end": "start", "rate": RATE, "length_max": 9.0, "merge": 0.5, "merge_after_reversal": 0.5}
    wire = {"type": "wire", "length": 6, "elements": 4, "start": "top", "end": "tip", "winch": winch}
    return compiled(cables={"wire": wire})


def after(tree, y, rate):
    """What the drum does at this moment with line moving at `rate`."""
    tree.tables(y).payout.rate = rate
    assert settle(0.0, y, tree.initial_inputs(), 0.001, tree.ints, tree.reals, tree.work) == 0
    return y


def picture(tree, y):
    """Position (node, 3), velocity (node, 3) and the line's mass (node,) off the drum; its unstretched length."""
    out = tree.shape.empty_row()
    tree.observe(0.0, y, tree.initial_inputs(), 0.001, out)
    nodes = tree.shape.node_table(out, 0)
    nodes = nodes[np.isfinite(nodes[:, 0])]
    lengths = tree.tables(y).line.length[-(len(nodes) - 1) :]
    mass = 3.0 * 0.5 * (np.append(lengths, 0.0) + np.insert(lengths, 0, 0.0))
    return nodes[:, :3], nodes[:, 3:6], mass, lengths.sum()


def paying_out(tree, swinging):
    """A state that is due to split: all line moves along the cable at the rate of payout, and may swing besides."""
    y = tree.initial_state()
    tables = tree.tables(y)
    slot = int(tree.shape.nodes_per_cable[0] - 1 - tables.paid.count[0])
    tables.line.length[slot] = 1.5 * 1.5
    coordinates, speeds, body = tables.coordinate.value, tables.speed.value, tables.body
    strain = 1e-3
    coordinates[body.coordinate[slot] + 2] = 1.5 * 1.5 * (1.0 + strain)
    speeds[body.speed[slot] + 2] = RATE * (1.0 + strain)
    if swinging:
        rng = np.random.default_rng(5)
        for q, v in zip(body.coordinate[slot:], body.speed[slot:], strict=True):
            speeds[v : v + 2] = 0.3 * rng.normal(size=2)
            coordinates[q : q + 2] += 0.2 * rng.normal(size=2)
    return y


@pytest.mark.parametrize("swinging", [False, True])
def test_split_moves_nothing_but_adds_a_node(swinging):
    """All nodes stay where they are with the speed they have; the new one lies on the element that was split."""
    tree = on_a_drum()
    y = paying_out(tree, swinging)
    place, speed, mass, length = picture(tree, y)
    new_place, new_speed, new_mass, new_length = picture(tree, after(tree, y, RATE))
    assert len(new_place) == len(place) + 1
    assert np.abs(np.delete(new_place, 1, axis=0) - place).max() < 1e-10
    assert np.abs(np.delete(new_speed, 1, axis=0) - speed).max() < 1e-10
    chord, part = place[1] - place[0], new_place[1] - place[0]
    assert np.linalg.norm(np.cross(chord, part)) < 1e-10
    assert new_length == pytest.approx(length, abs=1e-10)
    assert new_mass.sum() == pytest.approx(mass.sum(), abs=1e-10)


def test_split_and_merge_back_in_steady_payout():
    """Mass, momentum (line at the drum has the speed of payout) and length: 1e-10; all nodes as they were."""
    tree = on_a_drum()
    y = paying_out(tree, swinging=False)
    before = picture(tree, y)
    direction = (before[0][1] - before[0][0]) / np.linalg.norm(before[0][1] - before[0][0])

    def momentum(seen):
        speed = seen[1].copy()
        speed[0] = RATE * direction
        return seen[2] @ speed

    split = picture(tree, after(tree, y, RATE))
    back = picture(tree, after(tree, y, -RATE))
    assert len(split[0]) == len(before[0]) + 1
    assert len(back[0]) == len(before[0])
    for seen in (split, back):
        assert seen[2].sum() == pytest.approx(before[2].sum(), abs=1e-10)
        assert seen[3] == pytest.approx(before[3], abs=1e-10)
    assert np.abs(back[0] - before[0]).max() < 1e-10
    assert np.abs(momentum(back) - momentum(before)).max() < 1e-10
