"""Run every check of `fairlead verify` and keep the records for the documentation. Run `make validation`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from fairlead.studies import verification

RECORDS = Path(__file__).resolve().parent / "validation.json"


def main() -> None:
    kept: dict[str, list[dict[str, object]]] = {}
    failed = 0
    for name in verification.names():
        records = list(verification.run(name))
        failed += sum(not record.passed for record in records)
        kept[name] = [record.as_dict() for record in records]
        print(f"{name}: {len(records)} comparisons", file=sys.stderr)
    if failed:
        sys.exit(f"{failed} comparisons failed (see `fairlead verify`); docs/validation.json is left as it was")
    RECORDS.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print("docs/validation.json")


if __name__ == "__main__":
    main()
