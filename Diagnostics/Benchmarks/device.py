#!/usr/bin/env python3
"""A first sync of many records: how long they take to leave one device and to arrive on another, and how that grows."""

import json
import os
import subprocess
import time
import uuid

from support.commandline import run
from support.processes import BenchmarkError, World, cpu_seconds, memory_mb, program
from support.report import progress

RECORDS = 100_000
SMALLER = 10  # how many times fewer records the comparison has
ROUNDS = 3
GROWTH = 12  # the most that the time may grow when the records grow tenfold
DEBOUNCE = 0
SECONDS_OF_ONE = 0.05  # a record that takes longer than this, all waiting included, ends the measurement


def write_share_file(path, count):
    """A baby log of that many actions, none of which runs, as the app exports it. Equal counts give equal files."""
    history = []
    for number in range(count):
        seconds = number * 600
        day, rest = divmod(seconds, 86_400)
        start = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(1_600_000_000 + day * 86_400 + rest))
        history.append({
            "id": str(uuid.uuid5(uuid.NAMESPACE_OID, f"action {number}")).upper(), "category": "feeding",
            "startDate": start, "endDate": start, "feedingType": "bottle", "bottleType": "formula",
            "bottleVolume": 60 + number % 200, "updatedAt": start})
    profile = {
        "id": str(uuid.uuid5(uuid.NAMESPACE_OID, "profile")).upper(), "name": "Mia",
        "birthDate": "2020-08-01T00:00:00Z", "remindersEnabled": True}
    document = {
        "version": 1, "exportedAt": "2026-08-14T06:31:05Z", "profile": profile,
        "actions": {"activeActions": {}, "history": history}}
    with open(path, "w", encoding="utf-8") as file:
        json.dump(document, file)


def import_records(world, count):
    """Device A, which does not run, with that many records that wait to be sent."""
    path = os.path.join(world.folder.name, "mia.json")
    write_share_file(path, count)
    arguments = ["import", path, "--device", "A", "--data", world.data, "--json"]
    began = time.perf_counter()
    done = subprocess.run([program(), *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise BenchmarkError(f"`zonekit {' '.join(arguments)}` ended with exit code {done.returncode}: {done.stderr}")
    return time.perf_counter() - began


def names_sent(event):
    return 1 if event["event"] == "sent" else 0


def names_shown(event):
    return len(event["records"]) if event["event"] == "remoteChange" else 0


def watch(world, name, ready, expected, count_of):
    """Starts a device and waits for the end of the sync by which it has reported all records. Returns time, processor time and memory."""
    device = world.start_device(name, ready, DEBOUNCE)
    seen, told = 0, time.perf_counter()
    end = device.started + 30 + expected * SECONDS_OF_ONE
    while time.perf_counter() < end:
        for arrived, process, event in world.events(20):
            if process is not device:
                continue
            seen += count_of(event)
            if event["event"] == "syncFinished" and seen >= expected:
                used = cpu_seconds(device.pid)
                peak = memory_mb(device.pid, "VmHWM")
                world.stop(device)
                return {"seconds": arrived - device.started, "cpu": used, "memory": peak}
        if time.perf_counter() - told > 10:
            told = time.perf_counter()
            progress(f"device: {name} has {seen} of {expected} records")
    raise BenchmarkError(f"device {name} reported {seen} of {expected} records within {end - device.started:.0f} s")


def measure_once(count):
    """What it takes that many records to leave A and to arrive on B."""
    with World() as world:
        imported = import_records(world, count)
        progress(f"device: {count} records imported in {imported:.1f} s")
        _, ready = world.serve()
        # The profile is a record too.
        return {
            "leave": watch(world, "A", ready, count + 1, names_sent),
            "arrive": watch(world, "B", ready, count + 1, names_shown)}


def report_rounds(report, count, rounds):
    """The figures of all rounds with that many records."""
    for way in rounds[0]:
        what = f"{count} records {way}"
        seconds = [found[way]["seconds"] for found in rounds]
        report.add(f"{what}: time from the device's start", seconds, "s")
        report.add(f"{what}: processor time of the device", [found[way]["cpu"] for found in rounds], "s")
        report.add(f"{what}: records per second", [count / each for each in seconds], "1/s")
        report.add(f"{what}: most memory of the device", [found[way]["memory"] for found in rounds], "MB")


def measure(report, options):
    if options.records < SMALLER:
        raise BenchmarkError(f"--records should be at least {SMALLER} and is {options.records}")
    few, many = options.records // SMALLER, options.records
    # Both sizes in each round, so that what else the machine does hits both.
    pairs = [(measure_once(few), measure_once(many)) for _ in range(ROUNDS)]
    for count, rounds in [(few, [pair[0] for pair in pairs]), (many, [pair[1] for pair in pairs])]:
        report_rounds(report, count, rounds)
    for way in pairs[0][0]:
        for key, what in [("seconds", "time"), ("cpu", "processor time")]:
            ratios = [large[way][key] / small[way][key] for small, large in pairs]
            report.add(f"{many} records {way}: {what}, compared with {few} records", ratios, "x", GROWTH)


def options_of(parser):
    parser.add_argument("--records", type=int, default=RECORDS, help=f"how many records (default {RECORDS})")


if __name__ == "__main__":
    run(__doc__, measure, options_of)
