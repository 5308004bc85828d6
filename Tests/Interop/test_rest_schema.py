"""Generated requests against the service of documents, by its own OpenAPI description (schemathesis of PyPI).

ZONEKIT_SCHEMATHESIS names a Python that has it; without it, it is set up in a temporary folder. Where that cannot be done
the test is skipped and says why.
"""

import json
import pathlib
import subprocess

from document_http import Documents
from support import ROOT, ServerCase, python_with

# A made-up cursor is expired, and more than the limits are too large.
CONFIGURATION = """seed = 1
[checks]
positive_data_acceptance.expected-statuses = ["2xx", "410", "413"]
negative_data_rejection.expected-statuses = ["400", "401", "404", "405", "409", "410", "413", "415"]
"""


class TheDescription(ServerCase):
    def test_is_served_without_a_sign_in(self):
        client = self.keep(Documents(self.server.http, "nobody", fields={}))
        reply = client.ask("GET", "openapi.json")
        self.assertEqual(reply.status, 200)
        self.assertEqual(reply.json["openapi"], "3.1.0")
        self.assertEqual(sorted(reply.json["paths"]), ["/sync/full", "/sync/pull", "/sync/push", "/sync/status"])
        self.assertEqual(client.ask("POST", "openapi.json").status, 405)

    def test_describes_what_the_server_does(self):
        python = python_with("schemathesis>=4.32,<5", self.folder(), "ZONEKIT_SCHEMATHESIS")
        file = self.folder() / "schemathesis.toml"
        file.write_text(CONFIGURATION)
        command = [
            pathlib.Path(python).with_name("schemathesis"), "--config-file", file, "run",
            ROOT / "Diagnostics" / "OpenAPI" / "diet-log.yaml", "--url", f"http://{self.server.http}",
            "-H", "Authorization: Bearer user:fuzz", "--checks", "all", "--max-examples", "10", "--no-color",
        ]
        done = subprocess.run(
            [str(word) for word in command], capture_output=True, text=True, timeout=150, cwd=file.parent
        )
        self.assertEqual(done.returncode, 0, done.stdout[-4000:] + done.stderr[-2000:])
        self.assertIn("4 selected / 4 total", done.stdout)
