"""Rows that were written without an account move into one (swiss-coin, 9)."""

import os

from devices import SOON
from support import eventually
from test_swiss_device import MARA, SwissWorld

STEPS = [
    "[ 1/16] Syncing profile...  0%",
    "[ 9/16] Uploading splits...  50%",
    "[16/16] Uploading subscription reminders...  93%",
    "Migration complete!",
]


class Migration(SwissWorld):
    def lines(self, name):
        return [event["text"] for event in self.devices[name].heard() if event["event"] == "migration"]

    def wrote_alone(self):
        """Device A with rows of nobody."""
        self.start("A")
        self.does("A", 'person add "Ben"')
        self.does("A", "group add Flat with Ben")
        self.does("A", "spend 84.50 Dinner in Flat")

    def test_rows_of_nobody_move_into_the_account_that_signs_up(self):
        self.wrote_alone()
        self.does("A", f"signup {MARA}")
        eventually(lambda: "Migration complete!" in self.lines("A"), "A has migrated", SOON)
        lines = self.lines("A")
        for step in STEPS:
            self.assertIn(step, lines)
        for count in ("  Current User: 1", "  Persons: 1", "  Splits: 2", "  Profile: 1"):
            self.assertIn(count, lines)
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

    def test_a_device_without_rows_has_nothing_to_migrate(self):
        self.start("A")
        self.does("A", f"signup {MARA}")
        self.sees("A", ["Me"])
        self.assertEqual(self.lines("A"), [])
        self.assertEqual(self.does("A", "migrate")["lines"], ["No local data found to migrate."])
