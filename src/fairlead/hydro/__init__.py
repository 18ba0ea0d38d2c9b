"""A floater's water: weak-scatterer boundary elements on the incident wave, coupled to a formulation's mass matrix."""
