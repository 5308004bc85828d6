"""Scenarios on the command line: the catalogue, what is said of it, results for CI systems, sweeps."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

from support import ROOT, Case, zonekit

CATALOGUE = ROOT / "Diagnostics" / "Scenarios"
NAMES = sorted(path.stem for path in CATALOGUE.glob("*.scenario"))
# The cloud is never asked for more than it takes there: that is what they are about.
HARMLESS = {"limit-exceeded-split-limit", "limit-exceeded-split-limit-minus-one"}
HEAD = 'scenario "s"\ndevices A, B signed in as nanny\n'


def run_anywhere(*arguments):
    """Runs the program in an empty folder, so that it finds its catalogue by itself."""
    with tempfile.TemporaryDirectory() as folder:
        return subprocess.run(
            [zonekit(), *arguments], cwd=folder, capture_output=True, text=True, timeout=900, stdin=subprocess.DEVNULL
        )


def outcomes(*arguments):
    run = run_anywhere("run", "--json", *arguments)
    return run, [json.loads(line) for line in run.stdout.splitlines()]


def play(steps, *arguments):
    """Runs a scenario of those steps; the run and its one object."""
    with tempfile.NamedTemporaryFile("w", suffix=".scenario") as file:
        file.write(HEAD + steps)
        file.flush()
        run, told = outcomes(file.name, *arguments)
        return run, told[0] if told else None


class Promises(Case):
    """What random stories promise in the end, in a scenario."""

    def test_what_random_stories_promise_can_be_expected(self):
        run, told = play(
            "A logs feeding bottle volume 120\nset the link of B, push lose 100%, told of 0%\nA logs diaper pee\nwait 5s\n"
            "recover everything and restart every device\nwait 3s\nevery device comes to the foreground and syncs\n"
            "expect convergence within 1h15m\nexpect no edit is lost\nexpect every view is current\n"
            "A logs diaper poo\nexpect convergence by pushes alone within 20s\nwait 2m30s\nexpect nobody asks for 10m\n")
        self.assertEqual((run.returncode, told["held"]), (0, True), run.stdout)
        self.assertNotIn("broken", told)

    def test_the_promise_that_is_broken_is_named(self):
        for steps, rule, line in (
            ("A logs diaper pee\nset the link of B, up cut, down cut\nexpect convergence within 20s\n", "convergence", 5),
            ("A logs diaper pee\nset the link of B, push cut\nwait 1m\nA logs diaper poo\n"
             "expect convergence by pushes alone within 20s\n", "pushNeeded", 7),
            ("wait 1m\nA goes to the background\nA logs diaper pee\nexpect nobody asks for 10m\n", "notQuiescent", 6),
        ):
            with self.subTest(rule):
                run, told = play(steps)
                self.assertEqual((run.returncode, told["held"], told["line"]), (1, False, line), run.stdout)
                self.assertEqual(told["broken"]["rule"], rule)
                self.assertTrue(any(rule in seen for seen in told["seen"]), told["seen"])

    def test_what_only_virtual_time_has_is_refused_on_processes(self):
        for step in (
            "set the link of A, up cut", "recover everything", "expect convergence within 5s", "the cloud's disk is full",
        ):
            with self.subTest(step), tempfile.NamedTemporaryFile("w", suffix=".scenario") as file:
                file.write(HEAD + step + "\n")
                file.flush()
                run = run_anywhere("run", file.name, "--processes")
                self.assertEqual(run.returncode, 2, run.stdout)
                self.assertIn("this can only be had in virtual time", run.stderr)


class Catalogue(Case):
    def test_every_scenario_holds_by_its_name_and_does_the_same_in_another_process(self):
        run, first = outcomes(*NAMES)
        self.assertEqual([one["name"] for one in first], NAMES)
        for one in first:
            with self.subTest(one["name"]):
                self.assertTrue(one["held"], one)
                if one["name"] not in HARMLESS:
                    self.assertEqual(one["neverStruck"], [])
        self.assertEqual(run.returncode, 0, run.stderr)
        _, second = outcomes(*NAMES[::8])
        self.assertEqual([one["digest"] for one in first][::8], [one["digest"] for one in second])

    def test_the_demos_hold_in_virtual_time_too(self):
        demos = sorted(map(str, (ROOT / "Diagnostics" / "Demos").glob("*.scenario")))
        self.assertGreaterEqual(len(demos), 3)
        run, told = outcomes(*demos)
        self.assertEqual((run.returncode, [one["held"] for one in told]), (0, [True] * len(demos)), run.stdout)

    def test_a_failure_that_only_its_variants_have_stands_for_them_all(self):
        variants = [name for name in NAMES if name.startswith("zone-gone-")]
        run, played = outcomes("zone-gone")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual([one["name"] for one in played], variants)
        shown = run_anywhere("scenarios", "zone-gone", "--json").stdout.splitlines()
        self.assertEqual([json.loads(line)["name"] for line in shown], variants)
        self.assertEqual([one["name"] for one in outcomes("dropped-push")[1]], ["dropped-push"])

    def test_a_program_elsewhere_has_the_whole_catalogue(self):
        with tempfile.TemporaryDirectory() as folder:
            copy = shutil.copy(zonekit(), folder)
            for words in (["run", "lost-ack", "--json"], ["scenarios", "--json"], ["scenarios", "--rules", "--json"],
                          ["scenarios", "zone-gone"]):
                with self.subTest(words=words):
                    here = subprocess.run([zonekit(), *words], cwd=ROOT, capture_output=True, text=True, timeout=200)
                    there = subprocess.run([copy, *words], cwd=folder, capture_output=True, text=True, timeout=200)
                    self.assertEqual(there.returncode, 0, there.stderr)
                    self.assertEqual(there.stdout, here.stdout)

    def test_a_folder_that_a_variable_names_takes_the_place_of_the_catalogue(self):
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(CATALOGUE / "lost-ack.scenario", os.path.join(folder, "mine.scenario"))
            run = subprocess.run([zonekit(), "scenarios", "--json"], env={**os.environ, "ZONEKIT_SCENARIOS": folder},
                                 capture_output=True, text=True, timeout=200)
            self.assertEqual(len(run.stdout.splitlines()), 1, run.stderr)

    def test_another_seed_gives_another_digest(self):
        digests = {outcomes("dropped-push", "--seed", str(seed))[1][0]["digest"] for seed in (1, 2, 3)}
        self.assertEqual(len(digests), 3)

    def test_the_list_names_each_with_what_happens_and_what_must_hold(self):
        run = run_anywhere("scenarios", "--json")
        listed = [json.loads(line) for line in run.stdout.splitlines()]
        self.assertEqual([one["name"] for one in listed], NAMES)
        self.assertTrue(all(one["about"] and one["holds"] and one["rules"] for one in listed))
        self.assertIn("dropped-push", run_anywhere("scenarios").stdout)

    def test_a_name_shows_the_file_and_its_rules(self):
        text = run_anywhere("scenarios", "dropped-push").stdout
        self.assertIn("drop the next push to B", text)
        self.assertIn("push-best-effort (doc)", text)
        shown = json.loads(run_anywhere("scenarios", "dropped-push", "--json").stdout)
        self.assertEqual({rule["id"] for rule in shown["rules"]}, {"push-best-effort", "coordinator-foreground-fetch"})

    def test_the_rules_say_how_sure_they_are(self):
        rules = [json.loads(line) for line in run_anywhere("scenarios", "--rules", "--json").stdout.splitlines()]
        self.assertEqual({rule["confidence"] for rule in rules}, {"doc", "observed", "assumed"})

    def test_the_language_lists_every_sentence_with_a_meaning_and_an_example(self):
        lines = [json.loads(line) for line in run_anywhere("scenarios", "--language", "--json").stdout.splitlines()]
        sentences = [line for line in lines if line["event"] == "sentence"]
        slots = {line["name"]: line for line in lines if line["event"] == "slot"}
        self.assertGreater(len(sentences), 150)
        for sentence in sentences:
            self.assertTrue(sentence["meaning"] and sentence["example"], sentence)
            self.assertLessEqual(set(sentence["slots"]), set(slots))
        self.assertIn("serviceUnavailable", slots["ERROR"]["values"])
        text = run_anywhere("scenarios", "--language").stdout
        self.assertIn("  wait DURATION\n      Lets that time pass.\n      > wait 2s\n", text)

    def test_an_unknown_name_is_refused_with_a_hint(self):
        run = run_anywhere("run", "droped-push")
        self.assertEqual(run.returncode, 2)
        self.assertIn("did you mean dropped-push?", run.stderr)


class Results(Case):
    def write(self, steps):
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.folder()))
        path = folder / "one.scenario"
        path.write_text(HEAD + steps)
        return path

    def folder(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        return folder.name

    def test_what_does_not_hold_is_shown_and_the_exit_code_says_so(self):
        path = self.write("B goes offline\nA logs diaper pee\nwait 5s\nexpect B has A's last action\n")
        run = run_anywhere("run", str(path))
        self.assertEqual(run.returncode, 1)
        self.assertRegex(run.stdout, r"✗ 0:05\.000 +6  expect B has A's last action\n +seen: B lacks \S+\n")

    def test_a_step_that_is_repeated_is_told_in_one_line(self):
        told = run_anywhere("run", "limit-exceeded-split-many").stdout
        self.assertIn("  A logs diaper pee (1359 times)\n", told)
        self.assertLess(len(told.splitlines()), 20)
        told = run_anywhere("run", "ping-pong").stdout
        self.assertRegex(told, r"19  A edits A's last action volume 90 \(5 times until 1:40\.\d{3}\)\n.*20  B edits")
        self.assertEqual(outcomes("ping-pong")[1][0]["steps"], 19)

    def test_what_cannot_be_read_or_done_names_the_line(self):
        for steps, says in (("A flies\n", "line 3, column 3"), ("A logs nonsense\n", 'line 3: A logs nonsense: unknown')):
            run = run_anywhere("run", str(self.write(steps)))
            self.assertEqual(run.returncode, 2)
            self.assertIn(says, run.stdout + run.stderr)

    def test_options_that_would_do_nothing_are_refused(self):
        for words, says in (
            (["--sweep", "A", "--junit", "r.xml"], "--junit is for one crash, as in --sweep A@12, or for none"),
            (["--sweep", "A", "--timeline", "t.svg"], "--timeline is for one crash"),
            (["--keep"], "--keep is for --processes: virtual time leaves no files"),
            (["--processes", "--seed", "3"], "--seed is for virtual time; leave it or --processes out"),
        ):
            with self.subTest(words):
                run = run_anywhere("run", "dropped-push", *words)
                self.assertEqual((run.returncode, run.stdout), (2, ""))
                self.assertIn(says, run.stderr)

    def test_results_for_ci_systems_are_well_formed(self):
        bad = self.write('expect B has record "<&>"\n')
        report = pathlib.Path(self.folder()) / "results.xml"
        self.assertEqual(run_anywhere("run", "dropped-push", str(bad), "--junit", str(report)).returncode, 1)
        suites = ElementTree.parse(report).getroot()
        self.assertEqual((suites.get("tests"), suites.get("failures")), ("2", "1"))
        self.assertEqual([case.get("name") for case in suites.iter("testcase")], ["dropped-push", "s"])
        self.assertIn('expect B has record "<&>"', suites.find(".//failure").text)

    def test_a_timeline_is_drawn(self):
        picture = pathlib.Path(self.folder()) / "timeline.svg"
        self.assertEqual(run_anywhere("run", "lost-ack", "--timeline", str(picture)).returncode, 0)
        self.assertTrue(ElementTree.parse(picture).getroot().tag.endswith("svg"))

    def test_a_sweep_crashes_each_step_and_all_hold(self):
        for name, place in (("dropped-push", "A"), ("lost-ack", "cloud")):
            run = run_anywhere("run", name, "--sweep", place, "--json")
            swept = json.loads(run.stdout)
            self.assertEqual((run.returncode, swept["failed"]), (0, []), run.stdout)
            self.assertGreater(swept["points"], 20)


if __name__ == "__main__":
    unittest.main()
