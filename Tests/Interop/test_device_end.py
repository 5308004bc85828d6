"""How a device ends: what waits is sent first, and the last line and the exit code say what was not sent. With all three
apps."""

import json
import signal
import socket
import subprocess

from devices import USER, World
from document_http import Documents
from support import eventually, run_zonekit, zonekit

DEAD = ("--server", "http://127.0.0.1:1", "--push", "127.0.0.1:1")
# An app, its command that makes one edit, and what it takes before that.
APPS = {
    "NannyAndMe": "log diaper pee",
    "diet-log": "log lunch",
    "swiss-coin": 'person add "Ben"',
}
MARA = "mara@example.test secret1"


class Ends(World):
    def setUp(self):
        super().setUp()
        self.start_server()

    def run_device(self, name, app, *words, stdin="", expect=0, timeout=60):
        run = run_zonekit("device", name, "--app", app, *words, data=self.data, stdin=stdin, timeout=timeout)
        self.assertEqual(run.returncode, expect, run.stdout + run.stderr)
        return run.stdout.splitlines()

    def sign_up(self, app):
        if app == "swiss-coin":
            self.run_device("A", app, "-c", f"signup {MARA}")

    def pending(self, name):
        (device,) = json.loads(self.verb("diagnostics", "--device", name, "--json"))["devices"]
        return device["pending"] if "pending" in device else device["send"]["pending"]

    def plan(self, *faults):
        client = self.keep(self.server.cloud())
        self.assertEqual(client.request("PUT", "/zonekit/faults", json.dumps({"faults": list(faults)})).status, 200)

    def test_the_last_command_is_sent_without_the_quiet_time(self):
        for app, command in APPS.items():
            with self.subTest(app):
                self.sign_up(app)
                lines = self.run_device("A", app, "-c", command)
                self.assertNotIn("not sent", lines[-1])
                self.assertEqual(self.pending("A"), 0)
            self.verb("erase", "A", "--yes")

    def test_quit_and_the_end_of_the_input_send_what_waits(self):
        for app, command in APPS.items():
            for end in ("quit\n", ""):
                with self.subTest(app=app, end=end):
                    if not end:
                        self.verb("erase", "A", "--yes")
                    if app == "swiss-coin":
                        self.run_device("A", app, "-c", f"{'signup' if end else 'signin'} {MARA}")
                    self.run_device("A", app, stdin=f"{command}\n{end}")
                    self.assertEqual(self.pending("A"), 0)
            self.verb("erase", "A", "--yes")

    def test_a_dead_server_leaves_the_edits_unsent_and_the_end_says_so(self):
        for app, command in APPS.items():
            for more in (("-c", command), ()):
                with self.subTest(app=app, more=more):
                    self.sign_up(app)
                    stdin = "" if more else f"{command}\n"
                    lines = self.run_device("A", app, *DEAD, "--linger", "1", *more, stdin=stdin, expect=3)
                    self.assertRegex(lines[-1], r"^\d edits? not sent: .*refused")
                    lines = self.run_device("A", app, *DEAD, "--linger", "1", "--json", "-c", "status", expect=3)
                    last = json.loads(lines[-1])
                    self.assertEqual((last["event"], last["edits"]), ("unsent", self.pending("A")))
                    self.assertIn("refused", last["reason"])
                self.verb("erase", "A", "--yes")
                if app == "swiss-coin":
                    self.verb("account", "remove", MARA.split()[0])

    def test_a_server_that_ran_here_and_is_dead_counts_as_one(self):
        self.server.kill()
        lines = self.run_device("A", "NannyAndMe", "--linger", "1", "-c", "log diaper pee", expect=3)
        self.assertRegex(lines[-1], r"^2 edits not sent: ")

    def test_a_device_that_is_offline_by_command_keeps_its_edits_without_a_failure(self):
        for words, stdin in (
            (("--offline", "-c", "log lunch"), ""), (("-c", "offline", "-c", "log lunch"), ""),
            ((), "offline\nlog lunch\nquit\n"),
        ):
            run = run_zonekit("device", "A", "--app", "diet-log", "--linger", "30", *words, data=self.data, stdin=stdin, timeout=20)
            self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
            self.assertRegex(run.stderr, r"\d edits? not sent: the device is offline\n$")
            self.assertNotIn("not sent", run.stdout)

    def test_a_device_that_knows_no_server_works_alone(self):
        data = self.folder() / "alone"
        run = run_zonekit("device", "A", "--linger", "0", "-c", "log diaper pee", data=data)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertRegex(run.stderr, r"2 edits not sent: no server runs here; zonekit serve starts one\n$")

    def device(self, *words, app="diet-log"):
        process = subprocess.Popen(
            [zonekit(), "device", "A", "--app", app, "--data", str(self.data), "--json", *words],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stdin.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def test_a_signal_ends_a_device_after_it_has_sent(self):
        for number, with_signal in enumerate((signal.SIGINT, signal.SIGTERM)):
            process = self.device()
            process.stdin.write("weigh 70\n")
            process.stdin.flush()
            self.hears(process, "answer")
            process.send_signal(with_signal)
            self.assertEqual(process.wait(20), 0)
            client = Documents(self.server.http, USER)
            self.addCleanup(client.close)
            self.assertEqual(len(client.full().json["data"]["weightLogs"]), number + 1)

    def hears(self, process, event):
        while True:
            line = process.stdout.readline()
            self.assertTrue(line, f"the device ends before {event}")
            if (found := json.loads(line))["event"] == event:
                return found

    def test_an_edit_that_the_cloud_refused_is_the_last_line_and_exit_code_3_however_the_device_ends(self):
        for app, command in APPS.items():
            self.sign_up(app)
            self.run_device("A", app, "-c", "sync")
            table = app == "swiss-coin"
            self.plan({"do": "refuseItems", **({"code": "23503"} if table else {"error": "invalidArguments", "on": ["saveRecords"]})})
            with self.subTest(app):
                lines = self.run_device("A", app, "-c", command, expect=3)
                self.assertRegex(lines[-1], r"^\d edits? (was|were) refused: ")
                self.plan()
                self.assertRegex(self.run_device("A", app, stdin="quit\n", expect=3)[-1], r"^\d edits? (was|were) refused: ")
                run = run_zonekit("device", "A", "--app", app, *DEAD, "--json", data=self.data, stdin="")
                last = json.loads(run.stdout.splitlines()[-1])
                self.assertEqual((run.returncode, last["event"], last["edits"]), (3, "unsent", 0))
                self.assertGreater(last["refused"], 0)
                for name in (signal.SIGINT, signal.SIGTERM):
                    process = self.device(app=app)
                    process.stdin.write("status\n")
                    process.stdin.flush()
                    self.hears(process, "answer")
                    process.send_signal(name)
                    self.assertEqual(process.wait(20), 3)
            self.verb("erase", "A", "--yes")

    def test_a_written_request_is_waited_for_longer_than_the_linger(self):
        self.run_device("A", "diet-log", "-c", "sync")
        self.plan({"do": "delayAnswer", "on": ["saveRecords"], "milliseconds": 2_500, "times": 1})
        self.run_device("A", "diet-log", "--linger", "1", "-c", "weigh 70")
        self.assertEqual(self.pending("A"), 0)

    def test_a_second_signal_ends_the_device_during_a_request(self):
        with socket.create_server(("127.0.0.1", 0)) as silent:
            address = f"127.0.0.1:{silent.getsockname()[1]}"
            process = self.device("--server", f"http://{address}", "--push", "127.0.0.1:1", "--linger", "300", "--eager")
            connection, _ = silent.accept()
            self.addCleanup(connection.close)
            process.stdin.write("weigh 70\n")
            process.stdin.flush()
            self.hears(process, "answer")
            process.send_signal(signal.SIGINT)
            self.assertRaises(subprocess.TimeoutExpired, process.wait, 1)
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(10), 3)
            last = json.loads(process.stdout.read().splitlines()[-1])
            self.assertEqual((last["event"], last["reason"]), ("unsent", "interrupted"))
