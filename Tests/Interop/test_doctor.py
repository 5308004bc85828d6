"""`zonekit doctor`: what it finds in a data directory and around it, and what it says to do."""

import json
import shutil
import signal
import socket
import sqlite3
import subprocess

from support import Case, run_zonekit, zonekit


class Doctor(Case):
    def free_addresses(self):
        """Options with two addresses at which nobody listens."""
        with socket.socket() as first, socket.socket() as second:
            addresses = []
            for one in (first, second):
                one.bind(("127.0.0.1", 0))
                addresses.append(f"127.0.0.1:{one.getsockname()[1]}")
        return ["--http", addresses[0], "--push", addresses[1]]

    def examine(self, data, *words, code=0, environment=None):
        """The findings, as (state, text, remedy) by subject."""
        run = run_zonekit("doctor", data, "--json", *(words or self.free_addresses()), environment=environment)
        lines = [json.loads(line) for line in run.stdout.splitlines()]
        problems = [line for line in lines[:-1] if line["state"] == "problem"]
        self.assertEqual((run.returncode, run.stderr), (code, ""), run.stdout)
        self.assertEqual(lines[-1], {"event": "doctor", "problems": len(problems)})
        found = {}
        for line in lines[:-1]:
            found.setdefault(line["subject"], []).append((line["state"], line["text"], line["remedy"]))
        return found

    def test_a_folder_that_is_not_there_yet_is_no_problem_and_is_not_made(self):
        data = self.folder() / "new"
        found = self.examine(data)
        self.assertEqual(found["folder"], [("note", f"there is no {data} yet", "zonekit serve makes it")])
        self.assertEqual([state for state, _, _ in found["address"]], ["ok", "ok"])
        self.assertFalse(data.exists())
        self.assertEqual(list(data.parent.iterdir()), [])

    def test_text_is_for_people_and_ends_with_the_result(self):
        data = self.served_data()
        run = run_zonekit("doctor", data, *self.free_addresses())
        self.assertEqual(run.returncode, 0, run.stdout)
        self.assertRegex(run.stdout, r"(?m)^ok +device +A: NannyAndMe, stopped$")
        self.assertRegex(run.stdout, r"(?m)^ +-> zonekit serve starts one$")
        self.assertEqual(run.stdout.splitlines()[-1], "no problem found")

    def test_an_address_in_use_is_a_problem_with_a_way_out(self):
        with socket.create_server(("127.0.0.1", 0)) as other:
            address = f"127.0.0.1:{other.getsockname()[1]}"
            found = self.examine(self.folder(), "--http", address, *self.free_addresses()[2:], code=1)
        state, text, remedy = found["address"][0]
        self.assertEqual((state, text), ("problem", f"{address} for requests is not free: address already in use"))
        self.assertIn("zonekit serve --http 127.0.0.1:0 --push 127.0.0.1:0", remedy)

    def test_a_running_server_and_a_running_device_are_named(self):
        data = self.folder() / "data"
        server = self.serve(data)
        device = subprocess.Popen(
            [zonekit(), "device", "B", "--data", str(data)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.addCleanup(device.communicate)
        self.assertIn("launched", device.stdout.readline())
        found = self.examine(data, "--http", server.http, "--push", server.push)
        self.assertEqual(
            found["server"],
            [("ok", f"it is running as process {server.pid}, requests {server.http}, pushes {server.push}", None)])
        self.assertEqual(
            [text for _, text, _ in found["address"]],
            [f"{server.http} for requests is that of the running server", f"{server.push} for pushes is that of the running server"])
        self.assertEqual(found["device"], [("ok", f"B: NannyAndMe, running as process {device.pid}", None)])

    def test_a_server_that_does_not_answer_is_a_problem(self):
        data = self.folder() / "data"
        server = self.serve(data)
        server.process.send_signal(signal.SIGSTOP)
        ((state, text, remedy),) = self.examine(data, code=1)["server"]
        self.assertEqual((state, remedy), ("problem", f"end it: kill {server.pid}"))
        self.assertIn("does not answer", text)

    def test_files_of_another_version_are_named(self):
        data = self.served_data()
        (zone,) = data.glob("cloud/*/*/*/*/zones/NannyAndMe.zone")
        self.assertEqual(self.examine(data)["files"], [("ok", "none is of another version", None)])
        for change, state, advice in ((+7, "problem", "use the newer program"), (-1, "note", "nothing: the next server")):
            with sqlite3.connect(zone) as file:
                known = file.execute("pragma user_version").fetchone()[0]
                file.execute(f"pragma user_version={known + change}")
                file.execute("pragma wal_checkpoint(truncate)")
            ((found, text, remedy),) = self.examine(data, code=1 if change > 0 else 0)["files"]
            self.assertEqual(text, f"{zone} is a zone file of version {known + change}; this program writes version {known}")
            self.assertEqual(found, state)
            self.assertIn(advice, remedy)
            with sqlite3.connect(zone) as file:
                file.execute(f"pragma user_version={known}")
        file.close()

    def test_a_disk_in_memory_keeps_nothing(self):
        ((state, text, remedy), _) = self.examine(self.mount("400m") / "data")["disk"]
        self.assertEqual(state, "note")
        self.assertIn("the folder is in memory", text)
        self.assertIn("--data", remedy)

    def test_a_disk_that_is_nearly_full_is_a_problem(self):
        (_, (state, text, remedy)) = self.examine(self.mount("16m") / "data", code=1)["disk"]
        self.assertEqual((state, remedy), ("problem", "make room, or choose another disk"))
        self.assertRegex(text, r"^1\d MiB are free$")

    def test_a_sync_that_does_nothing_is_a_problem(self):
        compiler = shutil.which("cc") or shutil.which("clang")
        if not compiler:
            self.skip("a library without a sync needs a compiler of C")
        library = self.folder() / "nosync.so"
        subprocess.run(
            [compiler, "-shared", "-fPIC", "-x", "c", "-", "-o", library], input="int fdatasync(int file) { return 0; }",
            text=True, check=True)
        ((state, text, _), _) = self.examine(self.folder(), code=1, environment={"LD_PRELOAD": str(library)})["disk"]
        self.assertEqual(state, "problem")
        self.assertIn("which no disk can do", text)

    def test_a_file_in_the_place_of_the_folder_is_named(self):
        file = self.folder() / "file"
        file.write_text("")
        self.assertEqual(self.examine(file, code=1)["folder"][0][:2], ("problem", f"{file} is a file"))

    def test_two_folders_are_refused(self):
        for words in (("a", "b"), ("a", "--data", "b")):
            self.assertEqual(run_zonekit("doctor", *words).returncode, 2)
