"""Objects whose files are damaged, and things in a data directory that are no ordinary files: named, and never waited for."""

import hashlib
import os
import shutil
import socket
import subprocess

from supabase_http import Auth
from support import Case, run_zonekit
from test_supabase_storage import JPEG, Objects

# Longer than any of these runs takes; a program that opens a pipe waits for its other end.
LIMIT = 30


def make_socket(path):
    with socket.socket(socket.AF_UNIX) as listener:
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        listener.bind(f"/proc/self/fd/{folder}/{path.name}")
        os.close(folder)


def make_link(path):
    """A link to a copy of what was at the path: following it would look right."""
    target = path.with_name(path.name + ".target")
    target.write_bytes(path.read_bytes() if path.exists() else b"")
    path.unlink(missing_ok=True)
    path.symlink_to(target)


def instead(make):
    def replace(path):
        path.unlink(missing_ok=True)
        make(path)

    return replace


ODDITIES = {
    "pipe": instead(os.mkfifo), "link": make_link, "socket": instead(make_socket), "folder": instead(os.mkdir),
    "device": instead(lambda path: os.mknod(path, 0o600 | 0o020000, os.makedev(1, 5))),
}
WORDS = {"pipe": "named pipe", "link": "symbolic link", "socket": "socket", "folder": "folder", "device": "device"}


class DamagedObjects(Case):
    def start(self, data=None):
        self.server = self.serve(data)
        self.auth = self.keep(Auth(self.server.http))
        return self.server

    def setUp(self):
        self.start()
        self.mara = Objects(self.auth, self.auth.sign_up("mara@example.test").json)
        self.mara.put("a.jpg")
        self.path = next(self.server.data.rglob(f"assets/*/{hashlib.sha256(JPEG).hexdigest()}"))

    def errors(self):
        return self.auth.ask("GET", "status", headers={}, root="/zonekit/").json["cloud"]["errors"]

    def assert_damaged(self, words):
        reply = self.mara.get("a.jpg")
        self.assertEqual(reply.status, 503, reply.body[:200])
        self.assertEqual(reply.json["statusCode"], "503")
        self.assertIn(words, reply.json["message"])
        self.assertIn("retry-after", reply.headers)
        (error,) = self.errors()
        self.assertIn(str(self.path), error)
        self.assertIn(words, error)

    def assert_whole(self):
        reply = self.mara.get("a.jpg")
        self.assertEqual((reply.status, reply.body), (200, JPEG))
        self.assertEqual(self.errors(), [])
        self.assertEqual(self.path.read_bytes(), JPEG)

    def damages(self):
        flipped = bytes([JPEG[0] ^ 1]) + JPEG[1:]
        yield "another hash", lambda path: path.write_bytes(flipped)
        for size in (0, 1, len(JPEG) - 1, len(JPEG) + 1):
            content = (JPEG + b"x")[:size]
            yield f"{size} bytes instead of {len(JPEG)}", lambda path, content=content: path.write_bytes(content)
        yield "missing", os.unlink
        for name, replace in ODDITIES.items():
            if name != "device" or os.geteuid() == 0:
                yield WORDS[name], replace

    def test_damaged_bytes_are_not_served_and_an_upload_replaces_them(self):
        for words, damage in self.damages():
            with self.subTest(words):
                damage(self.path)
                self.assert_damaged(words)
                if self.path.is_dir() and not self.path.is_symlink():
                    self.path.rmdir()
                self.assertEqual(self.mara.put("a.jpg", method="PUT").status, 200)
                self.assert_whole()

    def test_an_upload_to_another_path_replaces_damaged_bytes_too(self):
        self.path.write_bytes(b"wrong")
        self.assertEqual(self.mara.put("b.jpg").status, 200)
        self.assertEqual(self.mara.get("b.jpg").body, JPEG)
        self.assert_whole()

    def test_a_repair_moves_damaged_files_away(self):
        for words, damage in self.damages():
            with self.subTest(words):
                damage(self.path)
                checked = run_zonekit("check", data=self.server.data, timeout=LIMIT)
                self.assertEqual(checked.returncode, 1, "beside a running server")
                self.assertIn(words, checked.stdout)
                self.assertEqual(self.server.end(), 0)
                there = os.path.lexists(self.path)
                repair = run_zonekit("repair", "--json", data=self.server.data, timeout=LIMIT)
                self.assertEqual(repair.returncode, 1, "the bytes are still missing")
                self.assertIn("is missing", repair.stdout)
                self.assertFalse(os.path.lexists(self.path))
                if there:
                    moved = list(self.server.data.glob(f"backups/*-repair/cloud/**/assets/*/{self.path.name}"))
                    self.assertTrue(moved, repair.stdout)
                self.start(self.server.data)
                self.mara.auth = self.auth
                self.assert_damaged("missing")
                self.assertEqual(self.mara.put("a.jpg", method="PUT").status, 200)
                self.assert_whole()
                self.assertEqual(run_zonekit("check", data=self.server.data, timeout=LIMIT).returncode, 0)


