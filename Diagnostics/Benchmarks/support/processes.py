"""A server and devices as real processes, on any free ports and in a folder that goes away."""

import http.client
import json
import os
import resource
import selectors
import signal
import subprocess
import tempfile
import time

QUERY = "ckAPIToken=t&ckWebAuthToken=user:bench"
BASE = "/database/1/iCloud.com.example.bench/development/private"
ZONE = "bench"


class BenchmarkError(Exception):
    """The measurement could not be made; the text says what was expected and what came."""


def program():
    """The program to measure, as `Scripts/bench` built it or as ZONEKIT names it."""
    path = os.environ.get("ZONEKIT", "")
    if not os.access(path, os.X_OK):
        raise BenchmarkError(f"ZONEKIT should name the zonekit program and names '{path}': start this with Scripts/bench")
    return path


def raise_open_file_limit():
    """As many open files as the system allows, here and in every process started from here."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    return most


def memory_mb(pid, field="VmRSS"):
    """A line of proc(5) status, in MB of 1024 kB."""
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        for line in status:
            if line.startswith(field + ":"):
                return int(line.split()[1]) / 1024
    raise BenchmarkError(f"no {field} in the status of process {pid}")


def cpu_seconds(pid):
    """The processor time that a process has used so far, in user and system mode (proc(5), stat)."""
    with open(f"/proc/{pid}/stat", encoding="ascii") as stat:
        fields = stat.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Process:
    """A zonekit process whose standard output is JSON, one event a line."""

    def __init__(self, name, *arguments):
        self.name, self.lines, self.rest = name, [], b""
        self.started = time.perf_counter()
        self.process = subprocess.Popen([program(), *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.pid = self.process.pid

    def read(self):
        """The events that have come, after waiting for the first byte."""
        chunk = os.read(self.process.stdout.fileno(), 1 << 16)
        if not chunk:
            raise BenchmarkError(f"{self.name} ended with exit code {self.process.wait()}")
        *whole, self.rest = (self.rest + chunk).split(b"\n")
        return [json.loads(line) for line in whole if line.strip()]

    def say(self, line):
        os.write(self.process.stdin.fileno(), line.encode() + b"\n")

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()


class World:
    """Processes over one temporary data folder; leaving the `with` ends them and removes it."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="zonekit-bench-")
        self.data = os.path.join(self.folder.name, "world")
        self.processes = []
        self.selector = selectors.DefaultSelector()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in reversed(self.processes):
            process.end()
        self.selector.close()
        self.folder.cleanup()

    def start(self, name, *arguments):
        process = Process(name, *arguments, "--data", self.data, "--json")
        self.processes.append(process)
        self.selector.register(process.process.stdout, selectors.EVENT_READ, process)
        return process

    def stop(self, process):
        self.selector.unregister(process.process.stdout)
        self.processes.remove(process)
        process.end()

    def disk_sync(self):
        """Milliseconds to append 4 KiB durably where the world lies: a commit cannot be faster, and disks have slow phases."""
        file = os.open(os.path.join(self.folder.name, "disk"), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            began = time.perf_counter()
            os.write(file, bytes(4096))
            os.fdatasync(file)
            return (time.perf_counter() - began) * 1000
        finally:
            os.close(file)

    def serve(self, *options):
        """A server on free ports, and its ready line."""
        server = self.start("server", "serve", "--http", "127.0.0.1:0", "--push", "127.0.0.1:0", *options)
        _, _, ready = self.wait(server, lambda event: event["event"] == "ready")
        return server, ready

    def start_device(self, name, ready, debounce, *options):
        """A device that has just been started; what it says is still to be read."""
        arguments = [] if debounce is None else ["--debounce", str(debounce)]
        return self.start(
            f"device {name}", "device", name, "--server", f"http://{ready['http']}", "--push", ready["push"], *arguments,
            *options)

    def device(self, name, ready, debounce, *options):
        """A device that has joined: subscribed, pushed to, and synced once."""
        device = self.start_device(name, ready, debounce, *options)
        self.wait(device, lambda event: event["event"] == "pushToken")
        self.wait(device, lambda event: event["event"] == "syncFinished")
        self.quiet(0.3)
        return device

    def events(self, timeout):
        """What comes next: (time of arrival, process, event), or nothing where `timeout` seconds pass."""
        for key, _ in self.selector.select(timeout):
            found = key.data.read()
            arrived = time.perf_counter()
            for event in found:
                yield arrived, key.data, event

    def wait(self, process, accepts, timeout=20):
        """The first event of `process` that is accepted; events of others are passed over."""
        end = time.perf_counter() + timeout
        while time.perf_counter() < end:
            for arrived, source, event in self.events(end - time.perf_counter()):
                if source is process and accepts(event):
                    return arrived, source, event
        raise BenchmarkError(f"{process.name} did not say what was expected within {timeout} s")

    def quiet(self, seconds):
        """Returns once no process has said anything for `seconds`."""
        while list(self.events(seconds)):
            pass


class Cloud:
    """A client of the server's HTTP."""

    def __init__(self, address):
        self.address = address
        host, port = address.rsplit(":", 1)
        self.connection = http.client.HTTPConnection(host, int(port), timeout=20)

    def call(self, method, path, body=None):
        text = None if body is None else json.dumps(body)
        self.connection.request(method, path, text, {"Content-Type": "application/json"} if text else {})
        response = self.connection.getresponse()
        content = response.read()
        if response.status != 200 or b'"serverErrorCode"' in content:
            raise BenchmarkError(f"{method} {path} was answered {response.status}: {content[:300]!r}")
        return json.loads(content)

    def create_zone(self):
        operation = {"operationType": "create", "zone": {"zoneID": {"zoneName": ZONE}}}
        self.call("POST", f"{BASE}/zones/modify?{QUERY}", {"operations": [operation]})

    def create_records(self, count, prefix="seed"):
        """Records with a text of 180 bytes, in batches of 100."""
        for first in range(0, count, 100):
            operations = [
                {"operationType": "create", "record": {
                    "recordName": f"{prefix}-{number}", "recordType": "Note",
                    "fields": {"body": {"value": "p" * 180, "type": "STRING"}}}}
                for number in range(first, min(first + 100, count))
            ]
            self.call("POST", f"{BASE}/records/modify?{QUERY}",
                      {"operations": operations, "zoneID": {"zoneName": ZONE}})
