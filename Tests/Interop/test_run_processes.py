"""`zonekit run --processes`: scenarios played on a server, devices and links as processes and sockets."""

import json
import os
import signal
import subprocess
import tempfile
import time
import unittest
from xml.etree import ElementTree

from support import Case, PATIENCE, run_zonekit, zonekit

HEAD = """scenario "a story"
app NannyAndMe
devices A, B signed in as nanny
expect A is idle within 10s
expect B is idle within 10s
A logs feeding bottle volume 120
expect everyone agrees within 10s
expect B push received at least 1 within 10s
count from here
"""
FIRST_LINE = HEAD.count("\n") + 1


class ProcessRun(Case):
    def write(self, text):
        path = self.folder() / "story.scenario"
        path.write_text(text)
        return path

    def play(self, steps, *options, expect=0):
        """Plays steps behind a first action that both devices have; the lines of JSON, and standard error."""
        run = run_zonekit("run", self.write(HEAD + steps), "--processes", "--json", *options, timeout=120)
        self.assertEqual(run.returncode, expect, run.stdout + run.stderr)
        return [json.loads(line) for line in run.stdout.splitlines()], run.stderr

    def held(self, steps, *options):
        lines, _ = self.play(steps, *options)
        self.assertEqual((lines[-1]["event"], lines[-1]["held"]), ("run", True))
        return lines

    def held_both_ways(self, steps):
        """The steps hold on processes and in virtual time."""
        self.held(steps)
        run = run_zonekit("run", self.write(HEAD + steps), "--json", timeout=120)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)

    def test_what_the_server_loses_comes_back_from_devices(self):
        self.held_both_ways(
            "back up the zone of A\ndamage the tokens of B\nA logs feeding bottle volume 90\n"
            "expect B reports tokenExpired within 10s\nexpect everyone agrees within 10s\n"
            "the zone of A loses its last commit\nA logs diaper pee\nexpect everyone agrees within 30s\n"
            "kill the cloud\nrestore the zone of A from its backup\nstart the cloud\nB logs diaper both\n"
            "expect the cloud has A's last action within 30s\nexpect everyone agrees within 30s\n"
            "damage A's last action in the cloud of A\nrepair the cloud\nA, B come to the foreground and sync\n"
            "expect everyone agrees within 60s\nexpect the cloud has A's last action\n"
            "expect the cloud has A's 2nd action\n"
        )

    # What the network does

    def test_a_dropped_push_is_caught_up_in_the_foreground(self):
        self.held(
            "B goes to the background\n"
            "drop the next push to B\n"
            "A logs feeding bottle volume 90\n"
            "expect the cloud has A's last action\n"
            "expect B lacks A's last action\n"
            "expect B push received 0\n"
            "B comes to the foreground\n"
            "expect everyone agrees within 5s\n"
            "expect B push received 0, fetches 1\n"
        )

    def test_a_duplicated_push_is_counted_and_costs_one_fetch(self):
        self.held(
            "duplicate the next push to B\n"
            "A logs feeding bottle volume 90\n"
            "expect everyone agrees within 5s\n"
            "expect B push received 2, push duplicates 1, fetches 1\n"
        )

    def test_edits_made_offline_meet_and_the_later_one_wins(self):
        self.held(
            "A, B go offline\n"
            "A edits A's last action volume 90\n"
            "wait 20ms\n"
            "B edits A's last action volume 60\n"
            "A comes online\n"
            "expect A pending 0\n"
            "B comes online\n"
            "expect everyone agrees within 10s\n"
            "expect A shows bottleVolume 60 in A's last action\n"
            "expect B conflicts 1\n"
        )

    def test_an_answer_that_is_lost_makes_no_second_record(self):
        self.held(
            "the cloud loses the answer to the next save of A\n"
            "A logs diaper pee\n"
            "expect A reports syncFailed\n"
            "expect A reports recognisedOwnWrite within 10s\n"
            "expect everyone agrees within 10s\n"
            "expect the cloud has A's last action\n"
            "expect A conflicts 0, records 3\n"
        )

    def test_a_clogged_link_lets_everything_through_once_it_is_healed(self):
        self.held(
            "clog the link of A\n"
            "A logs diaper pee\n"
            "expect A is sending\n"
            "expect B lacks A's last action\n"
            "heal the link of A\n"
            "expect everyone agrees within 10s\n"
        )

    def test_a_link_cut_on_the_way_back_does_the_work_and_gives_no_answer(self):
        self.held(
            "cut the link from the cloud to A\n"
            "A logs diaper pee\n"
            "expect the cloud has A's last action\n"
            "expect A pending 1\n"
            "heal everything\n"
            "expect everyone agrees within 10s\n"
            "expect A conflicts 0\n"
        )

    def test_a_slow_link_is_slow(self):
        lines = self.held("slow the link of B to 300ms\nA logs diaper pee\nexpect everyone agrees within 10s\n")
        step = next(line for line in lines if line.get("line") == FIRST_LINE + 2)
        self.assertGreaterEqual(step["milliseconds"], 600, "there and back")

    # What becomes of processes

    def test_a_killed_device_and_a_killed_server_lose_nothing(self):
        self.held(
            "A goes offline\n"
            "A logs diaper pee\n"
            "kill A\n"
            "expect A is dead\n"
            "kill the cloud\n"
            "expect the cloud is dead\n"
            "start the cloud\n"
            "start A\n"
            "expect A has A's last action\n"
            "A comes online\n"
            "expect everyone agrees within 10s\n"
        )

    def test_an_erased_device_is_a_new_one_and_a_copy_is_noticed(self):
        self.held(
            "erase B\n"
            "start B\n"
            "expect B's device ID changed\n"
            "expect everyone agrees within 10s\n"
            "back up A\n"
            "restore a copy of A as C\n"
            "start C\n"
            "C logs diaper poo\n"
            "expect everyone agrees within 10s\n"
        )

    def test_a_wrong_clock_does_not_stop_a_later_edit(self):
        self.held(
            "A's clock is 1h ahead\n"
            "A edits A's last action volume 90\n"
            "expect everyone agrees within 10s\n"
            "B's clock is 1h behind\n"
            "B edits A's last action volume 60\n"
            "expect everyone agrees within 10s\n"
            "expect A shows bottleVolume 60 in A's last action\n"
        )

    def test_the_cloud_is_full_until_it_has_room(self):
        self.held(
            "the cloud is full\n"
            "A logs diaper pee\n"
            "expect A reports quotaExceeded\n"
            "expect A pending 1\n"
            "expect the cloud lacks A's last action\n"
            "the cloud has room again\n"
            "A syncs\n"
            "expect everyone agrees within 10s\n"
        )

    def test_a_refused_record_is_refused_when_it_is_saved_and_may_be_deleted(self):
        self.held_both_ways(
            "the cloud refuses A's last action with invalidArguments\n"
            "A deletes A's last action\n"
            "expect the cloud lacks A's last action within 10s\n"
            "expect everyone agrees within 10s\n"
        )

    # What only an administrator can do

    def test_the_subscription_that_the_cloud_loses_is_the_apps_own(self):
        self.held_both_ways(
            "the cloud doubles the subscription of A\n"
            "expect the cloud holds 2 subscriptions of A\n"
            "the cloud loses the subscription of A\n"
            "expect the cloud holds 1 subscriptions of A\n"
        )

    def test_what_the_cloud_is_to_do_wrong_it_does_after_a_restart_too(self):
        self.held(
            "the cloud loses the answer to the next save of A\n"
            "restart the cloud\n"
            "A logs diaper pee\n"
            "expect A reports recognisedOwnWrite within 30s\n"
            "expect everyone agrees within 30s\n"
        )

    def test_tokens_expire_deletions_are_forgotten_and_keys_are_lost(self):
        self.held(
            "expire the tokens of B\n"
            "A logs diaper pee\n"
            "expect B reports tokenExpired within 10s\n"
            "expect everyone agrees within 10s\n"
            "B goes offline\n"
            "A deletes A's last action\n"
            "expect the cloud lacks A's last action within 10s\n"
            "forget the deletions in the zone of A\n"
            "B comes online\n"
            "expect everyone agrees within 10s\n"
            "expect B lacks A's last action\n"
            "reset the keys of the zone of A\n"
            "A logs diaper poo\n"
            "expect the cloud has A's last action within 10s\n"
            "expect everyone agrees within 10s\n"
            "expect the cloud has A's 1st action\n"
        )

    def test_a_purged_zone_is_gone_everywhere_and_a_lost_one_is_sent_again(self):
        self.held(
            "lose the zone of A\n"
            "A logs diaper pee\n"
            "expect A reports zoneLost within 10s\n"
            "expect everyone agrees within 10s\n"
            "expect the cloud has A's 1st action\n"
            "purge the zone of A\n"
            "A syncs\n"
            "expect A reports zoneRemoved within 10s\n"
            "expect B reports zoneRemoved within 10s\n"
            "expect the cloud lacks A's 1st action\n"
            "expect B lacks A's 1st action\n"
        )

    def test_a_mute_subscription_pushes_nothing_and_a_dead_push_token_is_replaced(self):
        self.held(
            "the push token of B dies\n"
            "restart B\n"
            "expect B reports pushTokenRegistered within 10s\n"
            "expect B is idle\n"
            "deliver the next push to B without an ID\n"
            "A logs diaper pee\n"
            "expect everyone agrees within 10s\n"
            "expect B push without ID 1\n"
            "the cloud mutes the subscription of B\n"
            "B goes to the background\n"
            "A logs diaper poo\n"
            "expect the cloud has A's last action\n"
            # A push of the muted subscription would arrive before this one.
            "push B for subscription other\n"
            "expect B push unknown 1 within 10s\n"
            "expect B lacks A's last action\n"
            "B comes to the foreground\n"
            "expect everyone agrees within 10s\n"
            "expect B push received 2\n"
        )

    # What the links hear

    def test_a_device_that_dies_as_it_sends_sends_once_and_a_cloud_that_dies_behind_its_commit_keeps_it(self):
        self.held(
            "kill A before its 1st send\n"
            "A logs diaper pee\n"
            "expect A is dead\n"
            "expect the cloud lacks A's last action\n"
            "start A\n"
            "expect everyone agrees within 10s\n"
            "expect A writes 1, requests at least 2, fetches at once at most 1\n"
            "kill the cloud after its 1st commit\n"
            "A logs diaper poo\n"
            "expect the cloud is dead\n"
            "expect the cloud has A's last action\n"
            "start the cloud\n"
            "expect A reports recognisedOwnWrite within 30s\n"
            "expect everyone agrees within 10s\n"
        )

    def test_what_is_one_accounts_does_not_reach_another(self):
        lines = self.held(
            "A switches to mum\n"
            "A logs diaper pee\n"
            "expect everyone agrees within 10s\n"
            "expect A holds nothing of nanny\n"
            "expect A never uses a token of nanny\n"
            "wait 1m\n"
            "count from here\n"
            "expect A requests 0\n"
            "wait 1h\n",
            "--cut-waits", "10ms",
        )
        notes = {line.get("line"): line.get("note") for line in lines}
        self.assertIsNone(notes[FIRST_LINE + 5], "ten milliseconds are no rest")
        self.assertEqual(notes[FIRST_LINE + 8], "cut to 10ms")

    def test_a_wait_behind_which_counting_begins_ends_when_all_is_at_rest(self):
        start = time.monotonic()
        lines = self.held("A logs diaper pee\nwait 1m\ncount from here\nexpect B syncs 0\n")
        self.assertLess(time.monotonic() - start, 60)
        step = next(line for line in lines if line.get("line") == FIRST_LINE + 1)
        self.assertIn("all was at rest after", step["note"])

    def test_a_step_that_is_repeated_is_told_once_also_where_it_ends_the_run(self):
        lines, _ = self.play(
            "repeat 3 times\n  A logs diaper pee\n  wait 10ms\nend\n"
            "repeat 2 times\n  note \"now\"\n  expect A lacks A's last action\nend\n", expect=1)
        told = [(line["line"], line["count"]) for line in lines[:-1] if line["line"] >= FIRST_LINE]
        self.assertEqual(told, [(FIRST_LINE + 1, 3), (FIRST_LINE + 2, 3), (FIRST_LINE, 1), (FIRST_LINE + 5, 1)])
        self.assertGreaterEqual(lines[-4]["milliseconds"], 30)
        shown = run_zonekit("run", self.write(HEAD + "repeat 2 times\n  A logs diaper pee\nend\n"), "--processes", timeout=60)
        self.assertRegex(shown.stdout, r"ms  line \d+  A logs diaper pee \(2 times\)\n")

    # What goes wrong with the run

    def test_several_scenarios_are_all_played_and_written_for_ci_systems(self):
        folder = self.folder()
        for name, steps in (
            ("a", "expect B lacks A's last action\n"), ("b", 'note "<&>"\n'), ("c", "cut the power of A\n"),
        ):
            (folder / f"{name}.scenario").write_text(HEAD.replace("a story", f"story {name}") + steps)
        report = folder / "results.xml"
        run = run_zonekit("run", folder, "--processes", "--junit", report, timeout=120)
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
        self.assertIn("3 scenarios, 1 held, 1 failed, 1 only in virtual time", run.stdout)
        suites = ElementTree.parse(report).getroot()
        counts = [suites.get(key) for key in ("tests", "failures", "errors", "skipped")]
        self.assertEqual(counts, ["3", "1", "0", "1"])
        self.assertEqual([case.get("name") for case in suites.iter("testcase")], ["story a", "story b", "story c"])
        self.assertIn("expect B lacks A's last action", suites.find(".//failure").get("message"))
        self.assertIn(f"line {FIRST_LINE}: cut the power of A", suites.find(".//skipped").get("message"))

    def test_an_expectation_that_does_not_hold_ends_the_run_and_names_its_line(self):
        lines, _ = self.play('note "now"\nexpect B lacks A\'s last action\nnote "never"\n', expect=1)
        self.assertFalse(lines[-1]["held"])
        self.assertTrue(lines[-1]["failure"].startswith(f"line {FIRST_LINE + 1}: expect B lacks A's last action"))
        self.assertNotIn(FIRST_LINE + 2, [line.get("line") for line in lines])

    def test_what_only_virtual_time_has_is_refused_with_the_line(self):
        for step in (
            "cut the power of A", "wait 1h", "A's disk is full", "lose 30% on the link of A",
            "kill A after its 2nd commit", "A syncs inside its next merge", "expect B push lost 1",
        ):
            lines, complaint = self.play(step + "\n", expect=2)
            self.assertIn(f"line {FIRST_LINE}: {step}", complaint)
            self.assertIn("virtual time", complaint)
            self.assertEqual([(line["event"], line["refused"]) for line in lines], [("run", True)], "nothing was started")

    def test_the_old_spelling_of_the_option_still_works(self):
        run = run_zonekit("run", self.write(HEAD), "--real", "--json", timeout=120)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        lines = [json.loads(line) for line in run.stdout.splitlines()]
        self.assertIn("milliseconds", lines[0], "real time is measured")
        self.assertEqual((lines[-1]["event"], lines[-1]["held"]), ("run", True))

    def test_a_run_that_is_interrupted_leaves_no_process(self):
        path = self.write(HEAD + "wait 50s\n")
        with tempfile.TemporaryDirectory(prefix="zk-") as folder:
            process = subprocess.Popen(
                [zonekit(), "run", str(path), "--processes", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                env={**os.environ, "TMPDIR": folder},
            )
            for line in process.stdout:
                if json.loads(line)["line"] == FIRST_LINE - 1:
                    break
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=PATIENCE)
            self.assertEqual(process.returncode, -signal.SIGTERM)
            self.assertEqual(os.listdir(folder), [], "the folder of the run is gone")
        self.assertNotIn(folder, subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True).stdout)


if __name__ == "__main__":
    unittest.main()
