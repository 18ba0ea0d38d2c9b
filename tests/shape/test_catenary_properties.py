"""Any cable between any two points: lengths kept, ends met, bars in equilibrium."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from fairlead.shape import hang
from fairlead.shape.arc import arc_exists

from .equilibrium import length_error, worst_moment

WEIGHTS = ("uniform", "sinking", "buoyant", "mixed", "weightless", "partly weightless")


@st.composite
def cables(draw):
    """Ends, lengths, weights and node weights; chords level, upright or inclined, from coincident to nearly taut."""
    n = draw(st.sampled_from((1, 2, 3, 4, 5, 6, 8, 13, 30, 100)))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    lengths = rng.uniform(0.2, 5, n) if draw(st.booleans()) else np.full(n, rng.uniform(0.1, 20))
    kind = draw(st.sampled_from(WEIGHTS))
    weights = {
        "uniform": lengths * 10.0,
        "sinking": rng.uniform(0.1, 50, n),
        "buoyant": -rng.uniform(0.1, 50, n),
        "mixed": rng.normal(size=n),
        "weightless": np.zeros(n),
        "partly weightless": lengths * (rng.random(n) < 0.5),
    }[kind]
    extra = rng.normal(size=n + 1) * (rng.random(n + 1) < 0.2) * draw(st.sampled_from((0.0, 0.0, 3.0, 100.0)))
    fraction = draw(st.floats(0, 1))
    slack = draw(st.sampled_from((fraction, fraction**0.1, 1 - 1e-3 * fraction, 1 - 10 ** (-11 * fraction), 0.0)))
    shortest = max(0.0, 2 * float(lengths.max()) - float(lengths.sum()))
    chord = shortest + (float(lengths.sum()) - shortest) * slack
    elevation = draw(st.sampled_from((0.0, np.pi / 2, -np.pi / 2)) | st.floats(-np.pi / 2, np.pi / 2))
    azimuth = draw(st.floats(-np.pi, np.pi))
    start = rng.normal(size=3) * draw(st.sampled_from((0.0, 10.0, 3000.0)))
    toward = (np.cos(elevation) * np.cos(azimuth), np.cos(elevation) * np.sin(azimuth), np.sin(elevation))
    return start, start + chord * np.array(toward), lengths, weights, extra


@settings(max_examples=700, deadline=None, derandomize=True)
@given(cables())
def test_every_cable_keeps_its_lengths_meets_its_ends_and_balances(cable):
    start, end, lengths, weights, extra = cable
    shape = hang(start, end, lengths, weights, node_weights=extra)
    assert np.isfinite(shape.nodes).all()
    assert np.isfinite(shape.tensions).all()
    assert np.array_equal(shape.nodes[0], start)
    assert np.array_equal(shape.nodes[-1], end)
    chord, total = float(np.linalg.norm(end - start)), float(lengths.sum())
    if shape.state in ("stretched", "squeezed"):
        # only where rounding of the chord put it just outside what the bars can span
        assert chord > total * (1 - 1e-9) or not arc_exists(lengths, chord)
        return
    assert length_error(shape.nodes, lengths) < 1e-12
    if shape.balanced:
        near_taut = 1e-14 * total / max(total - chord, 1e-12 * total)
        assert worst_moment(shape, lengths, weights, extra) < 1e-7 + near_taut
    across = np.cross(end - start, [0, 0, 1])
    if np.linalg.norm(across) > 1e-6 * total:
        out_of_plane = (shape.nodes - start) @ (across / np.linalg.norm(across))
        assert np.abs(out_of_plane).max() < 1e-9 * (total + np.abs(start).max())


@settings(max_examples=300, deadline=None, derandomize=True)
@given(cables())
def test_the_other_way_round_is_the_same_cable(cable):
    start, end, lengths, weights, extra = cable
    shape = hang(start, end, lengths, weights, node_weights=extra)
    back = hang(end, start, lengths[::-1], weights[::-1], node_weights=extra[::-1])
    total = float(lengths.sum())
    span = float(np.hypot(end[0] - start[0], end[1] - start[1]))
    # an upright cable, or one with legs that fold back on each other, may choose another side or bend
    if (
        shape.balanced
        and back.balanced
        and shape.tensions.min() > 0
        and back.tensions.min() > 0
        and span > 1e-3 * total
    ):
        slack = max(total - np.linalg.norm(end - start), 1e-12 * total) / total
        assert np.abs(shape.nodes - back.nodes[::-1]).max() < (1e-7 + 1e-14 / slack) * (total + np.abs(start).max())


def test_nearly_every_cable_finds_its_equilibrium():
    rng = np.random.default_rng(7)
    balanced = 0
    for _ in range(600):
        n = int(rng.integers(3, 12))
        lengths = rng.uniform(0.5, 2, n)
        toward = rng.normal(size=3)
        end = toward / np.linalg.norm(toward) * lengths.sum() * rng.uniform(0, 1)
        balanced += hang((0, 0, 0), end, lengths, lengths * rng.uniform(0.5, 2, n)).balanced
    assert balanced >= 598
