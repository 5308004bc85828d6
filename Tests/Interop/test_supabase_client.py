"""The vendor's Python client (PyPI), in its newest and in an older version: accounts and sessions.

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

    def check_step(self, step):
        self.assertIn(step, self.results, self.complaints)
        if self.results[step]:
            self.fail(self.results[step])

    def test_no_step_is_left_out(self):
        self.assertEqual(list(self.results), STEPS, self.complaints)


for _step in STEPS:
    setattr(VendorsClient, f"test_the_client_{_step}", lambda self, step=_step: self.check_step(step))


class NewClient(VendorsClient, Case):
    PACKAGE, VARIABLE = "supabase==2.34.1", "ZONEKIT_SUPABASE"


class OldClient(VendorsClient, Case):
    PACKAGE, VARIABLE = "supabase==2.9.1", "ZONEKIT_OLD_SUPABASE"
