"""What is kept of a live twin: all that it heard, what it showed, and a state to go on from."""
