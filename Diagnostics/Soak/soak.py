#!/usr/bin/env python3
"""Minutes of churn over a server and two devices, and whether memory, open files and file sizes stay flat meanwhile.

Devices edit records again and again, end and start again; clients come, send half a request or nonsense, and go; push tokens
are created and used once. A client of the tables writes rows, replaces photos, goes in the middle of uploads and listens on
sockets; one of the documents changes and reads them. Each device edits its own half of the records: a conflict adds a record to the journal, and here the
amount of data stays the same, so that nothing may grow.
"""

import argparse
import json
import os
import random
import socket
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "Benchmarks"))

from support.processes import BASE, QUERY, BenchmarkError, Cloud, World, memory_mb  # noqa: E402
from support.report import progress, shown  # noqa: E402
from services import Services  # noqa: E402

MINUTES = 15
RECORDS = 40
DEBOUNCE = 50
SAMPLE_SECONDS = 2
RESTART_SECONDS = 7
# What a figure may be higher in the last quarter than in the second one: a share of it, and an amount.
SHARE = 0.05
ALLOWANCE = {"memory": 3.0, "open files": 3, "files": 1.0}
# A WAL grows up to a limit and begins anew: its highest value counts, and the limit with the last commit. That of a zone is
# 64 MB, that of a device's small file 1,000 pages.
WAL = "longest WAL"
WAL_LIMITS = {"cloud": 66.0, "devices": 5.0}
UNITS = {"memory": "MB", "open files": "", "files": "MB", WAL: "MB"}


class Churn:
    """What happens in each round."""

    def __init__(self, world, server, ready):
        self.world, self.server, self.ready = world, server, ready
        self.random = random.Random(1)
        self.cloud = Cloud(ready["http"])
        self.devices = {name: world.device(name, ready, DEBOUNCE) for name in ("A", "B")}
        self.services = Services(ready["http"])
        self.records = []
        self.rounds = self.restarts = 0

    def fill(self):
        """Makes the records that are edited from then on, and a push token that is made once more each round."""
        for number in range(RECORDS):
            self.devices["A"].say(f"log feeding bottle volume {60 + number}")
            _, _, answer = self.world.wait(self.devices["A"], lambda event: event["event"] == "answer")
            self.records.append(answer["records"][-1])
        seen = set()
        while not seen.issuperset(self.records):
            _, _, event = self.world.wait(self.devices["B"], lambda event: event["event"] == "remoteChange")
            seen.update(event["records"])

    def play(self, since_restart):
        """One round. Returns whether it restarted a device."""
        self.rounds += 1
        for half, device in enumerate(self.devices.values()):
            record = self.random.choice(self.records[half::2])
            device.say(f"edit {record} bottleVolume {self.random.randrange(1, 300)}")
            self.world.wait(device, lambda event: event["event"] == "answer")
        self.cloud.call("POST", f"{BASE}/changes/database?{QUERY}", {})
        self.read_half()
        self.send_nonsense()
        self.use_token()
        self.services.play()
        if since_restart < RESTART_SECONDS:
            return False
        self.restart(self.random.choice(list(self.devices)))
        return True

    def connect(self, address):
        host, port = address.rsplit(":", 1)
        return socket.create_connection((host, int(port)), timeout=20)

    def read_half(self):
        """A client that goes before its request is whole."""
        with self.connect(self.ready["http"]) as client:
            client.sendall(b"POST /database/1/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n{")

    def send_nonsense(self):
        """A client that speaks another protocol, and reads the answer to its end."""
        with self.connect(self.ready["http"]) as client:
            client.sendall(bytes(self.random.randrange(256) for _ in range(200)) + b"\r\n\r\n")
            client.shutdown(socket.SHUT_WR)
            while client.recv(4096):
                pass

    def use_token(self):
        """A device that registers for pushes, says hello once, and never comes back."""
        device = f"guest{self.rounds % 10}"
        path = f"/device/1/iCloud.com.example.bench/development/tokens/create?{QUERY}&clientId={device}"
        token = self.cloud.call("POST", path, {"apnsEnvironment": "development", "clientId": device})["apnsToken"]
        with self.connect(self.ready["push"]) as client:
            client.sendall(json.dumps({"hello": {"token": token, "device": device}}).encode() + b"\n")
            client.recv(4096)

    def restart(self, name):
        """Ends a device, by SIGKILL every other time, and starts it again."""
        self.restarts += 1
        device = self.devices[name]
        if self.restarts % 2:
            device.process.kill()
        self.world.stop(device)
        self.devices[name] = self.world.start_device(name, self.ready, DEBOUNCE)
        self.world.wait(self.devices[name], lambda event: event["event"] == "syncFinished")


