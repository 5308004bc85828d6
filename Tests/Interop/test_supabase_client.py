"""The vendor's Python client (PyPI), in its newest and in an older version: accounts and sessions, rows and their changes.

ZONEKIT_SUPABASE and ZONEKIT_OLD_SUPABASE name Pythons that have them; without these, they are set up in temporary folders.
Where that cannot be done the tests are skipped and say why.
"""

import json
import pathlib
import subprocess

from supabase_http import Auth
from support import Case, Folder, Server, python_with

DRIVER = pathlib.Path(__file__).with_name("foreign_supabase.py")
STEPS = [
    "signs_up",
    "signs_in_with_the_right_password_only",
    "refreshes_its_session",
    "continues_a_session_that_is_given",
    "is_refused_with_an_expired_token",
    "changes_its_account",
    "signs_out",
    "administers_accounts",
]
ROW_DRIVER = pathlib.Path(__file__).with_name("foreign_supabase_rows.py")
ROW_STEPS = [
    "tells_wrong_passwords",
    "inserts_and_reads_rows",
    "counts_and_pages",
    "expects_one_row_where_one_is_asked_for",
    "changes_and_deletes_rows",
    "keeps_accounts_apart",
    "gets_events_of_inserts_updates_and_removals",
    "broadcasts_and_is_present",
    "stores_lists_signs_and_removes_objects",
    "joins_again_after_the_server_was_killed",
]


class VendorsClient:
    """The steps of one version of the client."""

    @classmethod
    def setUpClass(cls):
        folder = Folder()
        cls.addClassCleanup(folder.close)
        python = python_with(cls.PACKAGE, folder.path, cls.VARIABLE)
        server = Server(folder.path / "data")
        cls.addClassCleanup(server.close)
        control = Auth(server.http, key=None)
        keys = control.ask("GET", "keys", headers={}, root="/zonekit/").json
        control.close()
        words = [keys[name] for name in ("url", "anonKey", "serviceRoleKey", "jwtSecret")]
        run = subprocess.run([python, "-B", str(DRIVER), *words], capture_output=True, text=True, timeout=60)
        cls.results = {line["step"]: line["trouble"] for line in map(json.loads, run.stdout.splitlines())}
        cls.complaints = run.stderr
        cls.play_rows(python, server, keys)

    @classmethod
    def play_rows(cls, python, server, keys):
        """Plays the steps with rows. The driver says when the server has to be killed and started again."""
        with subprocess.Popen(
            [python, "-B", str(ROW_DRIVER), keys["url"], keys["anonKey"]],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        ) as driver:
            for line in driver.stdout:
                if line == "kill\n":
                    server.kill()
                    cls.addClassCleanup(Server(server.data, http=server.http).close)
                    driver.stdin.write("started\n")
                    driver.stdin.flush()
                    continue
                result = json.loads(line)
                cls.results[result["step"]] = result["trouble"]
            cls.complaints += driver.stderr.read()

    def check_step(self, step):
        self.assertIn(step, self.results, self.complaints)
        if self.results[step]:
            self.fail(self.results[step])

    def test_no_step_is_left_out(self):
        self.assertEqual(list(self.results), STEPS + ROW_STEPS, self.complaints)


for _step in STEPS + ROW_STEPS:
    setattr(VendorsClient, f"test_the_client_{_step}", lambda self, step=_step: self.check_step(step))


class NewClient(VendorsClient, Case):
    PACKAGE, VARIABLE = "supabase==2.34.1", "ZONEKIT_SUPABASE"


class OldClient(VendorsClient, Case):
    PACKAGE, VARIABLE = "supabase==2.9.1", "ZONEKIT_OLD_SUPABASE"
