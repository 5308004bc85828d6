"""The prompt of a device and the words of a server on a real terminal (a pseudo terminal): editing, history, events above
the line that is typed, and progress on one line."""

import json
import os
import pty
import re
import select
import struct
import subprocess
import termios
import fcntl
import time

from devices import World, share_file
from support import PATIENCE, eventually, run_zonekit, zonekit

UP, LEFT, BACKSPACE, HOME = "\x1b[A", "\x1b[D", "\x7f", "\x01"
ANSI = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


class Terminal:
    """A program whose standard streams are a pseudo terminal."""

    def __init__(self, *arguments, columns=80, environment=None):
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        self.process = subprocess.Popen(
            [zonekit(), *map(str, arguments)], stdin=slave, stdout=slave, stderr=slave, start_new_session=True,
            env={**os.environ, "TERM": "xterm", **(environment or {})},
            # Ctrl-C is a signal only at the controlling terminal.
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        os.close(slave)
        self.seen = ""

    def type(self, text):
        os.write(self.master, text.encode())

    def read(self):
        while select.select([self.master], [], [], 0.01)[0]:
            try:
                chunk = os.read(self.master, 65536)
            except OSError:
                return
            if not chunk:
                return
            self.seen += chunk.decode(errors="replace")

    def shows(self, text, since=0):
        """Waits for a text after that many characters; the number of characters up to its end."""

        def probe():
            self.read()
            place = self.seen.find(text, since)
            return place + len(text) if place >= 0 else None

        try:
            return eventually(probe, f"the terminal shows {text!r}")
        except AssertionError as error:
            raise AssertionError(f"{error}; it shows {self.seen[since:]!r}") from None

    def wait(self):
        code = None
        deadline = time.monotonic() + PATIENCE * 2
        while code is None and time.monotonic() < deadline:
            self.read()
            code = self.process.poll()
        self.read()
        return code

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.master)


