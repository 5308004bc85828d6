"""The vendor's Python client (PyPI), unchanged, against tables of three schemas: a to-do app with teams, a shop, a chat, and
profiles with friends and pictures.

ZONEKIT_SUPABASE names a Python that has it; without that, it is set up in a temporary folder. Where that cannot be done the
tests are skipped and say why.
"""

import ast
import json
import pathlib
import subprocess

from supabase_http import Auth
from support import Case, Folder, Server, python_with

DRIVERS = [pathlib.Path(__file__).with_name(f"foreign_supabase_{name}.py") for name in ("own", "profiles")]
SCHEMAS = pathlib.Path(__file__).parents[2] / "Diagnostics" / "Schemas"


def steps():
    """The drivers with the names of their steps, by schemas."""
    found = {}
    for driver in DRIVERS:
        for node in ast.parse(driver.read_text()).body:
            for decorator in getattr(node, "decorator_list", []):
                if isinstance(decorator, ast.Call) and decorator.func.id == "step":
                    found.setdefault(decorator.args[0].value, (driver, []))[1].append(node.name)
    return found


class OwnTables(Case):
    @classmethod
    def setUpClass(cls):
        folder = Folder()
        cls.addClassCleanup(folder.close)
        python = python_with("supabase==2.34.1", folder.path, "ZONEKIT_SUPABASE")
        cls.results, cls.complaints = {}, ""
        for schema, (driver, _) in steps().items():
            answers = SCHEMAS / f"{schema}.functions.json"
            functions = ["--functions", str(answers)] if answers.exists() else []
            server = Server(folder.path / schema, "--tables", str(SCHEMAS / f"{schema}.sql"), *functions)
            cls.addClassCleanup(server.close)
            control = Auth(server.http, key=None)
            keys = control.ask("GET", "keys", headers={}, root="/zonekit/").json
            control.close()
            words = [keys[name] for name in ("url", "anonKey", "serviceRoleKey")]
            run = subprocess.run([python, "-B", str(driver), schema, *words], capture_output=True, text=True, timeout=120)
            cls.results |= {line["step"]: line["trouble"] for line in map(json.loads, run.stdout.splitlines())}
            cls.complaints += run.stderr

    def check_step(self, step):
        self.assertIn(step, self.results, self.complaints)
        if self.results[step]:
            self.fail(self.results[step])


for _step in (step for _, names in steps().values() for step in names):
    setattr(OwnTables, f"test_{_step}", lambda self, step=_step: self.check_step(step))
