"""Six moorings as MoorDyn files, moved to and fro, in MoorDyn and here."""