class Prompt(World):
    def terminal(self, *arguments, **more):
        terminal = Terminal(*arguments, **more)
        self.addCleanup(terminal.close)
        return terminal

    def device(self, *arguments, **more):
        return self.terminal("device", "A", "--data", self.data, *arguments, **more)

    def test_a_line_is_edited_before_it_is_a_command(self):
        device = self.device("--offline")
        at = device.shows("A> ")
        device.type(f"diaper pxe{LEFT}{BACKSPACE}e{HOME}log \r")
        at = device.shows("logged diaper pee ", at)
        at = device.shows("A> ", at)
        device.type("profile name \"Zoë\"\r")
        device.shows("profile Zoë", at)
        device.type("\x04")
        self.assertEqual(device.wait(), 0)

    def test_the_history_brings_lines_back(self):
        device = self.device("--offline")
        at = device.shows("A> ")
        device.type("log diaper poo\r")
        at = device.shows("logged diaper poo", at)
        at = device.shows("A> ", at)
        device.type(f"{UP}\r")
        at = device.shows("logged diaper poo", at)
        device.type("quit\r")
        self.assertEqual(device.wait(), 0)
        self.assertEqual(len(self.actions("A")), 2)

    def test_an_event_is_shown_above_the_line_that_is_typed_and_leaves_it(self):
        self.start_server()
        device = self.device()
        at = device.shows("A> ")
        device.type("log diap")
        at = device.shows("log diap", at)
        self.start("B").say("log sleep at -2h until -1h")
        at = device.shows("changed: 2 records", at)
        at = device.shows("A> log diap", at)
        device.type("er pee\r")
        at = device.shows("logged diaper pee", at)
        device.type("quit\r")
        self.assertEqual(device.wait(), 0)
        # Each event begins a line of its own: what was typed is erased before it.
        for line in device.seen.replace("\r\n", "\n").split("\n"):
            self.assertNotRegex(ANSI.sub("", line.rpartition("\r")[2]), r"log diap.*changed")

    def test_the_state_is_text_and_json_on_demand(self):
        device = self.device("--offline")
        at = device.shows("A> ")
        device.type("status\r")
        at = device.shows("device A, user nanny, offline", at)
        at = device.shows("A> ", at)
        device.type("status --json\r")
        at = device.shows('"state":"offline"', at)
        device.type("\x04")
        self.assertEqual(device.wait(), 0)

    def test_ctrl_c_at_the_prompt_ends_a_device_that_says_what_it_has_not_sent(self):
        device = self.device("--server", "http://127.0.0.1:1", "--push", "127.0.0.1:1", "--linger", "1")
        at = device.shows("A> ")
        device.type("log diaper pee\r")
        at = device.shows("logged diaper pee", at)
        device.shows("A> ", at)
        device.type("\x03")
        self.assertEqual(device.wait(), 3)
        self.assertRegex(device.seen.rstrip().splitlines()[-1], r"2 edits not sent: ")

    def test_a_terminal_gets_its_usual_mode_back(self):
        master, slave = pty.openpty()
        before = termios.tcgetattr(slave)
        process = subprocess.Popen(
            [zonekit(), "device", "A", "--offline", "--data", str(self.data)], stdin=slave, stdout=slave, stderr=slave,
            start_new_session=True,
        )
        self.addCleanup(process.kill)
        os.write(master, b"quit\r")
        self.assertEqual(process.wait(PATIENCE), 0)
        self.assertEqual(termios.tcgetattr(slave), before)
        os.close(slave)
        os.close(master)

    def test_a_long_send_is_one_line_on_a_terminal_and_a_line_a_second_elsewhere(self):
        self.start_server()
        path, share = share_file(self.folder(), count=300)
        self.verb("import", path, "--device", "A")
        run = run_zonekit("device", "A", "-c", "sync", data=self.data)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertEqual(len([line for line in run.stdout.splitlines() if line.endswith(" sent")]), 0, run.stdout)
        self.assertRegex(run.stdout, r"(?m) 301 records sent in \d+ s$")
        self.assertRegex(run.stderr, r"^sending \[#*-*\] \d+%, \d+ of 301")
        self.assertLess(len(run.stderr.splitlines()), 10)
        self.verb("import", path, "--device", "B", "--user", "tom")
        device = self.terminal("device", "B", "--data", self.data, "-c", "sync")
        self.assertEqual(device.wait(), 0)
        self.assertRegex(device.seen, r"\rsending \[#*-*\] \d+%, \d+ of 301[^\r\n]*\x1b\[K")
        self.assertNotRegex(device.seen, r"sending [^\r\n]*\r?\n")

    def test_a_long_fetch_is_one_line_on_a_terminal_and_a_line_a_second_elsewhere(self):
        self.start_server()
        path, share = share_file(self.folder(), count=900)
        self.verb("import", path, "--device", "A")
        self.assertEqual(run_zonekit("device", "A", "-c", "sync", data=self.data).returncode, 0)
        run = run_zonekit("device", "B", "-c", "sync", data=self.data)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertRegex(run.stdout, r"(?m) 901 records fetched in \d+ s$")
        self.assertNotRegex(run.stdout, r"[1-9]\d* records? merged|changed: ")
        self.assertLess(len(run.stderr.splitlines()), 10)
        device = self.terminal("device", "C", "--data", self.data, "-c", "sync")
        self.assertEqual(device.wait(), 0)
        self.assertNotRegex(device.seen, r"[1-9]\d* records? merged|changed: |fetching: [^\r\n]*\r?\n")
        events = run_zonekit("device", "D", "--json", "-c", "sync", data=self.data).stdout
        self.assertEqual(events.count('"event":"remoteChange"'), 5, "programs read every page")

    def test_many_notifications_are_counted(self):
        self.start_server()
        self.verb("account", "add", "mara@example.test", "--password", "secret1")
        words = ("--app", "SwissCoin", "--data", str(self.data))
        watching = subprocess.Popen([zonekit(), "device", "B", *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.addCleanup(watching.kill)
        watching.stdin.write("signin mara@example.test secret1\n")
        watching.stdin.flush()
        for line in watching.stdout:
            if "Realtime connected" in line:
                break
        spends = [word for number in range(60) for word in ("-c", f'spend {number + 1}.00 "Dinner" for me')]
        run = run_zonekit("device", "A", "--app", "SwissCoin", "-c", "signin mara@example.test secret1", *spends, "-c", "sync", data=self.data)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        lines = []
        for line in watching.stdout:
            lines.append(line)
            if "received in" in line:
                break
        watching.communicate("quit\n", PATIENCE)
        self.assertIn("and 50 notifications received in", lines[-1])
        self.assertEqual(sum("financial_transactions - INSERT" in line for line in lines), 10)

    def test_a_server_says_in_words_where_it_listens(self):
        server = self.terminal("serve", "--data", self.data, "--http", "127.0.0.1:0", "--push", "127.0.0.1:0", columns=240)
        at = server.shows("until Ctrl-C")
        ready = json.loads(server.seen.splitlines()[0])
        for text in (f"http://{ready['http']}", ready["push"], f"zonekit device A --data {self.data}"):
            server.shows(text)
        server.type("\x03")
        self.assertEqual(server.wait(), 0)


class Log(World):
    def test_a_server_logs_requests_pushes_and_events_on_standard_error(self):
        self.server = self.serve(self.data, "--log")
        self.start("A").say("log diaper pee")
        self.start("B")
        self.agree("A", "B", count=1)
        self.devices["A"].say("log diaper poo")
        self.agree("A", "B", count=2)
        self.stop()
        log = self.server.log(limit=100_000)
        self.assertRegex(log, r"(?m)^\d\d:\d\d:\d\d\.\d{3} POST /database/1/\S+ 200, \d+ bytes, \d+ ms$")
        self.assertRegex(log, r"(?m)^\d\d:\d\d:\d\d\.\d{3} .*deliver")
        self.assertNotIn("ckAPIToken", log)

    def test_the_log_is_json_on_demand(self):
        self.server = self.serve(self.data, "--log", "--json")
        self.cloud().call("zones/list")
        self.assertEqual(self.server.end(), 0)
        lines = [json.loads(line) for line in self.server.log(limit=100_000).splitlines()]
        (request,) = [line for line in lines if line["event"] == "request"]
        self.assertEqual((request["method"], request["status"]), ("POST", 200))
