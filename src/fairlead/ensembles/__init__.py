"""Many members of one system at once: the same structure, each with constants and a state of its own."""
