"""The sinking of two connected cables (Case 1 of Skjong, Reite and Aarsæther): positions and forces to compare with.

Computed with an independent implementation of the same equations, h = 0.0125 s.

Two cables of 500 m and 50 bars each (d = 0.044 m, 1100 kg/m³, E = 120 GPa, EI = GJ = 0.01 m² · EA, unstressed when
straight) hang from A (0, -375, 0) and B (0, 375, 0) and meet in a free ball joint that starts at (0, 0, 0). Each starts
at rest as a discrete catenary in the vertical plane x = 0. Current (0.5, 0, 0) m/s at the surface, falling linearly to
nothing at the flat bed at z = -200 m, 1e4 N/m per bar end on the cable's axis, without friction. Water 1025 kg/m³,
viscosity 1.35e-6 m²/s, g = 9.81 m/s², drag from the Reynolds number (axial on the surface pi·d), added mass 1 both
normal and axial, no internal damping. The tuning is the rule.

Nodes are counted from A, 10 m apart; 50 is the junction. The other cable is the mirror image, y to -y. Positions are
good to 0.006 m for the step. Forces are the whole multiplier at t, so they include shear.
"""

import numpy as np

TIMES = np.array([100.0, 300.0, 500.0, 1000.0])
"""s"""

NODES = (10, 25, 40, 50)

POSITIONS = np.array(
    [
        [[21.06, -330.55, -86.59], [14.76, -210.70, -168.47], [21.66, -72.94, -122.25], [37.34, 0.0, -55.70]],
        [[35.31, -343.17, -87.50], [42.83, -238.66, -188.95], [46.85, -92.12, -180.96], [58.62, 0.0, -143.92]],
        [[44.96, -350.47, -85.39], [65.60, -248.28, -186.61], [60.02, -99.88, -200.00], [55.13, 0.0, -200.00]],
        [[56.22, -346.27, -77.10], [92.76, -246.64, -178.10], [91.50, -99.81, -200.00], [85.35, 0.0, -200.00]],
    ]
)
"""(time, node of NODES, axis), m"""

START_POSITIONS = np.array([[0.0, -317.60, -81.60], [0.0, -187.50, -147.20], [0.0, -57.40, -81.60], [0.0, 0.0, 0.0]])
"""(node of NODES, axis) at t = 0, m"""

FORCE_AT_A = np.array([[235.7, -39.5, -91.3], [288.8, -24.4, -148.5], [271.6, -55.2, -114.3], [296.4, -29.1, -131.2]])
"""(time, axis) of the cable on A, N"""

FORCE_AT_A_NORM = np.array([255.8, 325.7, 299.8, 325.5])
"""(time,), N"""

FORCE_AT_JUNCTION_NORM = np.array([56.9, 88.3, 1.2, 47.4])
"""(time,), N"""

FIRST_TOUCH = (315.0, 320.0)
"""Between these times, s, a node first comes below z = -199.9 m."""

JUNCTION_LANDS = 465.0
"""s, junction below z = -199.5 m, read from samples every 5 or 10 s."""
