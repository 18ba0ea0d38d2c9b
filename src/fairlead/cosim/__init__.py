"""Co-simulation: a system as an FMU for other tools, signals as an FMU, and FMUs of any origin run together."""
