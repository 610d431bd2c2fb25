"""Run every measurement (`make bench`), or those that are named: `python tests/bench hook guidance`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def main() -> int:
    """Run the scripts of this folder one after the other; the exit code counts those that failed."""
    here = Path(__file__).parent
    wanted = set(sys.argv[1:])
    failed = 0
    for script in sorted(here.glob("*.py")):
        if script.stem.startswith("_") or (wanted and script.stem not in wanted):
            continue
        print(f"\n== {script.stem}", flush=True)
        failed += subprocess.run([sys.executable, str(script)], check=False).returncode != 0
    return failed


if __name__ == "__main__":
    sys.exit(main())
