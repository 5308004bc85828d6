"""`zonekit run --processes`: scenarios of the apps over tables and over documents on processes and sockets."""

import json
import unittest

from support import Case, run_zonekit

SWISS_COIN = """scenario "a story of rows"
app SwissCoin
devices A, B signed in as mara
A does person add "Ben"
wait 7s
B syncs
expect everyone agrees within 20s
"""
DIET_LOG = """scenario "a story of documents"
app DietLog
option quiet 100ms
devices A, B signed in as nanny
A logs lunch
A does add last Oats 60 g kcal 220
expect everyone agrees within 20s
"""


class ProcessRun(Case):
    def play(self, text):
        path = self.folder() / "story.scenario"
        path.write_text(text)
        run = run_zonekit("run", path, "--processes", "--json", timeout=240)
        return run, [json.loads(line) for line in run.stdout.splitlines()]

    def held(self, text):
        run, lines = self.play(text)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertEqual((lines[-1]["event"], lines[-1]["held"]), ("run", True))
        return lines


class Rows(ProcessRun):
    def test_events_balances_foreign_clients_and_photos(self):
        self.held(
            SWISS_COIN
            + "A does spend 84.50 \"Dinner\" for all\n"
            "expect B has A's last expense within 20s\n"
            "expect B's balance of Ben is \"42.25\" within 5s\n"
            "expect B's channel is live\n"
            "a foreign client sets title of A's last expense to \"Supper\"\n"
            "expect A, B show the same within 10s\n"
            "expect B shows title \"Supper\" in A's last expense within 10s\n"
            "A gives A's last person photo 1\n"
            "wait 7s\n"
            "B syncs\n"
            "expect B keeps photo 1 of A's last person within 20s\n"
            "A takes the photo of A's last person away\n"
            "a foreign client removes A's last expense\n"
            "expect B lacks A's last expense within 20s\n"
            "expect the cloud shows photo_url none in A's last person within 20s\n"
        )

    def test_kills_lost_answers_refused_rows_and_other_accounts(self):
        lines = self.held(
            SWISS_COIN
            + "the cloud refuses A's last person with invalidArguments\n"
            "A edits A's last person name \"Bea\"\n"
            "expect A's quarantine holds A's last person within 20s\n"
            "the cloud accepts A's last person again\n"
            "the cloud loses the answer to the next save of A\n"
            "A edits A's last person name \"Beate\"\n"
            "kill B\n"
            "expect the cloud shows name \"Beate\" in A's last person within 20s\n"
            "kill the cloud\n"
            "start the cloud\n"
            "start B\n"
            "expect everyone agrees within 30s\n"
            "the session of B ends\n"
            "A switches to cleo\n"
            "expect A's channel is live within 20s\n"
            "expect A holds nothing of mara\n"
            "expect A never uses a token of mara\n"
        )
        notes = {line.get("step"): line.get("note") for line in lines}
        self.assertEqual(notes["the session of B ends"], "for all devices of the account")

    def test_rows_of_nobody_move_into_an_account_that_a_device_made(self):
        self.held(
            "scenario \"a migration\"\napp SwissCoin\ndevice A signed out\n"
            "A does person add \"Ben\"\n"
            "A does spend 10 \"Coffee\" for me\n"
            "A signs up as dora\n"
            "expect everyone agrees within 30s\n"
            "expect the cloud shows title \"Coffee\" in A's last expense\n"
        )

    def test_what_a_scenario_names_and_the_service_does_not_have_ends_the_run(self):
        run, lines = self.play(SWISS_COIN + "a foreign client sets colour of A's last person to \"red\"\n")
        self.assertEqual(run.returncode, 2, run.stdout + run.stderr)
        self.assertIn("colour", lines[-1]["failure"])
        run, lines = self.play(SWISS_COIN + "expect B keeps photo 1 of A's last person\n")
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
        self.assertIn("has no photo", lines[-1]["failure"])


class Documents(ProcessRun):
    def test_items_merge_and_an_answer_is_lost(self):
        self.held(
            DIET_LOG
            + "A, B go offline\n"
            "A does add last Milk 200 ml kcal 100\n"
            "B does add @1 Rice 80 g kcal 50\n"
            "A comes online\n"
            "expect A pending 0 within 10s\n"
            "the cloud loses the answer to the next save of B\n"
            "B comes online\n"
            "expect everyone agrees within 30s\n"
            "expect A shows itemCount 3 in A's last log\n"
            "expect B shows kcal 370 in A's last log\n"
            "expect B decided by rule merged on A's last log\n"
            "count from here\n"
            "B does drop @1 Rice\n"
            "kill B\n"
            "start B\n"
            "expect everyone agrees within 30s\n"
            "expect A shows itemNames \"Oats, Milk\" in A's last log\n"
            "expect B writes at least 1\n"
        )

    def test_a_device_without_pushes_fetches_when_its_user_asks(self):
        self.held(
            DIET_LOG.replace("option quiet 100ms", "option quiet 100ms\noption pushes off").replace(
                "expect everyone", "expect A pending 0 within 10s\nA, B come to the foreground and sync\nexpect everyone")
            + "wait 10s\ncount from here\n"
            "A edits A's last log notes \"late\"\n"
            "expect the cloud shows notes \"late\" in A's last log within 10s\n"
            "wait 2s\n"
            "expect B shows notes none in A's last log\n"
            "B syncs\n"
            "expect B shows notes \"late\" in A's last log within 10s\n"
        )


if __name__ == "__main__":
    unittest.main()
