"""Other programs on our cases with our numbers, so that speed is compared in the same run on the same machine."""
