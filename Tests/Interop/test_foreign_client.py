"""A client that was written against Apple's service: pyicloud (PyPI), over zones, both feeds, modify and lookup (j.2).

ZONEKIT_PYICLOUD names a Python that has pyicloud; without it one is set up in a temporary folder. Where that cannot be
done the tests are skipped and say why.
"""

import json
import pathlib
import subprocess

from clients import CONTAINER
from support import Folder, ServerCase, python_with

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


class Pyicloud(ServerCase):
    @classmethod
    def setUpClass(cls):
        folder = Folder()
        cls.addClassCleanup(folder.close)
        python = python_with(PACKAGE, folder.path, "ZONEKIT_PYICLOUD")
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
