"""Long work on a terminal: one line that shows how far it is, none elsewhere, and an end at Ctrl-C that says what was done."""

import json
import os
import re
import select
import signal
import subprocess
import time

from devices import share_file
from support import PATIENCE, ROOT, Case, run_zonekit, zonekit

BAR = re.compile(r"\r\[[#-]{24}\] (\d+) of (\d+) seeds, [\d.]+ a second, \d+ (?:s|min|h) left")

# What makes a story short.
SHORT = ("--minutes", "1", "--devices", "2", "--app", "Items")


class Progress(Case):
    def start(self, *words):
        """A run whose standard error is a terminal, and the other end of that terminal."""
        here, terminal = os.openpty()
        process = subprocess.Popen([zonekit(), *map(str, words)], stdout=subprocess.PIPE, stderr=terminal, text=True)
        os.close(terminal)
        self.addCleanup(os.close, here)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.kill)
        return process, here

    def read_until(self, here, found):
        seen = ""
        while not found(seen):
            if not select.select([here], [], [], PATIENCE)[0]:
                raise AssertionError(f"nothing more within {PATIENCE} s: {seen!r}")
            try:
                seen += os.read(here, 4096).decode()
            except OSError:  # The terminal has no other end any more.
                return seen
        return seen

    def test_a_terminal_gets_one_line_which_goes_away(self):
        process, here = self.start("simulate", "--seeds", "1..100000", *SHORT, "--data", self.folder())
        seen = self.read_until(here, lambda seen: len(BAR.findall(seen)) > 1)
        self.assertNotIn("\n", seen)
        first, second = BAR.findall(seen)[:2]
        self.assertLess(int(first[0]), int(second[0]))
        self.assertEqual(second[1], "100000")
        process.send_signal(signal.SIGINT)
        rest = self.read_until(here, lambda seen: "interrupted" in seen)
        self.assertRegex(rest, r"\r\x1b\[Kinterrupted after")
        self.assertEqual(process.wait(PATIENCE), -signal.SIGINT)

    def test_what_is_no_terminal_gets_nothing(self):
        run = run_zonekit("simulate", "--seeds", "1..5", *SHORT, data=self.folder())
        self.assertEqual((run.returncode, run.stderr), (0, ""))

    def test_ctrl_c_ends_a_simulation_with_what_was_done(self):
        for words in ((), ("--jobs", "2"), ("--json",)):
            process, here = self.start("simulate", "--seeds", "1..100000", *SHORT, *words, "--data", self.folder())
            self.read_until(here, BAR.search)
            process.send_signal(signal.SIGINT)
            said = self.read_until(here, lambda seen: "100000 seeds" in seen.partition("interrupted")[2])
            output = process.communicate(timeout=PATIENCE)[0]
            self.assertEqual(process.returncode, -signal.SIGINT)
            done = int(re.search(r"interrupted after (\d+) of 100000 seeds", said)[1])
            counted = json.loads(output)["seeds"] if words == ("--json",) else int(re.search(r"^(\d+) seeds?, 0 failures", output, re.M)[1])
            self.assertEqual(counted, done)

    def test_ctrl_c_ends_a_run_of_scenarios_with_the_results_so_far(self):
        results = self.folder() / "results.xml"
        process, here = self.start("run", ROOT / "Diagnostics" / "Scenarios", "--junit", results)
        seen = self.read_until(here, re.compile(r"\r\[[#-]{24}\] \d+ of \d+ scenarios, ").search)
        total = int(re.search(r"of (\d+) scenarios", seen)[1])
        process.send_signal(signal.SIGTERM)
        said = self.read_until(here, lambda seen: f"{total} scenarios" in seen.partition("interrupted")[2])
        lines = process.communicate(timeout=PATIENCE)[0].splitlines()
        done = int(re.search(rf"interrupted after (\d+) of {total} scenarios", said)[1])
        self.assertEqual(process.returncode, -signal.SIGTERM)
        self.assertEqual(lines[-1], f"{done} scenarios, {done} held, 0 failed")
        self.assertEqual(results.read_text().count("<testcase "), done)

    def test_an_export_of_many_profiles_shows_how_far_it_is(self):
        folder, count = self.folder(), 150
        (folder / "in").mkdir()
        _, share = share_file(folder, count=2)
        for number in range(count):
            share["profile"] |= {"id": f"E9464B86-36B3-4E94-93C5-{number:012X}", "name": f"P{number}"}
            share["actions"] = {"activeActions": {}, "history": []}
            (folder / "in" / f"{number}.json").write_text(json.dumps(share))
        self.assertEqual(run_zonekit("import", folder / "in", "--device", "A", data=folder / "data").returncode, 0)
        begun = time.monotonic()
        process, here = self.start("export", "--device", "A", "--all", "--out", folder / "out", "--data", folder / "data")
        output = process.communicate(timeout=PATIENCE * 3)[0]
        if time.monotonic() - begun < 0.8:
            self.skip("this disk writes 150 files before work is called long")
        self.assertEqual((process.returncode, len(output.splitlines())), (0, count))
        self.assertRegex(self.read_until(here, lambda seen: "a second" in seen), rf"\r\[[#-]{{24}}\] \d+ of {count} files, ")

    def test_ctrl_c_ends_an_import_between_two_files(self):
        folder = self.folder()
        count = 1000
        files = folder / "files"
        files.mkdir()
        for number in range(count):
            (files / f"{number:04}.csv").write_text(f"id,title\nt{number},Task {number}\n")
        (folder / "map.json").write_text(json.dumps({"into": "Task", "id": "id", "fields": {"title": "title"}}))
        process = subprocess.Popen(
            [zonekit(), "import", files, "--device", "A", "--app", "records", "--map", folder / "map.json", "--data", folder / "data"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        process.stdout.readline()
        process.send_signal(signal.SIGTERM)
        output, said = process.communicate(timeout=60)
        self.assertEqual(process.returncode, -signal.SIGTERM, said)
        done = int(re.fullmatch(rf"interrupted after (\d+) of {count} files; import again for the others\n", said)[1])
        self.assertGreater(done, 0)
        self.assertLess(done, count)
        exported = run_zonekit("export", "--device", "A", "--type", "Task", data=folder / "data").stdout
        self.assertEqual(len(exported.splitlines()) - 1, done)
