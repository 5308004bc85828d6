"""Rows that were written without an account move into one (swiss-coin, 9)."""

import glob
import json
import os

from devices import SOON
from support import eventually, run_zonekit
from test_swiss_device import MARA, SwissWorld

STEPS = [
    "[ 1/16] Syncing profile...  0%",
    "[ 9/16] Uploading splits...  50%",
    "[16/16] Uploading subscription reminders...  93%",
    "Migration complete!",
]


class Migration(SwissWorld):
    def wrote_alone(self):
        """Device A with rows of nobody."""
        self.start("A")
        self.does("A", 'person add "Ben"')
        self.does("A", "group add Flat with Ben")
        self.does("A", "spend 84.50 Dinner in Flat")

    def test_rows_of_nobody_move_into_the_account_that_signs_up(self):
        self.wrote_alone()
        self.does("A", f"signup {MARA}")
        counts = ("  Current User: 1", "  Persons: 1", "  Splits: 2", "  Profile: 1")
        eventually(lambda: {*STEPS, *counts} <= {*self.migration_lines("A")}, "A has migrated, and tells how many rows", SOON)
        lines = self.migration_lines("A")
        backup = next(line for line in lines if line.startswith("backup: ")).removeprefix("backup: ")
        self.assertTrue(os.path.exists(os.path.join(backup, "device.sqlite")), backup)
        self.assertEqual(self.does("A", "migrate")["lines"], ["Migration complete!"])
        self.assertEqual(self.does("A", "migrate verify")["lines"], ["rows and balances are the server's"])
        # Another device of the account has the same rows, and the former person is nowhere.
        self.start("B")
        self.does("B", f"signin {MARA}")
        self.sees("B", ["Ben", "Me"])
        eventually(lambda: self.rows("B", "transaction_splits") == self.rows("A", "transaction_splits"), "B has the splits")
        self.assertEqual(self.does("B", "balance Ben")["balances"][0]["balances"], {"CHF": 42.25})

    def script(self, *words, stdin="", expect=0, server=None):
        """The lines of a device that ends after its last command."""
        if not self.server:
            self.start_server()
        place = ("--server", server) if server else ()
        run = run_zonekit("device", "Z", "--app", "swiss-coin", *place, *words, data=self.data, stdin=stdin, timeout=60)
        self.assertEqual(run.returncode, expect, run.stdout + run.stderr)
        return run.stdout.splitlines()

    def test_a_device_that_ends_waits_for_the_comparison(self):
        self.script("-c", 'person add "Ben"', "-c", f"signup {MARA}")
        right = "rows and balances are the server's"
        self.assertIn(right, self.script("-c", "migrate verify"))
        for typed in ("migrate verify\n", "migrate verify\nquit\n"):
            self.assertIn(right, self.script(stdin=typed))
        dead = {"server": "http://127.0.0.1:1", "expect": 3}
        for words, stdin in ((("-c", "migrate verify"), ""), ((), "migrate verify\n")):
            lines = self.script("--linger", "1", *words, stdin=stdin, **dead)
            self.assertRegex("\n".join(lines), "rows and balances cannot be compared: ")
        self.assertRegex(self.script("--linger", "1", "-c", "pull", **dead)[-1], "^not synced: .*refused")

    def test_without_a_session_a_migration_and_a_comparison_fail_alike(self):
        for command in ("migrate", "migrate verify"):
            self.assertIn("Not authenticated. Please sign in first.", self.script("-c", command, expect=1))
        self.script("-c", f"signin {MARA}", server="http://127.0.0.1:1", expect=3)
        self.script("-c", f"signin {MARA}", expect=2)

    def migrated_and_edited(self):
        """Device A after a migration, with an edit and a new row since."""
        self.wrote_alone()
        self.before = self.rows("A", "persons")
        self.does("A", f"signup {MARA}")
        eventually(lambda: "Migration complete!" in self.migration_lines("A"), "A has migrated", SOON)
        self.does("A", 'edit Ben phone_number "+41 1"')
        self.does("A", 'person add "Zoe"')
        self.settles("A")

    def test_a_rollback_gives_the_device_its_backup_again_and_a_later_migration_finds_the_same_rows(self):
        self.migrated_and_edited()
        lines = self.does("A", "migrate rollback")["lines"]
        self.assertRegex(lines[0], r"^the store is that of the backup .* again, without an account$")
        self.assertRegex(lines[1], r"^\d+ rows stay on the server$")
        self.assertEqual(self.names("A"), ["Ben", "Me"])
        self.assertEqual(self.rows("A", "persons"), self.before)
        self.assertIsNone(self.status("A")["user"])
        (edits,) = [line.removeprefix("what was written since is in ") for line in lines[2:]]
        with open(edits) as file:
            tables = json.load(file)["tables"]
        self.assertEqual(sorted(row["name"] for row in tables["persons"]), ["Ben", "Zoe"])
        self.assertEqual([name for name, rows in tables.items() if rows], ["persons"])
        # The rows that stayed on the server are the same, and the newer ones come back.
        count = len([line for line in self.migration_lines("A") if line == "Migration complete!"])
        self.does("A", f"signin {MARA}")
        eventually(
            lambda: len([line for line in self.migration_lines("A") if line == "Migration complete!"]) > count, "A has migrated again", SOON
        )
        self.sees("A", ["Ben", "Me", "Zoe"])
        eventually(lambda: self.status("A")["conflicts"]["total"] > 0, "Ben's former row lost against the edited one")

    def test_a_rollback_with_the_cloud_removes_what_only_this_device_has_written(self):
        self.migrated_and_edited()
        self.start("B")
        self.does("B", f"signin {MARA}")
        self.sees("B", ["Ben", "Me", "Zoe"])
        self.does("B", 'say Ben "hello"')
        self.settles("B")
        self.does("A", "offline")
        self.assertIn("the device stays as it is", self.refuses("A", "migrate rollback --cloud"))
        self.does("A", "online")
        self.does("A", "pull")
        lines = self.does("A", "migrate rollback --cloud")["lines"]
        self.assertRegex(lines[1], r"^\d+ rows removed on the server$")
        # B's message refers to Ben, who stays. The account's own person is made anew.
        eventually(lambda: (self.does("B", "pull"), self.names("B"))[1] == ["Ben", "Me"], "B lacks Zoe", SOON)
        self.assertEqual(self.rows("B", "financial_transactions"), {})
        self.assertEqual(len(self.rows("B", "chat_messages")), 1)
        self.assertEqual(self.refuses("A", "migrate rollback"), "No local data found to migrate.")

    def test_what_was_written_stays_in_the_file_of_a_rollback_that_was_interrupted(self):
        self.migrated_and_edited()
        self.plan({"do": "delayAnswer", "on": ["deleteRows"], "table": "persons", "milliseconds": 60_000})
        self.devices["A"].say("migrate rollback --cloud")
        files = os.path.join(self.data, "**", "*-edits-1.json")
        eventually(lambda: glob.glob(files, recursive=True), "what was written is in a file")
        (file,) = glob.glob(files, recursive=True)
        eventually(lambda: self.hits(), "the first person is removed on the server")
        self.devices["A"].kill()
        self.plan()
        self.start("A")
        self.does("A", "pull")
        # A device that starts renews its session first, and joins its channel with it.
        self.live("A")
        lines = self.does("A", "migrate rollback --cloud")["lines"]
        self.assertIn(file, lines[-1])
        with open(file) as content:
            persons = json.load(content)["tables"]["persons"]
        self.assertEqual(sorted(row["name"] for row in persons), ["Ben", "Zoe"])

    def hits(self):
        """How often the planned fault has hit."""
        return self.keep(self.server.cloud()).request("GET", "/zonekit/faults").json["faults"][0]["hits"]

    def test_nothing_is_migrated_without_a_session(self):
        self.wrote_alone()
        words = ["Not authenticated. Please sign in first."]
        self.assertEqual(self.does("A", "migrate")["lines"], words)
        self.assertEqual(self.does("A", "migrate verify")["lines"], words)
        self.does("A", f"signup {MARA}")
        eventually(lambda: "Migration complete!" in self.migration_lines("A"), "A has migrated", SOON)

    def test_the_row_that_the_server_made_is_no_conflict(self):
        self.wrote_alone()
        self.does("A", f"signup {MARA}")
        eventually(lambda: "Migration complete!" in self.migration_lines("A"), "A has migrated", SOON)
        self.does("A", "pull")
        self.settles("A")
        self.assertEqual([event for event in self.devices["A"].heard() if event["event"] == "conflict"], [])

    def test_a_device_without_rows_has_nothing_to_migrate(self):
        self.start("A")
        self.does("A", f"signup {MARA}")
        self.sees("A", ["Me"])
        self.assertEqual(self.migration_lines("A"), [])
        self.assertEqual(self.does("A", "migrate")["lines"], ["No local data found to migrate."])
