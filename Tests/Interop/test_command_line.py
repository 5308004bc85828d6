"""The command line: words, exit codes and help (the interface contract)."""

import json
import os
import re
import signal
import socket
import subprocess
import unittest

from support import Case, eventually, run_zonekit, zonekit

VERBS = ["serve", "device", "demo", "push", "erase", "reset", "snapshot", "diagnostics", "diff", "import", "export"]
# Those that need no server and no device folder.
ANSI = re.compile(r"\x1b\[")


class BadUsage(Case):
    def check_refused(self, *arguments, says=""):
        run = run_zonekit(*arguments, timeout=20)
        self.assertEqual(run.returncode, 2, f"{arguments}: {run.stdout}{run.stderr}")
        self.assertEqual(run.stdout, "")
        self.assertRegex(run.stderr, says or r"\S")
        return run.stderr

    def test_an_unknown_verb_is_refused_with_a_hint(self):
        self.check_refused("serv", says="serve")
        self.check_refused("diagnostic", says="diagnostics")
        self.check_refused("fly-to-the-moon", says="fly-to-the-moon")

        self.assertIn("zonekit --help shows", self.check_refused("bogus"))

    def test_bad_words_are_named_before_a_server_is_looked_for(self):
        data = self.folder() / "data"
        for words, says in ((("bogus",), "not bogus"), (("add",), "SENTENCE is missing"), (("list", "x"), "x is one word too many")):
            self.check_refused("fault", *words, "--data", data, says=says)

    def test_the_help_can_be_json(self):
        for words in (("help",), ("help", "device"), ("device", "--help")):
            plain = run_zonekit(*words)
            run = run_zonekit(*words, "--json")
            self.assertEqual((run.returncode, json.loads(run.stdout)["help"].split()), (0, plain.stdout.split()))

    def test_a_file_is_no_data_folder(self):
        file = self.folder() / "file"
        file.write_text("x")
        self.check_refused("account", "list", "--data", file, says=f"{file} is a file")

    def test_an_unknown_option_is_refused_with_a_hint(self):
        self.check_refused("serve", "--htpp", "127.0.0.1:0", says="--http")
        self.check_refused("serve", "--nonsense", says="--nonsense")
        self.check_refused("serve", "-x", says="-x")

    def test_an_option_without_its_value_is_refused(self):
        for option in ("--http", "--push", "--auth", "--data"):
            self.check_refused("serve", option, says=option)

    def test_a_word_too_many_is_refused(self):
        self.check_refused("serve", "surprise", says="surprise")

    def test_a_missing_word_is_refused(self):
        for verb in ("device", "push", "erase", "diff", "import", "export", "reset", "snapshot", "run"):
            with self.subTest(verb):
                self.check_refused(verb)

    def test_bad_addresses_are_named(self):
        for address in (
            "nonsense",
            "127.0.0.1",
            "127.0.0.1:",
            "127.0.0.1:70000",
            "127.0.0.1:-1",
            "127.0.0.1:x",
            ":",
            "",
            "unix:",
            "unix:/" + "x" * 200,
        ):
            with self.subTest(address):
                data = self.folder() / "data"
                self.check_refused(
                    "serve", "--http", address, "--push", "127.0.0.1:0", "--data", data, says="--http|addr"
                )
                self.assertFalse(data.exists(), "bad usage changes nothing")

    def test_a_folder_that_is_not_there_is_named(self):
        payload = self.folder() / "payload.json"
        payload.write_text('{"aps":{"content-available":1}}')
        for words in (
            ("diagnostics",), ("purge",), ("schema",), ("tables",), ("account", "list"), ("account", "remove", "a@b.test"), ("check",),
            ("snapshot", "list"), ("snapshot", "save"), ("diff", "A", "B"), ("export", "--device", "A"), ("push", "A", payload),
            ("erase", "A", "--yes"), ("reset", "local", "A", "--yes"), ("reset", "all", "--yes"), ("repair",),
        ):
            with self.subTest(words):
                data = self.folder() / "nowhere"
                message = self.check_refused(*words, "--data", data, says="nowhere")
                self.assertNotIn("--help", message, "the words are right")
                self.assertFalse(data.exists(), "a verb that reads makes nothing")

    def test_an_error_is_json_where_json_is_asked_for(self):
        for words in (("diagnostics", "--data", "/nowhere"), ("device",), ("serve", "--htpp", "x"), ("serve", "--http", "x")):
            run = run_zonekit(*words, "--json", timeout=20)
            self.assertEqual((run.returncode, run.stdout), (2, ""))
            error = json.loads(run.stderr)
            self.assertEqual(error["code"], 2)
            self.assertTrue(error["error"])

    def test_another_scheme_than_http_is_named(self):
        for words in (("device", "A", "--server"), ("device", "A", "--push"), ("serve", "--http")):
            for address in ("https://127.0.0.1:7440", "wss://[::1]:1/x"):
                message = self.check_refused(*words, address, "--data", self.folder() / "data")
                self.assertIn("only http:// and unix: are spoken", message)
        self.check_refused("device", "A", "--server", "http://127.0.0.1:1/database", says="leave /database out")

    def test_only_wrong_words_get_the_help_as_a_hint(self):
        self.assertIn("--help", self.check_refused("device"))
        missing = self.folder() / "missing.json"
        self.assertNotIn("--help", self.check_refused("import", missing, "--device", "A", says="no such file"))
        self.assertNotIn("--help", self.check_refused("run", missing, says="no such file"))

    def test_lines_fit_the_columns_that_are_asked_for(self):
        data = self.folder() / "data"
        for columns in (60, 100):
            for words in (
                ("--help",), ("device", "--help"), ("import", "--help"), ("scenarios",), ("diagnostics",),
                ("device", "A", "--offline", "--linger", "0", "-c", "log diaper pee", "-c", "status", "-c", "list"),
            ):
                run = run_zonekit(*words, data=data if "--help" not in words else None, environment={"COLUMNS": str(columns)})
                if words == ("diagnostics",):
                    self.assertIn(run.returncode, (0, 2))
                for line in run.stdout.splitlines():
                    self.assertLessEqual(len(line), columns, (words, line))

    def test_a_bad_mode_of_authentication_is_refused(self):
        self.check_refused("serve", "--auth", "trusting", says="open.*strict")

    def test_open_is_refused_where_others_can_reach_it(self):
        for option in ("--http", "--push"):
            others = {"--http": "--push", "--push": "--http"}
            for address in ("0.0.0.0:0", "[::]:0"):
                with self.subTest(option=option, address=address):
                    data = self.folder() / "data"
                    message = self.check_refused(
                        "serve", option, address, others[option], "127.0.0.1:0", "--data", data, says="open"
                    )
                    self.assertIn("strict", message, "what would be right")

    def test_strict_is_welcome_everywhere(self):
        server = self.serve(None, "--auth", "strict", http="0.0.0.0:0")
        self.assertEqual(server.end(), 0)

    def test_no_verb_shows_the_verbs(self):
        run = run_zonekit(timeout=20)
        self.assertIn(run.returncode, (0, 2))
        for verb in VERBS:
            self.assertIn(verb, run.stdout + run.stderr)


