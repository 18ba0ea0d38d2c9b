"""The command `fairlead`: one file a command."""
