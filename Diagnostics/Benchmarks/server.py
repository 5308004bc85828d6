#!/usr/bin/env python3
"""The server's start and its memory: empty, with records, and with many idle push connections."""

import json
import selectors
import socket
import time

from support.commandline import run
from support.processes import BenchmarkError, Cloud, World, memory_mb, raise_open_file_limit
from support.report import progress

STARTS = 20
RECORDS = 1000
CONNECTIONS = 10_000
AT_ONCE = 200  # connections that say hello together
SPARE_FILES = 200


def start_once(world):
    """Starts a server: milliseconds from exec to the first 200 of /zonekit/status."""
    server, ready = world.serve()
    Cloud(ready["http"]).call("GET", "/zonekit/status")
    return server, ready, (time.perf_counter() - server.started) * 1000


def measure_start(report):
    fresh, again, empty, filled, private = [], [], [], [], []
    for _ in range(STARTS):
        with World() as world:
            server, ready, took = start_once(world)
            fresh.append(took)
            empty.append(memory_mb(server.pid))
            private.append(memory_mb(server.pid, "RssAnon"))
    for _ in range(3):
        with World() as world:
            server, ready, _ = start_once(world)
            cloud = Cloud(ready["http"])
            cloud.create_zone()
            cloud.create_records(RECORDS)
            filled.append(memory_mb(server.pid))
            world.stop(server)
            server, _, took = start_once(world)
            again.append(took)
    report.add("start to first answer, empty folder", fresh, "ms", 50)
    report.add(f"start to first answer, {RECORDS} records", again, "ms", 50)
    report.add("resident memory after start", empty, "MB", 30)
    report.add("of it not backed by a file", private, "MB")
    report.add(f"resident memory after {RECORDS} records", filled, "MB", 30)


def connect_many(address, count):
    """Idle push connections that have been welcomed."""
    host, port = address.rsplit(":", 1)
    sockets = []
    for first in range(0, count, AT_ONCE):
        batch = [socket.create_connection((host, int(port)), timeout=30) for _ in range(min(AT_ONCE, count - first))]
        sockets += batch
        for number, connection in enumerate(batch, first):
            hello = {"hello": {"user": "bench", "device": f"d{number}"}}
            connection.sendall(json.dumps(hello).encode() + b"\n")
        for connection in batch:
            answer = b""
            while not answer.endswith(b"\n"):
                part = connection.recv(4096)
                if not part:
                    break
                answer += part
            if b'"welcome"' not in answer:
                raise BenchmarkError(f"the push socket should have said welcome and said {answer[:200]!r}")
        if len(sockets) % 2000 == 0:
            progress(f"server: {len(sockets)} of {count} push connections")
    return sockets


def count_closed(sockets):
    """How many of the connections have something to read: idle ones have not."""
    with selectors.DefaultSelector() as selector:
        for connection in sockets:
            selector.register(connection, selectors.EVENT_READ)
        return len(selector.select(0))


def measure_idle_connections(report):
    what = f"memory per idle push connection, {CONNECTIONS} of them"
    limit = raise_open_file_limit()
    if limit < CONNECTIONS + SPARE_FILES:
        report.skip(what, f"{CONNECTIONS + SPARE_FILES} open files are needed and {limit} are allowed: ulimit -Hn")
        return
    with World() as world:
        server, ready, _ = start_once(world)
        before = memory_mb(server.pid)
        began = time.perf_counter()
        sockets = connect_many(ready["push"], CONNECTIONS)
        took = time.perf_counter() - began
        after = memory_mb(server.pid)
        closed = count_closed(sockets)
        for connection in sockets:
            connection.close()
    if closed:
        raise BenchmarkError(f"{closed} of {CONNECTIONS} idle push connections were closed or spoken to")
    report.add(what, [(after - before) * 1024 / CONNECTIONS], "kB")
    report.add(f"resident memory with {CONNECTIONS} of them", [after], "MB")
    report.add(f"time to register and welcome {CONNECTIONS}", [took], "s")


def measure(report):
    measure_start(report)
    measure_idle_connections(report)


if __name__ == "__main__":
    run(__doc__, measure)
