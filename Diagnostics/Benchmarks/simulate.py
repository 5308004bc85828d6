#!/usr/bin/env python3
"""Random worlds a second: seeds and events of `zonekit simulate`, with one process and with two."""

import json
import subprocess

from support.commandline import run
from support.processes import BenchmarkError, program
from support.report import progress

FIRST, LAST = 1, 1000
JOBS = [1, 2]
ROUNDS = 5


def play(jobs):
    """What came of all seeds. A promise that is broken is told, and is no trouble here: the events count all the same."""
    arguments = ["simulate", "--seeds", f"{FIRST}..{LAST}", "--jobs", str(jobs), "--failures", "1000000", "--json"]
    done = subprocess.run([program(), *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise BenchmarkError(f"`zonekit {' '.join(arguments)}` ended with exit code {done.returncode}: {done.stderr[-500:]}")
    return json.loads(done.stdout)


def measure(report):
    digests = set()
    # The rounds of both take turns, so that a busy minute of the machine is no difference between them.
    told = {jobs: [] for jobs in JOBS}
    for number in range(ROUNDS):
        for jobs in JOBS:
            told[jobs].append(play(jobs))
            digests.add(told[jobs][-1]["digest"])
        progress(f"simulate: {number + 1} of {ROUNDS}, {len(told[JOBS[0]][-1]['failures'])} seeds break a promise")
    if len(digests) != 1:
        raise BenchmarkError(f"the same seeds should give one digest and gave {', '.join(sorted(digests))}")
    for jobs in JOBS:
        seconds = [one["wallMilliseconds"] / 1_000 for one in told[jobs]]
        label = f"{LAST - FIRST + 1} seeds, {jobs} {'job' if jobs == 1 else 'jobs'}"
        report.add(f"{label}: events", [one["events"] / time for one, time in zip(told[jobs], seconds)], "1/s")
        report.add(f"{label}: seeds", [one["seeds"] / time for one, time in zip(told[jobs], seconds)], "1/s")
        minutes = [one["virtualMilliseconds"] / 60_000 for one in told[jobs]]
        report.add(f"{label}: virtual minutes", [virtual / time for virtual, time in zip(minutes, seconds)], "1/s")


if __name__ == "__main__":
    run(__doc__, measure)
