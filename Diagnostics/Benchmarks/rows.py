#!/usr/bin/env python3
"""Rows on devices with Swiss Coin: the migration of rows of nobody into an account, a first pull, a push, and the first list
in a process."""

import http.client
import json
import os
import subprocess
import time

from support import coins
from support.commandline import run
from support.processes import BenchmarkError, World, cpu_seconds, memory_mb, program
from support.report import progress

ROUNDS = 3
MIGRATED, PULLED, FEWER, PUSHED = 20_000, 100_000, 10_000, 5_000
PHOTOS, PHOTO_BYTES = 200, 100 * 1024
EMAIL, PASSWORD = "bench@example.test", "secret1"
PATIENCE = 300


class Coins(World):
    """A server, and devices with Swiss Coin."""

    def begin(self):
        server, ready = self.serve()
        self.server, self.address, self.push = server, ready["http"], ready["push"]
        self.key = ready["supabase"]["anonKey"]

    def coin_device(self, name):
        return self.start(
            f"device {name}", "device", name, "--app", "swiss-coin", "--server", f"http://{self.address}",
            "--push", self.push, "--eager", "--tune", "localQuiet=50")

    def imports(self, name, rows):
        """Gives a device that does not run those rows. Returns how long it took."""
        path = os.path.join(self.folder.name, "rows.json")
        coins.write_file(path, rows)
        command = [program(), "import", path, "--device", name, "--app", "swiss-coin", "--data", self.data, "--json"]
        began = time.perf_counter()
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise BenchmarkError(f"an import ended with exit code {done.returncode}: {done.stderr}")
        return time.perf_counter() - began

    def seed(self, rows):
        """Gives a new account those rows over HTTP."""
        connection = http.client.HTTPConnection(self.address, timeout=60)
        fields = {"apikey": self.key, "Content-Type": "application/json"}
        connection.request("POST", "/auth/v1/signup", json.dumps({"email": EMAIL, "password": PASSWORD}), fields)
        fields["Authorization"] = "Bearer " + json.loads(connection.getresponse().read())["access_token"]
        fields["Prefer"] = "resolution=merge-duplicates,return=minimal"
        for table, own in rows.items():
            for first in range(0, len(own), 1000):
                connection.request("POST", f"/rest/v1/{table}", json.dumps(own[first:first + 1000]), fields)
                response = connection.getresponse()
                content = response.read()
                if response.status >= 300:
                    raise BenchmarkError(f"rows of {table} were answered {response.status}: {content[:200]!r}")
        connection.close()

    def until(self, device, count, event, size, last):
        """Waits until `count` things of an event have come and then the event `last`."""
        seen, end = 0, time.perf_counter() + PATIENCE
        while time.perf_counter() < end:
            for arrived, source, found in self.events(20):
                if source is not device:
                    continue
                seen += size(found) if found["event"] == event else 0
                if seen >= count and last(found):
                    return arrived
        raise BenchmarkError(f"{device.name} reported {seen} of {count} rows within {PATIENCE} s")


def finished(event):
    return event["event"] == "syncFinished"


def picture(number):
    """The bytes of a picture by its format's mark. Each is another one."""
    return b"\xff\xd8\xff\xe0" + number.to_bytes(4, "big") + bytes(PHOTO_BYTES - 8)


def add_photos(world, device, count):
    """Gives that many persons a photo that waits to be uploaded."""
    path = os.path.join(world.folder.name, "photo.jpg")
    for number in range(count):
        with open(path, "wb") as file:
            file.write(picture(number))
        device.say(f"photo {coins.identifier('row person', number)} {path}")
        _, _, answer = world.wait(device, lambda event: event["event"] in ("answer", "error"), timeout=PATIENCE)
        if "waits to be uploaded" not in answer.get("said", ""):
            raise BenchmarkError(f"a photo should wait to be uploaded, and the answer was {answer}")


def migrate(photos):
    """Seconds of an import, of the first list in a process, and of the migration of the rows with that many photos."""
    with Coins() as world:
        imported = world.imports("A", coins.tables(MIGRATED))
        world.begin()
        device = world.coin_device("A")
        world.quiet(0.5)
        began = time.perf_counter()
        device.say("list persons 3")
        listed, _, _ = world.wait(device, lambda event: event["event"] == "answer", timeout=PATIENCE)
        listed -= began
        add_photos(world, device, photos)
        before = cpu_seconds(device.pid)
        began = time.perf_counter()
        device.say(f"signup {EMAIL} {PASSWORD}")
        done, _, _ = world.wait(device, lambda event: event.get("text") == "Migration complete!", timeout=PATIENCE)
        return {
            "import": imported, "list": listed, "migration": done - began, "device": cpu_seconds(device.pid) - before,
            "server": cpu_seconds(world.server.pid)}


def pull(count):
    """Seconds, processor time and memory of a first pull of that many rows, and seconds of a push of others after it."""
    with Coins() as world:
        world.begin()
        world.seed(coins.tables(count))
        device = world.coin_device("B")
        world.quiet(0.5)
        before = cpu_seconds(device.pid) + cpu_seconds(world.server.pid)
        began = time.perf_counter()
        device.say(f"signin {EMAIL} {PASSWORD}")
        pulled = world.until(device, count, "pageMerged", lambda event: event["records"], finished) - began
        spent = cpu_seconds(device.pid) + cpu_seconds(world.server.pid) - before
        memory = memory_mb(device.pid, "VmHWM")
        world.stop(device)
        world.imports("B", coins.tables(PUSHED, "more"))
        device = world.coin_device("B")
        pushed = world.until(device, PUSHED, "sent", lambda _: 1, finished) - device.started
        return {"seconds": pulled, "processor": spent, "memory": memory, "push": pushed}


def measure(report):
    rounds = []
    for number in range(1, ROUNDS + 1):
        progress(f"rows: round {number} of {ROUNDS}")
        rounds.append((migrate(0), migrate(PHOTOS), pull(FEWER), pull(PULLED)))
    moved, pictured, few, many = zip(*rounds)
    report.add(f"import of {MIGRATED} rows", [each["import"] for each in moved], "s")
    report.add(f"first list in a process, {MIGRATED} rows", [each["list"] * 1000 for each in moved], "ms")
    sized = f"with {PHOTOS} photos of {PHOTO_BYTES // 1024} KiB"
    for what, found in (("without photos", moved), (sized, pictured)):
        report.add(f"migration of {MIGRATED} rows {what}", [each["migration"] for each in found], "s", 10)
        report.add("  processor time of the device", [each["device"] for each in found], "s")
        report.add("  processor time of the server", [each["server"] for each in found], "s")
    for count, found in ((FEWER, few), (PULLED, many)):
        rates = [count / each["seconds"] for each in found]
        report.add(f"first pull of {count} rows: rows per second", rates, "1/s", least=20_000)
        report.add("  processor time of device and server", [each["processor"] for each in found], "s")
        report.add(f"first pull of {count} rows: most memory of the device", [each["memory"] for each in found], "MB")
        report.add(f"push of {PUSHED} rows beside {count}, from the device's start", [each["push"] for each in found], "s", 2)


if __name__ == "__main__":
    run(__doc__, measure)
