#!/usr/bin/env python3
"""Documents under /sync: pushes and pages beside creates and pages of CloudKit Web Services, a change from one device with the
diet log to another, first syncs, and the merge of two logs."""

import shutil

from support import meals
from support.commandline import run
from support.processes import BASE, QUERY, ZONE, BenchmarkError, Cloud, World, cpu_seconds, memory_mb
from support.report import progress
from support.stopwatch import Stopwatch
from support.wrk import CONNECTIONS, wrk

ROUNDS = 5
PAGE = 200  # as in support/requests.lua
PATHS = {"create": f"{BASE}/records/modify?{QUERY}", "changes": f"{BASE}/changes/zone?{QUERY}"}
# What is asked of the service of documents, the operation of requests.lua, and the account that it asks for.
ASKED = {
    "push of one weight": ("weight", "pushes"), "push of one log with two items": ("meal", "pushes"),
    f"pull of {PAGE} weights": ("documents", "weights"), f"pull of {PAGE} logs with two items": ("documents", "meals"),
}
ASKED_OF_CLOUDKIT = {"CloudKit: durable create": "create", f"CloudKit: changes, page of {PAGE}": "changes"}
# Which is compared with which, and how much of its rate is hoped for at least.
GOALS = [
    ("push of one weight", "CloudKit: durable create", 0.6), ("push of one log with two items", "CloudKit: durable create", 0.6),
    (f"pull of {PAGE} weights", f"CloudKit: changes, page of {PAGE}", 0.25),
    (f"pull of {PAGE} logs with two items", f"CloudKit: changes, page of {PAGE}", 0.25),
]
DIET = ("--app", "diet-log", "--eager", "--tune", "localQuiet=1")
CHANGES = 200  # from one device to the other
FIRST_SYNCS = [(10_000, 3), (100_000, 3)]
PATIENCE = 300
LOGS, ITEMS = 50, 100  # of the merges


def throughput(report):
    """Rounds of all requests in turns, so that a slow minute of the machine meets all of them."""
    if shutil.which("wrk") is None:
        report.skip("requests a second", "wrk is not installed (Debian: apt-get install wrk)")
        return
    found = {what: [] for what in (*ASKED, *ASKED_OF_CLOUDKIT)}
    with World() as world:
        _, ready = world.serve()
        address = ready["http"]
        cloud = Cloud(address)
        cloud.create_zone()
        cloud.create_records(PAGE)
        seed(address)
        for number in range(1, ROUNDS + 1):
            progress(f"rest: round {number} of {ROUNDS}")
            for what, (operation, user) in ASKED.items():
                found[what].append(wrk(address, operation, "-", "-", f"{operation}{number}", user))
            for what, operation in ASKED_OF_CLOUDKIT.items():
                found[what].append(wrk(address, operation, PATHS[operation], ZONE, f"round{number}", "0"))
    for what, figures in found.items():
        title = f"{what}, {CONNECTIONS} connections"
        report.add(title, [figure["rate"] for figure in figures], "req/s")
        report.add(f"{title}: p50", [figure["p50"] for figure in figures], "ms")
    for ours, theirs, goal in GOALS:
        ratios = [one["rate"] / other["rate"] for one, other in zip(found[ours], found[theirs])]
        report.add(f"{ours}: rate compared with {theirs}", ratios, "x", least=goal)


def seed(address):
    """Gives two accounts a page of documents each, with texts as long as those of the records."""
    for user in ("weights", "meals"):
        client = meals.Client(address, user)
        notes = {"loggedAt": meals.STAMP, "notes": "p" * 180}
        client.push([
            meals.change("weightLogs", f"w{number}", {"loggedDate": meals.day(number), "weightG": 71_500, **notes})
            if user == "weights" else
            meals.change("foodLogs", f"l{number}", {**meals.log([meals.item(0), meals.item(1)], meals.day(0)), **notes})
            for number in range(PAGE)])
        client.close()


