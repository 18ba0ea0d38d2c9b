"""Exit codes of the command, as `--help` tells them."""

from __future__ import annotations

OK = 0
STOPPED = 1
BAD_INPUT = 2
CHECKS_FAILED = 3
INTERRUPTED = 130

EPILOG = """\b
Exit codes:
  0    all went well
  1    a run stopped before its end (what was computed is kept), or no static equilibrium was found
  2    wrong usage or a wrong input file; every mistake is listed
  3    verify: a check failed
  130  interrupted (Ctrl-C); what was computed is kept
"""
