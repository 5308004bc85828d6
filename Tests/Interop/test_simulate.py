"""Random worlds on the command line: worlds of each app, the same story in every process, what is refused."""

import json
import re
import unittest

from support import Case, run_zonekit

# Swift seeds its hashing anew in each process; these switch between that and one fixed seed.
ANY_HASHING = {}
FIXED_HASHING = {"SWIFT_DETERMINISTIC_HASHING": "1"}
# More failures than there are seeds, so that a run never ends early.
ALL = ("--failures", "1000000")


def simulate(*arguments, environment=None):
    return run_zonekit("simulate", *arguments, timeout=300, environment=environment)


class Promises(Case):
    def test_a_swarm_of_each_app_breaks_nothing(self):
        for app in ("NannyAndMe", "Items", "SwissCoin", "DietLog"):
            with self.subTest(app=app):
                run = simulate("--app", app, "--seeds", "1..20", "--jobs", "2", "--json", *ALL)
                told = json.loads(run.stdout)
                self.assertEqual((run.returncode, told["seeds"], told["failures"]), (0, 20, []), run.stderr)
                self.assertGreaterEqual(len(told["faults"]), 10, "a swarm has many kinds of trouble")


class Sameness(Case):
    def test_the_same_seeds_do_the_same_in_another_process_and_in_several(self):
        runs = [
            simulate("--seeds", "1..12", "--json", *ALL, environment=ANY_HASHING),
            simulate("--seeds", "1..12", "--json", *ALL, environment=FIXED_HASHING),
            simulate("--seeds", "1..12", "--json", "--jobs", "2", *ALL, environment=ANY_HASHING),
        ]
        told = [json.loads(run.stdout) for run in runs]
        for one in told:
            del one["wallMilliseconds"]
        self.assertEqual(told[0], told[1])
        self.assertEqual(told[0], told[2])
        self.assertGreater(told[0]["events"], 1_000)

    def test_a_trace_is_the_same_bytes_in_another_process(self):
        first, second = (simulate("--seeds", "7", "--trace", environment=one) for one in (ANY_HASHING, FIXED_HASHING))
        self.assertEqual((first.returncode, first.stdout), (second.returncode, second.stdout))
        self.assertGreater(first.stdout.count("\n"), 100)
        self.assertRegex(first.stdout, r"\ndigest [0-9a-f]{16}\n$")

    def test_a_trace_ends_with_the_digest_of_its_seed(self):
        trace = simulate("--seeds", "7", "--trace").stdout
        told = json.loads(simulate("--seeds", "7", "--json").stdout)
        self.assertEqual(trace.split()[-1].lstrip("0"), told["digest"])

    def test_other_seeds_other_digests(self):
        digests = {json.loads(simulate("--seeds", seed, "--json").stdout)["digest"] for seed in (2, 3, 4)}
        self.assertEqual(len(digests), 3)


class Telling(Case):
    def test_the_result_is_one_object(self):
        told = simulate("--seeds", "2..4", "--json").stdout
        self.assertEqual(told.count("\n"), 1)
        self.assertEqual(
            set(json.loads(told)),
            {"seeds", "events", "virtualMilliseconds", "wallMilliseconds", "digest", "faults", "failures"})

    def test_the_text_ends_with_counts_and_the_digest(self):
        run = simulate("--seeds", "2..4")
        self.assertEqual(run.returncode, 0, run.stdout)
        self.assertRegex(
            run.stdout.splitlines()[-1],
            r"^3 seeds, 0 failures, \d+ events in \d+ ms \(\d+ a second\), \d+ virtual minutes, digest [0-9a-f]+$")

    def test_no_troubles_is_a_world_without_any(self):
        told = json.loads(simulate("--seeds", "1..3", "--troubles", "none", "--json").stdout)
        self.assertEqual((told["faults"], told["failures"]), ({}, []))

    def test_only_the_troubles_that_are_named_come(self):
        told = json.loads(simulate("--seeds", "1..10", "--troubles", "kill,clock", "--json").stdout)
        self.assertEqual(set(told["faults"]), {"kill", "clock"})

    def test_a_seed_that_breaks_nothing_has_nothing_to_shrink(self):
        run = simulate("--seeds", "2", "--shrink")
        self.assertEqual((run.returncode, run.stdout), (0, "seed 2 breaks nothing\n"))
        run = simulate("--seeds", "2", "--shrink", "--json")
        self.assertEqual((run.returncode, json.loads(run.stdout)), (0, {"seed": "2", "broken": []}))

    def test_a_trace_is_one_object_for_programs(self):
        lines = simulate("--seeds", "7", "--trace").stdout.splitlines()
        run = simulate("--seeds", "7", "--trace", "--json")
        self.assertEqual((run.returncode, run.stdout.count("\n")), (0, 1))
        told = json.loads(run.stdout)
        self.assertEqual(set(told), {"seed", "broken", "events", "virtualMilliseconds", "digest", "trace"})
        self.assertEqual((told["seed"], told["broken"]), ("7", []))
        self.assertEqual(told["trace"] + [f"digest {told['digest']}"], lines)


class Refusals(Case):
    def test_what_cannot_be_meant_is_refused_with_a_sentence(self):
        range_text = "--seeds takes A..B with A not above B, or a single number, not "
        for words, says in (
            (["--seeds", "5..1"], range_text + "5..1"),
            (["--seeds", "1..2..3"], range_text + "1..2..3"),
            (["--seeds", "1.."], range_text + "1.."),
            (["--seeds", "-1"], range_text + "-1"),
            (["--seeds", "some"], range_text + "some"),
            (["--devices", "0"], "--devices takes a number from 1 to 50, not 0"),
            (["--devices", "51"], "--devices takes a number from 1 to 50, not 51"),
            (["--minutes", "1441"], "--minutes takes a number from 1 to 1440, not 1441"),
            (["--jobs", "0"], "--jobs takes a number from 1 to 256, not 0"),
            (["--failures", "0"], "--failures takes a number from 1 to 1000000, not 0"),
            (["--worker", "2/2"], "--worker takes J/N with J from 0 below N, not 2/2"),
            (["--troubles", "hail"], "there is no trouble hail; there are kill, crashPoint, powerCut,"),
            (["--trace"], "--trace is for a single seed, as in --seeds 1"),
            (["--seeds", "4..9", "--shrink"], "--shrink is for a single seed, as in --seeds 4"),
            (["--hail"], "unknown option --hail"),
            (["more"], "more is one word too many"),
        ):
            with self.subTest(words):
                run = simulate(*words)
                self.assertEqual((run.returncode, run.stdout), (2, ""), run.stderr)
                self.assertIn(says, run.stderr)

    def test_every_trouble_that_help_and_refusals_name_can_be_asked_for(self):
        named = re.search(r"there are (.*)", simulate("--troubles", "hail").stderr)[1].split(", ")
        self.assertGreater(len(named), 20)
        run = simulate("--seeds", "2", "--troubles", ",".join(named), "--json")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(json.loads(run.stdout)["digest"], json.loads(simulate("--seeds", "2", "--json").stdout)["digest"])
        told = simulate("--help").stdout
        for name in named:
            self.assertRegex(told, rf"\b{name}\b")


if __name__ == "__main__":
    unittest.main()
