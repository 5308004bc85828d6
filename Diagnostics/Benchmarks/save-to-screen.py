#!/usr/bin/env python3
"""From a save on device A to the change on device B: three real processes, loopback sockets, durable commits."""

import time

from support.commandline import run
from support.processes import BenchmarkError, World
from support.report import progress

# What `zonekit device` waits in quiet before it syncs; None is the program's own default.
CASES = [(0, 200, 0.03), (None, 12, 0.7)]


class Stopwatch:
    """The times of one save: command written, A's answer, B's event that names the same record.

    A sends before it answers, so B may be first and the time from the answer below zero; the time from the command
    is the one that cannot flatter.
    """

    def __init__(self, world, a, b):
        self.world, self.a, self.b = world, a, b

    def measure(self, command):
        """The record, and the milliseconds from the answer and from the command until B shows it."""
        written = time.perf_counter()
        self.a.say(command)
        answered, record, seen = None, None, {}
        while record is None or record not in seen:
            came = list(self.world.events(20))
            if not came:
                raise BenchmarkError(f"device B did not show the record of `{command}` within 20 s")
            for arrived, process, event in came:
                if process is self.a and event["event"] == "answer":
                    if not event.get("records"):
                        raise BenchmarkError(f"`{command}` was answered {event}")
                    answered, record = arrived, event["records"][-1]
                elif process is self.b and event["event"] == "remoteChange":
                    seen.update(dict.fromkeys(event["records"], arrived))
        return record, (seen[record] - answered) * 1000, (seen[record] - written) * 1000


def measure_case(report, debounce, rounds, pause):
    label = "default debounce" if debounce is None else f"debounce {debounce}"
    goal = 5 if debounce == 0 else None
    with World() as world:
        _, ready = world.serve()
        b = world.device("B", ready, debounce)
        a = world.device("A", ready, debounce)
        stopwatch = Stopwatch(world, a, b)
        # The first save creates the zone and the profile: it is not one of the rounds.
        record, _, _ = stopwatch.measure("log feeding bottle volume 100")
        from_answer, from_command, disk = [], [], []
        for number in range(rounds):
            world.quiet(pause)
            disk.append(world.disk_sync())
            world.quiet(pause)
            volume = 60 + number % 200
            edits = number % 2 == 1
            command = f"edit {record} bottleVolume {volume + 1}" if edits else f"log feeding bottle volume {volume}"
            record, answer, written = stopwatch.measure(command)
            from_answer.append(answer)
            from_command.append(written)
            if (number + 1) % 50 == 0:
                progress(f"save-to-screen, {label}: {number + 1} of {rounds}")
    report.add(f"{label}: A's answer to B's event", from_answer, "ms", goal)
    report.add(f"{label}: command to B's event", from_command, "ms", goal)
    report.add(f"{label}: one 4 KiB fdatasync of this disk meanwhile", disk, "ms")


def measure(report):
    for debounce, rounds, pause in CASES:
        measure_case(report, debounce, rounds, pause)


if __name__ == "__main__":
    run(__doc__, measure)
