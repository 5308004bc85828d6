"""What the black-box tests share: the program, a server of their own, polling, and the test cases they extend."""

import base64
import contextlib
import json
import os
import pathlib
import re
import selectors
import select
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.parse

from clients import Cloud, PushClient, RawConnection

ROOT = pathlib.Path(__file__).resolve().parents[2]
# How many times as long a program may take that `Scripts/check --sanitize` built.
SLOWDOWN = 5 if "ZONEKIT_SANITIZER" in os.environ else 1
# How many times as much memory such a program may take: a sanitizer keeps freed memory for a while.
SWELLING = 3 if "ZONEKIT_SANITIZER" in os.environ else 1
# How long a condition may take on a busy machine before a test fails.
PATIENCE = 10.0 * SLOWDOWN
ERROR_CODES = {
    "ACCESS_DENIED",
    "ATOMIC_ERROR",
    "AUTHENTICATION_FAILED",
    "AUTHENTICATION_REQUIRED",
    "BAD_REQUEST",
    "CONFLICT",
    "EXISTS",
    "INTERNAL_ERROR",
    "NOT_FOUND",
    "QUOTA_EXCEEDED",
    "THROTTLED",
    "TRY_AGAIN_LATER",
    "VALIDATING_REFERENCE_ERROR",
    "ZONE_NOT_FOUND",
}
UUID = re.compile(r"^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$")


def zonekit():
    """The program to test: $ZONEKIT, else the newest build of this working copy."""
    if named := os.environ.get("ZONEKIT"):
        if not os.access(named, os.X_OK):
            raise AssertionError(f"ZONEKIT names {named}, which is not a program; build zonekit first")
        return os.path.abspath(named)
    builds = [path for kind in ("debug", "release") if (path := ROOT / ".build" / kind / "zonekit").exists()]
    if not builds:
        raise AssertionError(f"there is no zonekit under {ROOT}/.build; build it, or set ZONEKIT")
    return str(max(builds, key=lambda path: path.stat().st_mtime))


def eventually(probe, what, patience=PATIENCE):
    """What `probe` returns, once that is true; fails when the time is over. An AssertionError counts as "not yet"."""
    deadline = time.monotonic() + patience
    pause, last = 0.005, None
    while True:
        try:
            if found := probe():
                return found
        except AssertionError as error:
            last = error
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {patience} s: {what}" + (f"; at last: {last}" if last else ""))
        select.select([], [], [], pause)  # between two looks at the condition, never instead of one
        pause = min(pause * 1.5, 0.1)


class Folder:
    """A temporary folder with a short path (Unix sockets allow 107 bytes), removed with `close`."""

    def __init__(self):
        self.path = pathlib.Path(tempfile.mkdtemp(prefix="zk-"))

    def close(self):
        shutil.rmtree(self.path, ignore_errors=True)


def run_zonekit(*arguments, data=None, stdin="", timeout=60, environment=None, prefix=()):
    """One run of the program to its end, with its output as text."""
    command = [*prefix, zonekit(), *map(str, arguments)] + (["--data", str(data)] if data else [])
    return subprocess.run(
        command, input=stdin, capture_output=True, text=True, timeout=timeout, env={**os.environ, **(environment or {})}
    )


def python_with(package, folder, variable):
    """A Python that can import a package of PyPI: the one that the environment variable names, else one that is set up in
    the folder. Skips, with the reason, where there is none to be had."""
    if named := os.environ.get(variable):
        return named
    python = folder / "venv" / "bin" / "python"
    for command in (
        [sys.executable, "-m", "venv", folder / "venv"],
        [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--retries", "1", package],
    ):
        try:
            done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=120)
        except subprocess.TimeoutExpired:
            raise unittest.SkipTest(f"{package} could not be installed within 120 s") from None
        if done.returncode != 0:
            last = (done.stderr.strip() or done.stdout.strip()).splitlines()[-1:]
            raise unittest.SkipTest(f"{package} cannot be installed here: {' '.join(last)}")
    return str(python)


class Server:
    """A `zonekit serve` process. Its ready line says where it listens."""

    def __init__(self, data, *arguments, http="127.0.0.1:0", push="127.0.0.1:0", prefix=(), pass_fds=()):
        self.data = pathlib.Path(data)
        self._log = tempfile.TemporaryFile()
        command = [*prefix, zonekit(), "serve", "--data", str(data), "--http", http, "--push", push, *arguments]
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self._log, pass_fds=pass_fds
        )
        try:
            self.ready_line = self._first_line()
            self.ready = json.loads(self.ready_line)
        except BaseException:
            self.kill()
            raise
        self.http, self.push, self.pid = self.ready["http"], self.ready["push"], self.process.pid

    def _first_line(self):
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            if not selector.select(PATIENCE):
                raise AssertionError(f"no ready line within {PATIENCE} s: {self.log()}")
        line = self.process.stdout.readline()
        if not line:
            raise AssertionError(f"serve ended with exit code {self.process.wait(PATIENCE)}: {self.log()}")
        return line.decode()

    def log(self, limit=2000):
        self._log.seek(0)
        return self._log.read().decode(errors="replace")[-limit:]

    def cloud(self, user="nanny", **more):
        return Cloud(self.http, user, **more)

    def raw(self):
        return RawConnection(self.http)

    def push_client(self, source=None, **hello):
        return PushClient(self.push, hello, source)

    def is_running(self):
        return self.process.poll() is None

    def memory(self):
        """Megabytes of memory that the process holds."""
        status = pathlib.Path(f"/proc/{self.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+) kB", status)[1]) // 1024

    def end(self, with_signal=signal.SIGTERM):
        """The exit code after the signal."""
        if self.is_running():
            self.process.send_signal(with_signal)
        try:
            code = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise AssertionError(f"serve did not end within {PATIENCE} s of {with_signal}") from None
        finally:
            self.process.stdout.close()
        return code

    def kill(self):
        """Ends the process as a crash does: nothing is flushed, nothing is said."""
        if self.is_running():
            self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def close(self):
        self.kill()
        self._log.close()


