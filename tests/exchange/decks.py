"""Small MoorDyn files of our own, for the tests that read and write them."""

from __future__ import annotations

SPREAD = """\
FALSE Echo
Two chains and a float on a platform
---------------------- LINE TYPES ----------------------
Name  Diam  Mass/m  EA  BA/-zeta  EI  Cd  Ca  CdAx  CaAx
(-)   (m)   (kg/m)  (N) (N-s/-) (N-m^2) (-) (-) (-) (-)
chain 0.09  77.7    384e6  -0.8   0   1.6 1.0 0.1 0.0
rope  0.12  14.0    5.0e6  2.0e5  0   1.2 1.0 0.2 0.1   # softer
---------------------- BODIES ----------------------
ID Attachment X0 Y0 Z0 r0 p0 y0 Mass CG I Volume CdA Ca
(#) (-) (m) (m) (m) (deg) (deg) (deg) (kg) (m) (kg-m^2) (m^3) (m^2) (-)
1 Coupled 0 0 -10 10 20 0 0 0 0 0 0 0
---------------------- POINTS ----------------------
ID Attachment X Y Z M V CdA CA
(-) (-) (m) (m) (m) (kg) (m^3) (m^2) (-)
1 Fixed  300  0 -100 0 0 0 0
2 Body1    5  0    0 0 0 0 0
3 Fixed -300  0 -100 0 0 0 0
4 Free  -100  0  -50 500 2.0 3.0 0.5
5 Vessel  -5  0  -10 0 0 0 0
---------------------- LINES ----------------------
ID LineType AttachA AttachB UnstrLen NumSegs Outputs
(-) (-) (-) (-) (m) (-) (-)
1 chain 1 2 330 10 -
2 chain 3 4 220 8 p
3 rope  4 5 110 4 p
---------------------- SOLVER OPTIONS---------------
0.001 dtM   time step
3.0e6 kbot
3.0e5 cbot
1025  WtrDnsty
100   WtrDpth
0.1   dtOut 0.3 FrictionCoefficient
7     banana  - nobody knows
---------------------- OUTPUTS ----------------------
"FairTen1, FairTen3"
L2N3Pz  AnchTen1
P4Px  Body1Fz  Con4Fx
Sausage9
END
--------------------- need this line ----------------
"""

OLD = """\
MoorDyn 1
--- LINE DICTIONARY ---
LineType Diam MassDenInAir EA BA/-zeta Can Cat Cdn Cdt
(-) (m) (kg/m) (N) (Pa-s/-) (-) (-) (-) (-)
main 0.09 77.7 384e6 -0.8 1.0 0.0 1.6 0.1
--- CONNECTION PROPERTIES ---
Node Type X Y Z M V FX FY FZ CdA CA
(-) (-) (m) (m) (m) (kg) (m^3) (kN) (kN) (kN) (m2) (-)
1 Fix     300 0 -100 0 0 0 0 0 0 0
2 Connect  50 0 -30 100 0.1 0 0 2 0 0
3 Vessel    5 0 -10 0 0 0 0 0 0 0
--- LINE PROPERTIES ---
Line LineType UnstrLen NumSegs NodeAnch NodeFair Flags/Outputs
(-) (-) (m) (-) (-) (-) (-)
1 main 270 9 1 2 p
2 main  60 3 2 3 p
--- SOLVER OPTIONS ---
3e6 kb
--- OUTPUTS ---
FairTen2
--- need this line ---
"""

RODS = """\
A riser: rods without length let bending go on, a fixed one clamps
--- LINE TYPES ---
Name Diam Mass/m EA BA EI Cd Ca CdAx CaAx
(-) (m) (kg/m) (N) (-) (-) (-) (-) (-) (-)
pipe  0.2 50 5e7 -0.5 1e4 1.0 1.0 0.1 0.0
light 0.4 50 5e7 -0.5 1e4 1.0 1.0 0.1 0.0
--- ROD TYPES ---
Name Diam Mass/m Cd Ca CdEnd CaEnd
(-) (m) (kg/m) (-) (-) (-) (-)
stub 0.2 50 1 1 1 1
--- RODS ---
ID RodType Attachment Xa Ya Za Xb Yb Zb NumSegs Outputs
(#) (-) (-) (m) (m) (m) (m) (m) (m) (-) (-)
1 stub Free  60 0 -40 60 0 -40 0 -
2 stub Free  30 0 -40 30 0 -40 0 -
3 stub Fixed 0 0 -5 0 0 -8 1 -
--- POINTS ---
ID Attachment X Y Z M V CdA CA
(-) (-) (m) (m) (m) (kg) (m^3) (m^2) (-)
1 Fixed 90 0 -60 0 0 0 0
--- LINES ---
ID LineType AttachA AttachB UnstrLen NumSegs Outputs
(-) (-) (-) (-) (m) (-) (-)
1 pipe  1   R1A 40 8 -
2 light R2A R1B 30 6 -
3 pipe  R3B R2B 50 10 -
--- OPTIONS ---
60 WtrDpth
--- need this line ---
"""

PINS = (
    RODS.replace("1e4", "0")
    .replace("1 stub Free  60 0 -40 60 0 -40 0", "1 stub Pinned  60 0 -40 60 0 -36 4")
    .replace("2 stub Free  30 0 -40 30 0 -40 0", "2 stub Body1  1 0 0 3 0 0 5")
    .replace(
        "--- RODS ---",
        "--- BODIES ---\nID Attachment X0 Y0 Z0 r0 p0 y0 Mass CG I Volume CdA Ca\n(-)\n"
        "1 Free 30 0 -40 0 0 90 900 0 50 0.8 0 0\n--- RODS ---",
    )
)

MOORPY = """\
water_depth: 100
line_types:
  - name: chain
    diameter: 0.09
    mass_density: 77.7
    stiffness: 384e6
    breaking_load: 4.0e6
    transverse_drag: 1.6
points:
  - {name: anchor, type: fixed, location: [300, 0, -100]}
  - {name: hull, type: vessel, location: [5, 0, -10]}
lines:
  - {name: north line, endA: anchor, endB: hull, type: chain, length: 330}
anchor_types: []
"""


def line_of(text: str, start: str) -> int:
    """Number of the first line that begins so."""
    return next(number for number, line in enumerate(text.splitlines(), 1) if line.startswith(start))
