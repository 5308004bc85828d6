#!/usr/bin/env python3
"""From a save on device A to the change on device B: three real processes, loopback sockets, durable commits."""

from support.commandline import run
from support.processes import World
from support.report import progress
from support.stopwatch import Stopwatch

# What `zonekit device` waits in quiet before it syncs; None is the program's own default.
CASES = [(0, 200, 0.03), (None, 12, 0.7)]


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
