"""Co-simulation: a system as an FMU for other tools."""
