"""Modules that other programs' scripts can import in place of their own."""