class Help(Case):
    def test_the_program_lists_its_verbs(self):
        for word in ("--help", "help"):
            run = run_zonekit(word, timeout=20)
            self.assertEqual((run.returncode, run.stderr), (0, ""), word)
            for verb in VERBS:
                self.assertRegex(run.stdout, rf"(?m)^\s*(zonekit )?{verb}\b")

    def check_help(self, verb):
        run = run_zonekit(verb, "--help", timeout=20)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertIn("--data", run.stdout)
        example = run.stdout.lower().partition("example")[2]
        self.assertIn(f"zonekit {verb}", example, "an example that can be copied")

    def test_every_verb_has_help_with_an_example(self):
        for verb in VERBS:
            with self.subTest(verb):
                self.check_help(verb)

    def test_the_version_is_told(self):
        run = run_zonekit("--version", timeout=20)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertRegex(run.stdout, r"\d+\.\d+")

    def test_nothing_is_coloured_off_a_terminal(self):
        for environment in ({}, {"NO_COLOR": "1"}, {"TERM": "xterm-256color"}):
            run = run_zonekit("--help", environment=environment, timeout=20)
            self.assertNotRegex(run.stdout, ANSI)


class ReadyAndEnd(Case):
    def test_the_ready_line_says_where_and_who(self):
        server = self.serve()
        self.assertEqual(server.ready_line.count("\n"), 1)
        self.assertEqual(server.ready["event"], "ready")
        self.assertEqual(server.ready["pid"], server.process.pid)
        for key in ("http", "push"):
            host, _, port = server.ready[key].rpartition(":")
            self.assertEqual(host, "127.0.0.1")
            self.assertGreater(int(port), 0)
            socket.create_connection((host, int(port)), 5).close()

    def test_localhost_and_ipv6_can_be_listened_on(self):
        for address in ("localhost:0", "[::1]:0"):
            if address.startswith("[") and not socket.has_dualstack_ipv6():
                self.skipTest("this machine has no IPv6")
            with self.subTest(address):
                server = self.serve(http=address)
                self.assertEqual(self.keep(server.cloud()).call("zones/list").status, 200)

    def test_sigterm_and_sigint_end_it_cleanly(self):
        for with_signal in (signal.SIGTERM, signal.SIGINT):
            server = self.serve()
            self.assertEqual(self.keep(server.cloud()).call("zones/list").status, 200)
            self.assertEqual(server.end(with_signal), 0, server.log())
            self.serve(server.data)

    def test_a_signal_right_after_the_ready_line_ends_it_cleanly_too(self):
        data = self.folder() / "data"
        for number in range(20):
            self.assertEqual(self.serve(data).end(), 0, f"start {number}: it was ready before it listened to signals")

    def test_open_connections_do_not_delay_the_end(self):
        server = self.serve()
        self.keep(server.push_client(user="nanny", device="d")).welcomed()
        raw = self.keep(server.raw())
        raw.send(b"POST /half")
        self.assertEqual(self.keep(server.cloud()).call("zones/list").status, 200)
        self.assertEqual(server.end(), 0)

    def test_the_default_data_folder_is_in_the_working_directory(self):
        folder = self.folder()
        process = subprocess.Popen(
            [zonekit(), "serve", "--http", "127.0.0.1:0", "--push", "127.0.0.1:0"], cwd=folder, stdout=subprocess.PIPE
        )
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.assertEqual(json.loads(process.stdout.readline())["event"], "ready")
        self.assertTrue((folder / ".zonekit").is_dir())

    def test_the_data_folder_is_made_with_its_parents(self):
        data = self.folder() / "a" / "b c" / "ü"
        self.assertEqual(self.serve(data).end(), 0)
        self.assertTrue(data.is_dir())

    def test_it_survives_a_closed_standard_output(self):
        server = self.serve()
        server.process.stdout.close()
        self.assertEqual(self.keep(server.cloud()).call("zones/list").status, 200)

    @unittest.skipUnless(os.path.isdir("/proc/self/fd"), "counting open files needs /proc")
    def test_connections_that_end_leave_no_files_open(self):
        server = self.serve()
        cloud = self.keep(server.cloud())
        cloud.create_zone()

        def open_files():
            return len(os.listdir(f"/proc/{server.pid}/fd"))

        before = open_files()
        for _ in range(100):
            for client in (server.cloud(), server.raw(), server.push_client(user="nanny", device="d")):
                if hasattr(client, "call"):
                    client.call("zones/list")
                client.close()
        self.assertTrue(
            eventually(lambda: open_files() <= before + 2, "all connections are closed on the server's side")
        )

    def test_more_zones_than_open_files_can_be_served(self):
        server = self.serve(prefix=("prlimit", "--nofile=256:256"))
        cloud = self.keep(server.cloud())
        names = [f"Z{number}" for number in range(120)]
        # The zones of one request are open together until they are committed.
        for start in range(0, 120, 20):
            cloud.modify_zones(*[("create", name) for name in names[start : start + 20]])
        for _ in range(2):
            for name in names:
                cloud.save("n", zone=name)
        self.assertEqual(len(cloud.database_changes()["zones"]), 120)
        self.assertEqual(self.keep(server.cloud()).call("zones/list").status, 200)
