"""What tests of single kernels share."""
