"""A client that was written against Apple's service: pyicloud (PyPI), over zones, both feeds, modify and lookup (j.2).

ZONEKIT_PYICLOUD names a Python that has pyicloud; without it one is set up in a temporary folder. Where that cannot be
done the tests are skipped and say why.
"""

import json
import os
import pathlib
import subprocess
import sys
import unittest

from clients import CONTAINER
from support import Folder, ServerCase

PACKAGE = "pyicloud==2026.10.1"
DRIVER = pathlib.Path(__file__).with_name("foreign_pyicloud.py")
STEPS = [
    "creates_and_lists_zones",
    "saves_every_type_of_field",
    "looks_up_what_is_there_and_what_is_not",
    "updates_with_the_right_tag_only",
    "sees_an_atomic_failure_as_an_error",
    "reads_the_feed_of_a_zone_page_by_page",
    "hears_of_bad_tokens_and_zones",
    "reads_the_feed_of_the_database",
    "hears_that_it_is_not_signed_in",
]


def python_with_pyicloud(folder):
    """A Python that can import pyicloud; skips, with the reason, where there is none to be had."""
    if named := os.environ.get("ZONEKIT_PYICLOUD"):
        return named
    python = folder / "venv" / "bin" / "python"
    for command in (
        [sys.executable, "-m", "venv", folder / "venv"],
        [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--retries", "1", PACKAGE],
    ):
        try:
            done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=120)
        except subprocess.TimeoutExpired:
            raise unittest.SkipTest(f"{PACKAGE} could not be installed within 120 s") from None
        if done.returncode != 0:
            last = (done.stderr.strip() or done.stdout.strip()).splitlines()[-1:]
            raise unittest.SkipTest(f"{PACKAGE} cannot be installed here: {' '.join(last)}")
    return str(python)


class Pyicloud(ServerCase):
    @classmethod
    def setUpClass(cls):
        folder = Folder()
        cls.addClassCleanup(folder.close)
        python = python_with_pyicloud(folder.path)
        super().setUpClass()
        base_url = f"http://{cls.server.http}/database/1/{CONTAINER}/development/private"
        run = subprocess.run(
            [python, "-B", str(DRIVER), base_url, "foreigner"], capture_output=True, text=True, timeout=60
        )
        cls.results = {line["step"]: line["trouble"] for line in map(json.loads, run.stdout.splitlines())}
        cls.complaints = run.stderr

    def check_step(self, step):
        self.assertIn(step, self.results, self.complaints)
        if self.results[step]:
            self.fail(self.results[step])

    def test_no_step_is_left_out(self):
        self.assertEqual(list(self.results), STEPS, self.complaints)


for _step in STEPS:
    setattr(Pyicloud, f"test_pyicloud_{_step}", lambda self, step=_step: self.check_step(step))