class Samples:
    """Figures over time: (what, kind) -> the values."""

    def __init__(self):
        self.values = {}

    def add(self, what, kind, value):
        self.values.setdefault((what, kind), []).append(value)

    def take(self, churn):
        pid = churn.server.pid
        self.add("server", "memory", memory_mb(pid))
        self.add("server", "open files", len(os.listdir(f"/proc/{pid}/fd")))
        for name in os.listdir(churn.world.data):
            logs, others = [], []
            for path, size in sizes_mb(os.path.join(churn.world.data, name)):
                (logs if path.endswith("-wal") else others).append(size)
            self.add(name, "files", sum(others))
            self.add(name, WAL, max(logs, default=0))
        # A device that has just started has not grown yet: the median of a quarter is that of devices of all ages.
        for name, device in churn.devices.items():
            self.add(f"device {name}", "memory", memory_mb(device.pid))
            self.add(f"device {name}", "open files", len(os.listdir(f"/proc/{device.pid}/fd")))

    def rows(self):
        """For each figure: what, kind, the median of the second quarter and that of the last, and whether it is flat."""
        for (what, kind), values in sorted(self.values.items()):
            quarter = max(1, len(values) // 4)
            second, last = values[quarter:2 * quarter], values[-quarter:]
            if kind == WAL:
                yield what, kind, max(second), max(last), max(last) <= WAL_LIMITS.get(what, 5.0)
            else:
                early, late = median(second), median(last)
                yield what, kind, early, late, late <= early * (1 + SHARE) + ALLOWANCE[kind]


def median(values):
    ordered = sorted(values)
    return ordered[len(ordered) // 2]


def sizes_mb(folder):
    """The paths of all files below a folder, with their sizes in MB of 1024 kB."""
    for base, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(base, name)
            try:
                yield path, os.path.getsize(path) / (1 << 20)
            except FileNotFoundError:
                pass  # A WAL that its last user has just removed.


def soak(minutes):
    """The samples, the rounds and the restarts of that many minutes."""
    samples = Samples()
    with World() as world:
        server, ready = world.serve()
        churn = Churn(world, server, ready)
        churn.fill()
        began = sampled = restarted = told = time.monotonic()
        while (now := time.monotonic()) < began + 60 * minutes:
            if churn.play(now - restarted):
                restarted = time.monotonic()
            if now - sampled >= SAMPLE_SECONDS:
                sampled = now
                samples.take(churn)
            if now - told >= 30:
                told = now
                left = began + 60 * minutes - now
                progress(f"{churn.rounds} rounds, server {memory_mb(server.pid):.1f} MB, {left / 60:.1f} minutes left")
    return samples, churn


def main():
    parser = argparse.ArgumentParser(prog="Scripts/soak", description=__doc__, formatter_class=argparse.RawTextHelpFormatter,
                                     epilog="Exit code 1 when something grew, 3 when it could not be measured.\n\nexample: Scripts/soak --minutes 2")
    parser.add_argument("--minutes", type=float, default=MINUTES, help=f"how long (default {MINUTES}; one at least)")
    parser.add_argument("--json", action="store_true", help="one JSON object a line instead of a table")
    options = parser.parse_args()
    if options.minutes < 1:
        parser.error("--minutes should be 1 or more: shorter runs show how programs start")
    try:
        samples, churn = soak(options.minutes)
    except (BenchmarkError, OSError) as error:
        print(f"soak: {error}", file=sys.stderr)
        return 3
    rows = list(samples.rows())
    if options.json:
        for what, kind, early, late, flat in rows:
            print(json.dumps({"what": what, "kind": kind, "early": early, "late": late, "flat": flat}))
    else:
        print(f"{options.minutes:g} minutes, {churn.rounds} rounds, {churn.restarts} restarts of devices")
        print(f"{'what':10}  {'figure':11}  {'2nd quarter':>13}  {'last quarter':>13}")
        for what, kind, early, late, flat in rows:
            cells = [f"{shown(value)} {UNITS[kind]}".strip() for value in (early, late)]
            print(f"{what:10}  {kind:11}  {cells[0]:>13}  {cells[1]:>13}  {'' if flat else 'grew'}".rstrip())
    return 0 if all(flat for *_, flat in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
