"""The root of a scalar function between two points of opposite sign."""

from collections.abc import Callable
from math import exp, log

_EPS = 2.2e-16


def root(function: Callable[[float], float], low: float, high: float, limit: int = 200) -> float:
    """Root of `function` in [low, high], to rounding error.

    The function must change sign between the two points; where it does not, the point of the smaller residual is
    returned, so that the caller's own check of the residual decides. Chandrupatla's method: inverse quadratic
    interpolation where it is safe, bisection elsewhere (T. R. Chandrupatla, Adv. Eng. Software 28, 1997).
    """
    a, fa = low, function(low)
    b, fb = high, function(high)
    if fa == 0.0 or fb == 0.0 or (fa > 0.0) == (fb > 0.0):
        return a if abs(fa) <= abs(fb) else b
    t = 0.5
    for _ in range(limit):
        x = a + t * (b - a)
        fx = function(x)
        if (fx > 0.0) == (fa > 0.0):
            c, fc, a, fa = a, fa, x, fx
        else:
            c, fc, b, fb, a, fa = b, fb, a, fa, x, fx
        best, least = (a, fa) if abs(fa) < abs(fb) else (b, fb)
        tolerance = 2.0 * _EPS * abs(best)
        width = abs(b - a)
        if least == 0.0 or width <= 2.0 * tolerance:
            return best
        xi, phi = (a - b) / (c - b), (fa - fb) / (fc - fb)
        if phi * phi < xi and (1.0 - phi) ** 2 < 1.0 - xi:
            t = fa / (fb - fa) * fc / (fb - fc) + (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb)
        else:
            t = 0.5
        margin = tolerance / width
        t = min(max(t, margin), 1.0 - margin)
    return best


def positive_root(function: Callable[[float], float], guess: float, decades: int = 9) -> float | None:
    """Root x > 0 of a function that grows with x, looked for within `decades` of `guess` > 0; None if there is none."""
    low = high = guess
    bottom, top = guess * 10.0**-decades, guess * 10.0**decades
    value = at_guess = function(guess)
    if at_guess > 0.0:
        while not value < 0.0:
            high, low = low, 0.1 * low
            if low < bottom:
                return None
            value = function(low)
    elif at_guess <= 0.0:
        while not value > 0.0:
            low, high = high, 10.0 * high
            if high > top:
                return None
            value = function(high)
    else:
        return None
    return exp(root(lambda logarithm: function(exp(logarithm)), log(low), log(high)))
