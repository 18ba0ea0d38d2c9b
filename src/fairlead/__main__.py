"""`python -m fairlead`: the command, where its script is not on the path or another Python is to run it."""

from fairlead.cli.main import program

if __name__ == "__main__":
    program()
