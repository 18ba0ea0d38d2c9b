"""A body in one cable end, eliminated by hand, against Newton and Euler solved as they stand."""

from types import FunctionType

import numpy as np
import pytest

from fairlead.loads import hung_body

STEP = 0.05


def uncompiled(loads):
    """The kernels of the module as plain Python, with these loads on the body."""
    names = {name: getattr(value, "py_func", value) for name, value in vars(hung_body).items()}
    names["rigid_body_loads"] = lambda *arguments: loads
    for name in ("offset_of", "rotated", "hang", "hung_accelerations", "hung_place"):
        names[name] = FunctionType(names[name].__code__, names, name)
    return names


@pytest.fixture
def case():
    """A turned, spinning body with masses that differ between its axes, under any forces."""
    random = np.random.default_rng(5)
    vectors = {
        name: random.normal(size=3) for name in ("v", "w", "force", "torque", "own", "turn", "before", "spin", "b")
    }
    R, _ = np.linalg.qr(random.normal(size=(3, 3)))
    R *= np.sign(np.linalg.det(R))
    sizes = {name: random.uniform(1.0, 5.0, size=3) for name in ("mass", "drag", "inertia", "damping")}
    return vectors | sizes | {"R": R, "o": np.array([-0.6, 0.3, 0.2])}


def solved(case):
    """a_c, α (body axes) and F (body axes) from m a_c = f + F, J α = τ + o × F, a_c + α × o + w × (w × o) = b."""
    R, o, w = case["R"], case["o"], case["w"]
    m, J = np.diag(case["mass"] + STEP * case["drag"]), np.diag(case["inertia"] + STEP * case["damping"])
    S = np.cross(np.eye(3), o).T @ np.diag([-1, -1, -1])  # S x = o × x
    assert S @ w == pytest.approx(np.cross(o, w))
    one, none = np.eye(3), np.zeros((3, 3))
    A = np.block([[m, none, -one], [none, J, -S], [one, -S, none]])
    f = R.T @ (case["own"] + case["force"]) + STEP * case["drag"] * case["before"]
    torque = case["turn"] + case["torque"] + STEP * case["damping"] * case["spin"]
    right = np.concatenate([f, torque, R.T @ case["b"] - np.cross(w, np.cross(w, o))])
    return np.split(np.linalg.solve(A, right), 3)


def test_the_end_feels_what_newton_and_euler_say(case):
    centre, spin, pull = solved(case)
    loads = tuple(tuple(case[name]) for name in ("mass", "drag", "inertia", "damping", "own", "turn"))
    kernels = uncompiled((*loads, 7.0))
    record, work = np.zeros(hung_body.HUNG_COLUMNS), np.zeros(hung_body.HUNG_KEPT)
    record[hung_body.HUNG_OFFSET :] = case["o"]
    R, given = tuple(case["R"].ravel()), {name: tuple(case[name]) for name in ("v", "w", "force", "torque", "b")}
    P, p, power = kernels["hang"](
        0.0, (0.0, 0.0, 0.0), R, given["v"], given["w"], given["force"], given["torque"], STEP, tuple(case["before"]),
        tuple(case["spin"]), record, 0, work, 0,
    )  # fmt: skip
    matrix = np.array([[P[0], P[1], P[2]], [P[1], P[3], P[4]], [P[2], P[4], P[5]]])
    assert matrix @ case["b"] - p == pytest.approx(case["R"] @ pull)
    assert np.linalg.eigvalsh(matrix).min() > 0.0
    assert power == 7.0
    a, turn = kernels["hung_accelerations"](given["b"], R, given["w"], record, 0, work, 0)
    assert a == pytest.approx(case["R"] @ centre)
    assert turn == pytest.approx(spin)


def test_the_end_goes_with_the_body(case):
    kernels = uncompiled(None)
    record = np.zeros(hung_body.HUNG_COLUMNS)
    record[hung_body.HUNG_OFFSET :] = case["o"]
    place, velocity = kernels["hung_place"](
        (1.0, 2.0, 3.0), tuple(case["R"].ravel()), tuple(case["v"]), tuple(case["w"]), record, 0
    )
    assert place == pytest.approx([1.0, 2.0, 3.0] + case["R"] @ case["o"])
    assert velocity == pytest.approx(case["v"] + case["R"] @ np.cross(case["w"], case["o"]))