class Case(unittest.TestCase):
    """A test with a folder of its own and words for what CloudKit Web Services promise."""

    maxDiff = 4000

    def folder(self):
        folder = Folder()
        self.addCleanup(folder.close)
        return folder.path

    def serve(self, data=None, *arguments, **more):
        server = Server(data or self.folder() / "data", *arguments, **more)
        self.addCleanup(server.close)
        return server

    def served_data(self):
        """A data directory with a device and its record in the cloud, and a server that has ended."""
        data = self.folder() / "data"
        server = self.serve(data)
        if (run := run_zonekit("device", "A", "-c", "log diaper pee", data=data)).returncode != 0:
            raise AssertionError(run.stderr)
        server.end()
        return data

    def keep(self, client):
        """Closes a client at the end of the test."""
        self.addCleanup(client.close)
        return client

    def mount(self, size):
        """The folder of a file system in memory of that size; skips the test where it cannot be mounted."""
        if os.geteuid() != 0:
            self.skip("mounting a small disk needs root")
        path = self.folder() / "disk"
        path.mkdir()
        mount = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(path)], capture_output=True, text=True
        )
        if mount.returncode != 0:
            self.skip(f"a small disk cannot be mounted here: {mount.stderr.strip()}")
        self.addCleanup(subprocess.run, ["umount", "-l", str(path)], check=True)
        return path

    def skip(self, reason):
        print(f"skipped: {reason}", file=sys.stderr)
        raise unittest.SkipTest(reason)

    def assert_top_level_error(self, reply, status, code):
        """An error of the whole request: status, code, and the three strings that clients need (d.1)."""
        self.assertEqual((reply.status, reply.json.get("serverErrorCode")), (status, code), reply.json)
        self.assertRegex(reply.json["uuid"], UUID)
        self.assertTrue(reply.json["reason"])
        self.assertIn("application/json", reply.headers["content-type"])

    def assert_item_error(self, item, code, key="recordName"):
        """An error in a list: its name, a reason and a code, and nothing of a success (d.2)."""
        self.assertEqual(item.get("serverErrorCode"), code, item)
        self.assertTrue(item["reason"])
        self.assertIn(key, item)
        for unwanted in ("recordType", "fields", "syncToken", "records", "subscriptionType", "ckErrorCode"):
            self.assertNotIn(unwanted, item)
        if key == "recordName":
            self.assertNotIn("uuid", item, "a strict client refuses uuid in record errors (d.2)")

    def assert_saved(self, item):
        self.assertNotIn("serverErrorCode", item, item)
        self.assertIs(item["deleted"], False, item)
        return item

    def assert_base64(self, token):
        self.assertIsInstance(token, str)
        self.assertEqual(base64.b64encode(base64.b64decode(token, validate=True)).decode(), token)


class ServerCase(Case):
    """Tests that share one server; each has an account of its own, so none sees what another did."""

    @classmethod
    def setUpClass(cls):
        folder = Folder()
        cls.addClassCleanup(folder.close)
        cls.server = Server(folder.path / "data")
        cls.addClassCleanup(cls.server.close)

    @classmethod
    def tearDownClass(cls):
        if not cls.server.is_running():
            raise AssertionError(f"the server ended during these tests: {cls.server.log()}")

    def setUp(self):
        self.user = self.id().rpartition(".")[2][:200]
        self.cloud = self.client()

    def client(self, user=None, **more):
        """Another client, of this test's account unless another user is named."""
        return self.keep(self.server.cloud(user or self.user, **more))


def fold(records, onto=None):
    """What a device knows after a feed: record name -> change tag; tombstones take a name away."""
    known = dict(onto or {})
    for record in records:
        if record["deleted"]:
            known.pop(record["recordName"], None)
        else:
            known[record["recordName"]] = record["recordChangeTag"]
    return known


@contextlib.contextmanager
def database(path):
    """A SQLite file as any tool would open it, for reading."""
    connection = sqlite3.connect(f"file:{urllib.parse.quote(str(path))}?mode=ro", uri=True)
    try:
        yield connection
    finally:
        connection.close()


def check_sqlite_files(folder):
    """
    The SQLite files below a folder, after an integrity check of each.

    A file with a rollback journal beside it was being made when its owner died: only who may write can open it (SQLite:
    lockingv3.html, hot journals), and there is at most its first page. The journal is of that making alone: all else
    goes through the WAL.
    """
    found = []
    for path in (path for path in sorted(folder.rglob("*")) if path.suffix in (".sqlite", ".zone")):
        if path.with_name(path.name + "-journal").exists():
            if path.stat().st_size > 4096:
                raise AssertionError(f"{path} has a rollback journal, and more than a first page")
            continue
        found.append(path)
        with database(path) as file:
            verdict = file.execute("PRAGMA integrity_check").fetchone()[0]
        if verdict != "ok":
            raise AssertionError(f"{path} is damaged: {verdict}")
    return found
