"""Run the checks of `fairlead verify` and keep the records for the documentation.

`make validation` runs all; `python docs/make_validation.py NAME ...` those that are named, and keeps the others.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from fairlead.studies import verification

RECORDS = Path(__file__).resolve().parent / "validation.json"


def main() -> None:
    before = json.loads(RECORDS.read_text(encoding="utf-8")) if sys.argv[1:] else {}
    known = verification.names()
    kept: dict[str, list[dict[str, object]]] = {name: before[name] for name in known if name in before}
    failed = 0
    for name in sys.argv[1:] or known:
        records = list(verification.run(name))
        failed += sum(not record.passed for record in records)
        kept[name] = [record.as_dict() for record in records]
        print(f"{name}: {len(records)} comparisons", file=sys.stderr)
    if failed:
        sys.exit(f"{failed} comparisons failed (see `fairlead verify`); docs/validation.json is left as it was")
    ordered = {name: kept[name] for name in known if name in kept}
    RECORDS.write_text(json.dumps(ordered, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print("docs/validation.json")


if __name__ == "__main__":
    main()
