"""Runs of wrk, a load generator for HTTP, with the requests of requests.lua."""

import os
import subprocess

from support.processes import BenchmarkError

SECONDS = 2
CONNECTIONS = 16


def wrk(address, operation, *arguments):
    """The figures of one run: answers a second, milliseconds, errors."""
    script = os.path.join(os.path.dirname(__file__), "requests.lua")
    command = ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{SECONDS}s", "--timeout", "20s", "-s", script, f"http://{address}", "--",
               operation, *arguments]
    output = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS + 60, check=False).stdout
    for line in output.splitlines():
        if line.startswith("figures "):
            figures = {key: float(value) for key, value in (pair.split("=") for pair in line.split()[1:])}
            if figures["errors"]:
                raise BenchmarkError(f"{operation}: {figures['errors']:.0f} answers were errors; none should be")
            return figures
    raise BenchmarkError(f"wrk should have printed figures and printed: {output[-500:]}")
