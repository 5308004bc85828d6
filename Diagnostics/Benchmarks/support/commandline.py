"""How every benchmark is started: `NAME.py [--json]`, usually by Scripts/bench."""

import argparse
import os
import sys

from support.processes import BenchmarkError
from support.report import Report


def run(description, measure):
    """Measures into a report and prints it; exit code 3 where the measurement could not be made."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--json", action="store_true", help="one JSON object a line instead of tables")
    options = parser.parse_args()
    name = os.path.splitext(os.path.basename(sys.argv[0]))[0]
    report = Report(name, options.json)
    try:
        measure(report)
    except (BenchmarkError, OSError) as error:
        print(f"{name}: {error}", file=sys.stderr)
        sys.exit(3)
    except KeyboardInterrupt:
        sys.exit(130)
    report.print()
