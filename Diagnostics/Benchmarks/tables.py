#!/usr/bin/env python3
"""Durable upserts and pages of rows under /rest/v1, beside durable creates and pages of CloudKit Web Services."""

import http.client
import json
import shutil

from support.commandline import run
from support.processes import BASE, QUERY, ZONE, BenchmarkError, Cloud, World
from support.report import progress
from support.wrk import CONNECTIONS, wrk

ROUNDS = 5
PAGE = 200  # as in support/requests.lua
TITLES = {
    "upsert": "durable upsert of one row", "upsert100": "durable upsert of 100 rows", "pull": f"select of {PAGE} rows",
    "create": "CloudKit: durable create", "changes": f"CloudKit: changes, page of {PAGE}",
}
PATHS = {"create": f"{BASE}/records/modify?{QUERY}", "changes": f"{BASE}/changes/zone?{QUERY}"}


def token(address, key):
    """The access token of a new account."""
    connection = http.client.HTTPConnection(address, timeout=20)
    body = json.dumps({"email": "bench@example.test", "password": "secret1"})
    connection.request("POST", "/auth/v1/signup", body, {"apikey": key, "Content-Type": "application/json"})
    answer = json.loads(connection.getresponse().read())
    connection.close()
    if "access_token" not in answer:
        raise BenchmarkError(f"a sign-up should give a session and gave {answer}")
    return answer["access_token"]


def measure(report):
    if shutil.which("wrk") is None:
        report.skip("all of it", "wrk is not installed (Debian: apt-get install wrk)")
        return
    found, disk = {operation: [] for operation in TITLES}, []
    with World() as world:
        _, ready = world.serve()
        address, key = ready["http"], ready["supabase"]["anonKey"]
        bearer = token(address, key)
        cloud = Cloud(address)
        cloud.create_zone()
        cloud.create_records(PAGE)
        for number in range(1, ROUNDS + 1):
            progress(f"tables: round {number} of {ROUNDS}")
            disk += [world.disk_sync() for _ in range(20)]
            for place, (operation, figures) in enumerate(found.items()):
                if operation in PATHS:
                    figures.append(wrk(address, operation, PATHS[operation], ZONE, f"round{number}", "0"))
                else:
                    seed = str(number * 10 + place)
                    figures.append(wrk(address, operation, "/rest/v1/persons", key, seed, bearer))
    for operation, figures in found.items():
        what = f"{TITLES[operation]}, {CONNECTIONS} connections"
        report.add(what, [figure["rate"] for figure in figures], "req/s")
        report.add(f"{what}: p50", [figure["p50"] for figure in figures], "ms")
        report.add(f"{what}: p99", [figure["p99"] for figure in figures], "ms")
    report.add("one 4 KiB fdatasync of this disk between the rounds", disk, "ms")


if __name__ == "__main__":
    run(__doc__, measure)