class OddFiles(Case):
    """Each file that the program opens, as something else."""

    def setUp(self):
        server = self.serve()
        auth = self.keep(Auth(server.http))
        mara = Objects(auth, auth.sign_up("mara@example.test").json)
        mara.put("a.jpg")
        cloud = self.keep(server.cloud("n" * 200))
        cloud.create_zone("Notes")
        cloud.subscribe()
        cloud.save("a", zone="Notes")
        self.device(server, "log diaper wet")
        self.assertEqual(run_zonekit("snapshot", "save", "kept", data=server.data).returncode, 0)
        self.assertEqual(server.end(), 0)
        self.data = server.data

    def device(self, server, *commands):
        words = [word for command in commands for word in ("-c", command)]
        return run_zonekit("device", "A", "--server", f"http://{server.http}", "--push", server.push, *words, data=server.data, timeout=LIMIT)

    def files(self):
        """The files to replace, and those that SQLite would open beside them."""
        for path in sorted(path for folder in ("cloud", "devices", "snapshots") for path in (self.data / folder).rglob("*")):
            if path.is_file():
                yield path
                if path.suffix == ".zone" and path.name.startswith("Notes"):
                    for ending in ("-wal", "-shm", "-journal"):
                        yield path.with_name(path.name + ending)

    def run_all(self, data):
        """Runs what opens the files. Each of them ends; what it says is for its own tests."""
        for words in (
            ("snapshot", "save", "more"), ("export", "--device", "A"), ("tables",), ("reset", "local", "A", "--yes"),
            ("snapshot", "restore", "kept"), ("repair",),
        ):
            with self.subTest(words):
                try:
                    run = run_zonekit(*words, data=data, timeout=LIMIT)
                except subprocess.TimeoutExpired:
                    self.fail(f"{' '.join(words)} does not end")
                self.assertGreaterEqual(run.returncode, 0, run.stderr)

    def test_nothing_waits_for_a_pipe(self):
        for path in list(self.files()):
            with self.subTest(str(path.relative_to(self.data))):
                data = self.folder() / "data"
                shutil.copytree(self.data, data, symlinks=True)
                place = data / path.relative_to(self.data)
                ODDITIES["pipe"](place)
                checked = run_zonekit("check", "--json", data=data, timeout=LIMIT)
                if path.parts[len(self.data.parts)] != "snapshots" and path.name != "owner.lock":
                    self.assertEqual(checked.returncode, 1, checked.stdout + checked.stderr)
                    self.assertIn(path.name.removesuffix("-wal").removesuffix("-shm").removesuffix("-journal"), checked.stdout)
                try:
                    server = self.serve(data)
                except AssertionError as error:
                    self.assertIn(str(place), str(error))
                else:
                    for user in ("n" * 200, "nanny"):
                        cloud = self.keep(server.cloud(user))
                        cloud.call("records/lookup", {"records": [{"recordName": "a"}], "zoneID": {"zoneName": "Notes"}})
                    self.keep(Auth(server.http)).sign_in("mara@example.test")
                    self.assertEqual(server.end(), 0)
                self.run_all(data)
