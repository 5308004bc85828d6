#!/usr/bin/env python3
"""Durable creates and updates and pages of changes over HTTP, beside the C anchor where that is at hand."""

import os
import shutil
import subprocess
import sys
import tempfile

from support.commandline import run
from support.processes import BASE, QUERY, ZONE, BenchmarkError, Cloud, World
from support.report import progress
from support.wrk import CONNECTIONS, wrk

ROUNDS = 5
KEYS = 300
PAGE = 200  # as in support/requests.lua
OPERATIONS = {"create": "records/modify", "update": "records/modify", "changes": "changes/zone"}
TITLES = {"create": "durable create", "update": "durable update", "changes": f"changes, page of {PAGE}"}


def cloudkit(address, operation, seed):
    """The figures of one run of wrk with requests of CloudKit Web Services."""
    return wrk(address, operation, f"{BASE}/{OPERATIONS[operation]}?{QUERY}", ZONE, seed, str(KEYS))


def expect_full_pages(cloud):
    """A page that is not full would be measured as a fast one."""
    asked = {"zones": [{"zoneID": {"zoneName": ZONE}, "resultsLimit": PAGE}]}
    records = cloud.call("POST", f"{BASE}/changes/zone?{QUERY}", asked)["zones"][0]["records"]
    if len(records) != PAGE:
        raise BenchmarkError(f"a page of changes should hold {PAGE} records and holds {len(records)}")


def measure_alone(report):
    """The rounds are interleaved, so that a slow minute of the machine does not meet one operation only."""
    found, disk = {operation: [] for operation in OPERATIONS}, []
    with World() as world:
        _, ready = world.serve()
        cloud = Cloud(ready["http"])
        cloud.create_zone()
        cloud.create_records(KEYS)
        expect_full_pages(cloud)
        for number in range(1, ROUNDS + 1):
            progress(f"throughput: round {number} of {ROUNDS}")
            disk += [world.disk_sync() for _ in range(20)]
            for operation, figures in found.items():
                seed = f"round{number}" if operation == "create" else "seed"
                figures.append(cloudkit(ready["http"], operation, seed))
    for operation, figures in found.items():
        what = f"{TITLES[operation]}, {CONNECTIONS} connections"
        report.add(what, [figure["rate"] for figure in figures], "req/s")
        report.add(f"{what}: p50", [figure["p50"] for figure in figures], "ms")
        report.add(f"{what}: p99", [figure["p99"] for figure in figures], "ms")
    report.add("one 4 KiB fdatasync of this disk between the rounds", disk, "ms")


def measure_beside_anchor(report):
    """The anchors' own table, as their runner prints it: it alternates the servers and shows ratios."""
    what = "beside the C anchor"
    anchors = os.path.join(os.path.realpath(os.environ.get("ZONEKIT_SHARED", "../shared")), "anchors")
    if not os.access(os.path.join(anchors, "run"), os.X_OK):
        report.skip(what, "there is no ../shared/anchors beside the project (ZONEKIT_SHARED names another folder)")
        return
    with tempfile.TemporaryDirectory(prefix="zonekit-anchors-") as build, World() as world:
        built = subprocess.run([os.path.join(anchors, "build"), build], capture_output=True, text=True, check=False)
        if built.returncode != 0:
            report.skip(what, f"the anchors do not build: {built.stderr.strip().splitlines()[-1:]}")
            return
        _, ready = world.serve()
        figures = os.path.join(build, "figures.json")
        done = subprocess.run(
            [os.path.join(anchors, "run"), "http", "--http", ready["http"], "--query", QUERY, "--name", "zonekit",
             "--anchor-preset", "cloudkit", "--peers", "anchor-normal,anchor-full", "--ops", "create,update,changes",
             "--connections", str(CONNECTIONS), "--build", build, "--json", figures],
            stdout=subprocess.PIPE, stderr=sys.stderr, text=True, timeout=600, check=False)
        if done.returncode != 0:
            raise BenchmarkError(f"the anchors' run ended with exit code {done.returncode}; the lines above say why")
        report.attach(f"{what} (x NAME: median over the rounds of zonekit's rate by NAME's)", done.stdout, figures)


def measure(report):
    if shutil.which("wrk") is None:
        report.skip("all of it", "wrk is not installed (Debian: apt-get install wrk)")
        return
    measure_alone(report)
    measure_beside_anchor(report)


if __name__ == "__main__":
    run(__doc__, measure)
