"""How every benchmark is started: `NAME.py [--json] [OPTIONS OF ITS OWN]`, usually by Scripts/bench."""

import argparse
import os
import sys

from support.processes import BenchmarkError
from support.report import Report


def run(description, measure, options_of=None):
    """Measures into a report and prints it; exit code 3 where the measurement could not be made.

    `options_of` adds a benchmark's own options to the parser; `measure` is then given their values too.
    """
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--json", action="store_true", help="one JSON object a line instead of tables")
    if options_of:
        options_of(parser)
    options = parser.parse_args()
    name = os.path.splitext(os.path.basename(sys.argv[0]))[0]
    report = Report(name, options.json)
    try:
        if options_of:
            report.command += "".join(f" {word}" for word in sys.argv[1:] if word != "--json")
            measure(report, options)
        else:
            measure(report)
    except (BenchmarkError, OSError) as error:
        print(f"{name}: {error}", file=sys.stderr)
        sys.exit(3)
    except KeyboardInterrupt:
        sys.exit(130)
    report.print()