def save_to_screen(report):
    with World() as world:
        _, ready = world.serve()
        b = world.device("B", ready, 0, *DIET)
        a = world.device("A", ready, 0, *DIET)
        stopwatch = Stopwatch(world, a, b)
        # The first save makes the data set: it is not one of the rounds.
        log, _, _ = stopwatch.measure("log lunch")
        world.quiet(0.5)
        from_answer, from_command = [], []
        for number in range(CHANGES):
            world.quiet(0.03)
            edits = number % 2 == 1
            _, answer, written = stopwatch.measure(f"edit {log} notes \"{number}\"" if edits else f"weigh {60 + number % 30}")
            from_answer.append(answer)
            from_command.append(written)
            if (number + 1) % 50 == 0:
                progress(f"rest: {number + 1} of {CHANGES} changes shown")
    report.add("debounce 0: A's answer to B's event", from_answer, "ms", 3)
    report.add("debounce 0: command to B's event", from_command, "ms")


def first_sync(count):
    """Seconds, processor time and most memory of a new device's first sync of that many documents."""
    with World() as world:
        server, ready = world.serve()
        client = meals.Client(ready["http"], "nanny")
        client.push(meals.documents(count))
        client.close()
        before = cpu_seconds(server.pid)
        device = world.start_device("B", ready, 0, *DIET)
        seen = 0
        while True:
            came = list(world.events(PATIENCE))
            if not came:
                raise BenchmarkError(f"device B said nothing for {PATIENCE} s after {seen} of {count} documents")
            for arrived, process, event in came:
                if process is not device:
                    continue
                seen += event["records"] if event["event"] == "pageMerged" else 0
                if event["event"] == "syncFinished" and seen >= count:
                    return {
                        "seconds": arrived - device.started, "cpu": cpu_seconds(device.pid),
                        "server": cpu_seconds(server.pid) - before, "memory": memory_mb(device.pid, "VmHWM")}


def first_syncs(report):
    for count, rounds in FIRST_SYNCS:
        found = []
        for number in range(1, rounds + 1):
            progress(f"rest: first sync of {count} documents, {number} of {rounds}")
            found.append(first_sync(count))
        what = f"first sync of {count} documents"
        goal = 2 if count == FIRST_SYNCS[0][0] else None
        report.add(f"{what}: time from the device's start", [each["seconds"] for each in found], "s", goal)
        report.add(f"{what}: documents per second", [count / each["seconds"] for each in found], "1/s", least=20_000)
        report.add("  processor time of the device", [each["cpu"] for each in found], "s")
        report.add("  processor time of the server", [each["server"] for each in found], "s")
        report.add("  most memory of the device", [each["memory"] for each in found], "MB")


def merge_times(operation):
    """Milliseconds that the server takes to merge a log with a stored one, of which all items were edited later: a push of
    such logs against a push of the same logs as they are stored. Neither writes anything."""

    def text(stamp):
        logs = [meals.log([meals.item(number, stamp) for number in range(ITEMS)], meals.day(log)) for log in range(LOGS)]
        return meals.body([
            meals.change("foodLogs", f"log{number}", log, operation=operation) for number, log in enumerate(logs)])

    with World() as world:
        _, ready = world.serve()
        client = meals.Client(ready["http"], "merges")
        stored, older = text(meals.LATER), text(meals.STAMP)
        client.send(stored)
        samples = []
        for _ in range(40):
            same, content = client.send(stored)
            merged, other = client.send(older)
            if b'"changed":true' in content + other:
                raise BenchmarkError("a push of a log that is stored already should change nothing")
            samples.append((merged - same) * 1000 / LOGS)
        client.close()
        return samples


def merges(report):
    """Two deleted logs show the same whatever they have, so what is left there is the merge and the text of its result."""
    what = f"merge of two logs of {ITEMS} items"
    report.add(f"{what}, with the server's comparisons", merge_times("create"), "ms")
    report.add(f"{what} that are deleted, without comparisons", merge_times("delete"), "ms", 0.1)


def measure(report):
    throughput(report)
    save_to_screen(report)
    first_syncs(report)
    merges(report)


if __name__ == "__main__":
    run(__doc__, measure)
