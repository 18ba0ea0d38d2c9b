"""Studies of many runs: what the program is checked against, and how fast it is."""
