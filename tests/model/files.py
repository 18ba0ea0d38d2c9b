"""Model files the tests start from."""

from __future__ import annotations

SINKING = """\
title: Two connected cables sinking to the seabed
environment:
  water_density: 1025
  viscosity: 1.35e-6
  current:
    - {z: 0,    velocity: [0.5, 0, 0]}
    - {z: -200, velocity: [0, 0, 0]}
  seabed: {depth: 200, stiffness: 1e4, friction: 0}
types:
  wire: {diameter: 0.044, density: 1100, youngs_modulus: 120e9, bending_stiffness: 1.8246e6,
         torsional_stiffness: 1.8246e6, drag: reynolds, added_mass: {normal: 1, axial: 1}}
points:
  A: {kind: controlled, position: [0, -375, 0]}
  B: {kind: controlled, position: [0,  375, 0]}
  M: {kind: free, position: [0, 0, 0]}
cables:
  left:  {type: wire, length: 500, elements: 50, start: A, end: M}
  right: {type: wire, length: 500, elements: 50, start: M, end: B}
simulation: {formulation: bars, duration: 1000, step: 0.0125, output_every: 1.0}
"""

EVERYTHING = """\
title: "Every key there is: a mooring with a floating tail"
description: made up, so that each part of the schema is used
environment:
  water_density: 1.025 t/m^3
  gravity: 9.81
  viscosity: 1.3 cSt
  current:
    - {z: 0, speed: 1 knot, direction_deg: 90}
    - {z: -100, velocity: [0.1, 0, 0]}
  seabed: {depth: 100, slope: [0.01, 0], stiffness: 100 kPa/m, damping: 10, friction: 0.5, friction_stiffness: 5e4}
types:
  chain: {diameter: 60 mm, contact_diameter: 0.1, mass_per_length: 70 kg/m, axial_stiffness: 300 MN,
          drag: {normal: 1.2, axial: 0.1, axial_area: projected}, damping_time: 20 ms}
  tail: {diameter: 0.1, density: 950, floating: true, youngs_modulus: 2 GPa, bending_stiffness: 0.5 kN*m^2, drag: none,
         damping_time: {axial: 0.01, bending: 0.1}, added_mass: {normal: 1.1}}
points:
  anchor: {kind: fixed, position: [0, 0, -100]}
  ship: {kind: controlled, position: [80, 0, 0], cutoff: 2 Hz,
         motion: {harmonic: {amplitude: [0, 0, 1.5], period: 8, phase_deg: 0.5 rad, ramp: 16}}}
  tug: {kind: controlled, position: [80, 50, 0], motion: {table: [[0, 0, 0, 0], [10 min, 1, 0, 0]]}}
  buoy: {kind: free, position: [80, 20, 0], mass: 2 t, volume: 3, drag_area: 1.5, added_mass: 500, inertia: 10}
  loose: {kind: free}
cables:
  line:
    sections:
      - {type: chain, length: 100, elements: 20}
      - {type: tail, element_lengths: [10, 10, 5, 5]}
    start: anchor
    end: {point: ship, joint: clamp, direction: [0, 0, 1], release: {tension: 2 MN}}
    attachments: [{at: 50, mass: 100, volume: 0.01, drag_area: 0.2, added_mass: 50}]
  towline: {type: tail, length: 20, elements: 4, allow_stretch: true,
            start: ship, end: {point: buoy, release: {time: 1 h}}}
  hawser: {type: tail, length: 31, elements: 8, start: buoy, end: tug}
  end: {type: tail, length: 15, elements: 3, start: buoy, end: {point: loose}}
loads:
  - {point: buoy, force: [1 kN, 0, 0], torque: [0, 0, 1], table: [[0, 0], [10, 1]]}
simulation:
  formulation: bars
  duration: 2 min
  step: 20 ms
  output_every: 0.5
  start: statics
  integrator: rk2
  tolerance: {relative: 1e-6, absolute: 1e-7}
  bars: {tuning: common_beta, alpha: 40, epsilon: 1e-7, theta: 0.55, geometric_stiffness: damped}
outputs: {cables: [line, towline], energy: false}
"""

SPREAD = """\
title: A spread in small, with every kind of point, bodies and winches, on floating cables
types:
  rope: {diameter: 40 mm, density: 1020, floating: true, axial_stiffness: 20 MN}
points:
  winch: {kind: fixed, position: [0, 0, 5]}
  float: {kind: passive, position: [-90, 10, 0], mass: 2 t, shape: {sphere: {diameter: 2}}}
  spar: {kind: passive, position: [-90, -20, 0], mass: 500, drag_coefficient: 1.2, added_mass_coefficient: 0.9,
         shape: {cylinder: {diameter: 0.8, height: 2}}}
  driven: {kind: hybrid, position: [-90, 60, 0], mass: 1 t, shape: {box: {length: 2, width: 1, height: 1.5}},
           motion: {table: [[0, 0, 0, 0], [100, 0, 5, 0]]}, stiffness: 2 kN/m, damping: 3 kN*s/m,
           force_max: 20 kN, tension_max: 50 kN}
  ring: {kind: sliding, cable: lead_in, at: 45, friction: 0.2, mass: 20, volume: 0.01, drag_area: 0.1, added_mass: 5}
bodies:
  deflector: {kind: free, position: [-60, 80, -5], orientation_deg: [0, 0, 30], mass: 4 t, inertia: [900, 5000, 5200],
              volume: 3.8, centre_of_buoyancy: [0, 0, 0.4], height: 3, drag_area: [2, 20, 5],
              drag_moment: [10, 20, 20 N*m*s^2/rad^2], added_mass: [1 t, 4 t, 2 t], added_inertia: [10, 20, 30],
              attachments: {arm: [1.5, 0, 0], tail: [-1.5, 0, 0]}}
  vessel: {kind: prescribed, position: [20, 0, 0], cutoff: 5, attachments: {tip: [0, 2, 6], stern: [-3, 0, 2]},
           motion: {harmonic: {amplitude: [0, 0, 1], rotation_deg: [3, 0, 0], period: 9, phase_deg: 10,
                               rotation_phase_deg: 90, ramp: 20}}}
  tug: {kind: prescribed, position: [20, 100, 0], attachments: {hook: [0, 0, 0]},
        motion: {table: [[0, 0, 0, 0, 0, 0, 0], [60, 5, 0, 0, 0, 0, 20 deg]]}}
cables:
  lead_in: {type: rope, length: 100, elements: 20, start: winch, end: float,
            winch: {end: start, table: [[0, 0], [10, 0.5], [20, 0.5], [30, 0]], length_max: 120, length_min: 50,
                    split: 1.6, merge: 0.6, merge_after_reversal: 0.3}}
  spur: {type: rope, length: 120, elements: 12, start: ring, end: deflector.tail}
  wide: {type: rope, length: 130, elements: 10, start: {point: vessel.tip, joint: clamp}, end: deflector.arm,
         winch: {end: start, rate: -0.1, mode: rescale}}
  stern: {type: rope, length: 130, elements: 10, start: vessel.stern, end: spar, winch: {end: end, length_max: 200}}
  separation: {type: rope, length: 60, elements: 6, start: float, end: driven}
  tow: {type: rope, length: 130, elements: 6, start: tug.hook, end: driven}
loads:
  - {name: streamer, point: float, force: [-10 kN, 0, 0]}
  - {point: deflector, force: [0, 8 kN, 0]}
  - {name: foil, point: deflector.arm, force: [0, 1 kN, 0], torque: [0, 0, 100]}
simulation: {duration: 100, step: 0.1}
"""
"""The kinds of points, bodies and winches of a towed spread."""
