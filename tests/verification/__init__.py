"""Checks of the physics against answers that were found another way."""
