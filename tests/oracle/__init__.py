"""Slow, plain implementations that the fast kernels are compared with."""
