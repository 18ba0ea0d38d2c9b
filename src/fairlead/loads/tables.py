"""Fields of the records that the loads of this floor read and write, for the tables of formulations."""

from __future__ import annotations

MOTION = "kind first rows"
"""A motion in `ints`: its kind, where its numbers begin among those of all motions, and how many rows they are."""
COMMAND = "position:3 cutoff"
"""What a motion is added to, and the cut-off of its filter (`rigging.commands`)."""
PLAN = "position:3 velocity:3 acceleration:3 next_position:3 next_velocity:3"
"""How a commanded point goes through a step (`rigging.commands.plan_known`)."""
CONTACT = "anchor:3 normal_force"
"""What a point on the seabed remembers (`seabed_contact`)."""
RIGID_BODY = (
    "mass added:3 inertia:3 added_inertia:3 displaced centre:3 height shape drag:3 drag_moment:3 slam feet foot_reach "
    "foot_level foot_radius foot_stiffness foot_damping foot_shear length width air windage:3 effort:3 damped linear:6 "
    "quadratic:6"
)
"""Constants of a body (`rigid_body`, `landing`)."""
HUNG_BODY = f"{RIGID_BODY} offset:3"
"""The same of a body that hangs in one cable, which ends at the offset from its centre (`hung_body`)."""
HUNG_KEPT = "mass:3 inverse:6 turn:3"
"""What is kept of it until the acceleration of the cable's end is known."""
FEET_MEMORY = "feet:16 landed_at landed_with"
"""What a body on the seabed remembers: `CONTACT` of its four feet, time and speed of its first landing (`landing`)."""
SLENDER = "displaced buoyancy added_normal added_axial drag_normal drag_axial drag_law diameter reynolds"
"""A length of cable in the water (`slender`)."""
TWIST = "angle amplitude rate phase ramp"
"""How the end of a cable is turned about its axis (`end_twist`); its integers: `MOTION` and the place of its input."""
