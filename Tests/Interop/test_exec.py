"""`zonekit exec`, `zonekit status` and the import and export of `zonekit serve`: a server for one command, and its state in a folder."""

import json
import os
import pathlib
import shlex
import signal
import subprocess
import urllib.request

from support import PATIENCE, Case, run_zonekit, zonekit

NAMES = ["ZONEKIT_HTTP", "ZONEKIT_PUSH", "SUPABASE_URL", "SUPABASE_ANON_KEY", "SUPABASE_SERVICE_ROLE_KEY"]
PRINT = "import json, os; print(json.dumps(dict(os.environ)))"
# A command that says that it is ready, and ends with 5 at SIGINT and with 6 at SIGTERM.
OBEDIENT = "trap 'echo interrupted; exit 5' INT; trap 'echo terminated; exit 6' TERM; echo ready; while :; do read -r _; done"


class ExecCase(Case):
    def setUp(self):
        self.temporary = self.folder() / "temporary"
        self.temporary.mkdir()

    def exec(self, *words, environment=None):
        """A run of exec to its end. Nothing may remain of it."""
        more = {"TMPDIR": str(self.temporary), **(environment or {})}
        run = run_zonekit("exec", *words, environment=more)
        self.assertEqual(list(self.temporary.iterdir()), [], f"{words}: {run.stderr}")
        return run

    def start(self, *words):
        process = subprocess.Popen(
            [zonekit(), "exec", *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env={**os.environ, "TMPDIR": str(self.temporary)}, start_new_session=True,
        )
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stdin.close)
        self.addCleanup(process.kill)
        return process


class Exec(ExecCase):
    def test_the_command_finds_the_server_in_its_environment(self):
        seen = json.loads(self.exec("--", "python3", "-c", PRINT).stdout)
        self.assertEqual([name for name in NAMES if not seen.get(name)], [])
        self.assertEqual(seen["SUPABASE_URL"], f"http://{seen['ZONEKIT_HTTP']}")
        self.assertEqual(seen["ZONEKIT_DATA"].rpartition("/")[0], str(self.temporary))
        self.assertNotIn("ZONEKIT_KEY", seen)

    def test_the_server_answers_the_command(self):
        ask = "import os, urllib.request as r; print(r.urlopen('http://' + os.environ['ZONEKIT_HTTP'] + '/zonekit/status').status)"
        self.assertEqual(self.exec("--", "python3", "-c", ask).stdout, "200\n")

    def test_zonekit_in_the_command_uses_that_server(self):
        words = f"{zonekit()} device A -c 'log diaper pee' >/dev/null && {zonekit()} status --json"
        run = self.exec("--", "sh", "-c", words)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertTrue(json.loads(run.stdout)["data"].startswith(str(self.temporary)))

    def test_the_exit_code_is_that_of_the_command(self):
        for words, code in ((["true"], 0), (["sh", "-c", "exit 7"], 7), (["sh", "-c", "kill -9 $$"], 128 + 9)):
            self.assertEqual(self.exec("--", *words).returncode, code, words)

    def test_a_command_that_is_not_there_is_named(self):
        run = self.exec("--", "no-such-command")
        self.assertEqual((run.returncode, run.stdout), (3, ""))
        self.assertEqual(
            run.stderr, "zonekit: cannot start no-such-command: there is no such command in PATH, or no such file\n")

    def test_bad_words_are_refused_before_a_server_starts(self):
        for words, says in (
            ([], "COMMAND is missing"), (["--data", "d", "--", "true"], "--data does not go with exec"),
            (["--auth", "maybe", "--", "true"], "--auth takes open or strict"),
            (["--import", "nowhere", "--", "true"], "nowhere has no cloud"),
        ):
            run = self.exec(*words)
            self.assertEqual((run.returncode, run.stdout), (2, ""), words)
            self.assertIn(says, run.stderr)

    def test_the_keys_of_another_server_are_not_passed_on(self):
        run = self.exec(
            "--tables", "none", "--", "python3", "-c", PRINT, environment={"SUPABASE_SERVICE_ROLE_KEY": "of another"})
        self.assertEqual([name for name in json.loads(run.stdout) if name.startswith("SUPABASE")], [])

    def test_a_strict_server_gives_its_key(self):
        self.assertTrue(json.loads(self.exec("--auth", "strict", "--", "python3", "-c", PRINT).stdout)["ZONEKIT_KEY"])

    def test_the_tables_of_a_schema_are_served(self):
        schema = self.folder() / "schema.sql"
        schema.write_text("create table notes (id int primary key, text text); insert into notes values (1, 'first');")
        ask = (
            "import os, urllib.request as r; key = os.environ['SUPABASE_SERVICE_ROLE_KEY'];"
            "print(r.urlopen(r.Request(os.environ['SUPABASE_URL'] + '/rest/v1/notes', headers={'apikey': key})).read().decode())"
        )
        run = self.exec("--tables", schema, "--", "python3", "-c", ask)
        self.assertEqual(json.loads(run.stdout), [{"id": 1, "text": "first"}], run.stderr)

    def test_two_runs_have_servers_of_their_own(self):
        first = self.start("--", "sh", "-c", "echo $ZONEKIT_HTTP; read -r _")
        address = first.stdout.readline()
        self.assertNotEqual(self.start("--", "sh", "-c", "echo $ZONEKIT_HTTP").communicate(timeout=PATIENCE)[0], address)
        first.communicate("\n", timeout=PATIENCE)
        self.assertEqual(list(self.temporary.iterdir()), [])


class Signals(ExecCase):
    def ended(self, process, *, output, code):
        # The input stays open until then: its end would end the command too.
        self.assertEqual(process.wait(PATIENCE), code)
        self.assertEqual(process.stdout.read(), output)
        self.assertEqual(list(self.temporary.iterdir()), [])

    def test_a_signal_goes_to_the_command_which_decides(self):
        for sent, said, code in ((signal.SIGINT, "interrupted\n", 5), (signal.SIGTERM, "terminated\n", 6)):
            process = self.start("--", "bash", "-c", OBEDIENT)
            self.assertEqual(process.stdout.readline(), "ready\n")
            process.send_signal(sent)
            self.ended(process, output=said, code=code)

    def test_a_command_that_a_signal_ends_gives_128_and_the_signal(self):
        # A command that reads would end by itself when its input ends.
        process = self.start("--", "sh", "-c", "echo ready; exec sleep 600")
        self.assertEqual(process.stdout.readline(), "ready\n")
        process.send_signal(signal.SIGTERM)
        self.ended(process, output="", code=128 + signal.SIGTERM)

    def test_the_server_answers_until_the_command_has_ended(self):
        process = self.start("--", "bash", "-c", "trap 'echo late; read -r _; exit 0' INT; echo $ZONEKIT_HTTP; while :; do read -r _; done")
        address = process.stdout.readline().strip()
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.stdout.readline(), "late\n")
        self.assertEqual(urllib.request.urlopen(f"http://{address}/zonekit/status").status, 200)
        process.stdin.write("\n")
        process.stdin.flush()
        self.ended(process, output="", code=0)

    def test_ctrl_c_on_a_terminal_interrupts_the_command_once(self):
        counting = "trap 'echo interrupted' INT; trap 'exit 4' TERM; echo ready; while :; do read -r _; done"
        main, terminal = os.openpty()
        process = subprocess.Popen(
            ["setsid", "--ctty", "--wait", zonekit(), "exec", "--", "bash", "-c", counting], stdin=terminal, stdout=terminal,
            stderr=subprocess.DEVNULL, env={**os.environ, "TMPDIR": str(self.temporary)},
        )
        os.close(terminal)
        self.addCleanup(os.close, main)
        self.addCleanup(process.kill)
        seen = ""

        def read_until(text):
            nonlocal seen
            while text not in seen:
                seen += os.read(main, 4096).decode()

        read_until("ready")
        os.write(main, b"\x03")
        read_until("interrupted")
        (child,) = self.children(process.pid)
        os.kill(child, signal.SIGTERM)
        self.assertEqual(process.wait(PATIENCE), 4)
        self.assertEqual(seen.count("interrupted"), 1, seen)
        self.assertEqual(list(self.temporary.iterdir()), [])

    def children(self, pid):
        return [int(word) for word in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


class Import(ExecCase):
    def records(self, http):
        cloud = json.load(urllib.request.urlopen(f"http://{http}/zonekit/status"))["cloud"]
        return {zone["name"]: zone["records"] for zone in cloud["zones"]}

    def test_the_command_begins_with_the_cloud_of_a_folder_which_stays(self):
        seed = self.served_data()
        before = sorted(str(path) for path in seed.rglob("*"))
        ask = "import os, urllib.request as r; print(r.urlopen('http://' + os.environ['ZONEKIT_HTTP'] + '/zonekit/status').read().decode())"
        run = self.exec("--import", seed, "--", "python3", "-c", ask)
        zones = {zone["name"]: zone["records"] for zone in json.loads(run.stdout)["cloud"]["zones"]}
        self.assertEqual(zones["NannyAndMe"], 2, run.stderr)
        self.assertEqual(sorted(str(path) for path in seed.rglob("*")), before)

    def test_a_server_begins_with_a_folder_and_keeps_what_was_there(self):
        seed, data = self.served_data(), self.folder() / "data"
        self.serve(data).end()
        server = self.serve(data, "--import", seed)
        self.assertEqual(self.records(server.http)["NannyAndMe"], 2)
        self.assertIn(f"the cloud that was in {data} is in {data}/backups/", server.log())

    def test_an_export_at_the_end_is_an_import_of_the_next_server(self):
        folder, seed = self.folder(), self.served_data()
        for sent in (signal.SIGTERM, signal.SIGINT):
            # The second server replaces the export of the first one.
            server = self.serve(folder / sent.name, "--import", seed, "--export-on-exit", f"{folder}/export/")
            self.assertEqual(server.end(sent), 0)
            self.assertIn(f"exported the cloud of {folder / sent.name} to {folder}/export", server.log())
        self.assertEqual(sorted(path.name for path in (folder / "export").iterdir()), ["cloud", "snapshot.json"])
        self.assertEqual([path.name for path in folder.iterdir() if path.name.startswith("export.")], [])
        again = self.serve(folder / "again", "--import", folder / "export")
        self.assertEqual(self.records(again.http)["NannyAndMe"], 2)

    def test_a_snapshot_of_a_running_server_is_where_a_command_begins(self):
        data = self.folder() / "data"
        server = self.serve(data)
        self.assertEqual(run_zonekit("device", "A", "-c", "log diaper pee", data=data).returncode, 0)
        saved = run_zonekit("snapshot", "save", "one diaper", "--json", data=data)
        self.assertEqual(run_zonekit("device", "A", "-c", "log diaper poo", data=data).returncode, 0)
        self.assertEqual(self.records(server.http)["NannyAndMe"], 3)
        count = (
            "import json, os, urllib.request as r; cloud = json.load(r.urlopen('http://' + os.environ['ZONEKIT_HTTP'] + '/zonekit/status'))['cloud'];"
            "print({zone['name']: zone['records'] for zone in cloud['zones']}['NannyAndMe'])"
        )
        run = self.exec("--import", json.loads(saved.stdout)["path"], "--", "python3", "-c", count)
        self.assertEqual(run.stdout, "2\n", run.stderr)

    def test_the_keys_of_tables_come_with_the_cloud(self):
        seed = self.folder() / "seed"
        server = self.serve(seed)
        key = server.ready["supabase"]["anonKey"]
        server.end()
        self.assertEqual(self.serve(self.folder() / "data", "--import", seed).ready["supabase"]["anonKey"], key)

    def test_an_export_replaces_nothing_but_an_export(self):
        target = self.folder() / "target"
        target.mkdir()
        (target / "thesis.txt").write_text("years of work")
        run = run_zonekit("serve", "--http", "127.0.0.1:0", "--push", "127.0.0.1:0", "--export-on-exit", target, data=self.folder() / "d")
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertIn(f"{target} holds something that is no earlier export", run.stderr)
        self.assertEqual((target / "thesis.txt").read_text(), "years of work")

    def test_a_folder_is_not_imported_under_a_running_server(self):
        seed, data = self.served_data(), self.folder() / "data"
        server = self.serve(data)
        run = run_zonekit("serve", "--http", "127.0.0.1:0", "--push", "127.0.0.1:0", "--import", seed, data=data)
        self.assertEqual(run.returncode, 3)
        self.assertIn(f"in use by process {server.pid}; end it first", run.stderr)


class Status(Case):
    def test_the_variables_are_those_of_the_running_server(self):
        data = self.folder() / "data"
        server = self.serve(data)
        run = run_zonekit("status", "-o", "env", data=data)
        known = dict(line.split("=", 1) for line in run.stdout.splitlines())
        self.assertEqual(list(known), NAMES)
        self.assertEqual((known["ZONEKIT_HTTP"], known["ZONEKIT_PUSH"]), (server.http, server.push))
        self.assertEqual(known["SUPABASE_URL"], server.ready["supabase"]["url"])
        self.assertEqual(known["SUPABASE_ANON_KEY"], server.ready["supabase"]["anonKey"])
        keys = json.load(urllib.request.urlopen(f"http://{server.http}/zonekit/keys"))
        self.assertEqual(known["SUPABASE_SERVICE_ROLE_KEY"], keys["serviceRoleKey"])

    def test_a_shell_reads_the_variables(self):
        folder = self.folder() / "it's here"
        folder.mkdir()
        self.serve(folder / "data", http=f"unix:{folder}/http")
        words = f'eval "$({shlex.quote(zonekit())} status -o env --data {shlex.quote(str(folder / "data"))})"; echo "$ZONEKIT_HTTP"'
        self.assertEqual(subprocess.run(["sh", "-c", words], capture_output=True, text=True).stdout, f"unix:{folder}/http\n")

    def test_text_and_json_say_the_same(self):
        data = self.folder() / "data"
        server = self.serve(data, "--auth", "strict")
        found = json.loads(run_zonekit("status", "--json", data=data).stdout)
        self.assertEqual((found["pid"], found["http"], found["key"]), (server.pid, server.http, server.ready["key"]))
        self.assertEqual(found["supabase"]["anonKey"], server.ready["supabase"]["anonKey"])
        text = run_zonekit("status", data=data).stdout
        for value in (str(server.pid), found["http"], found["push"], found["key"], found["supabase"]["serviceRoleKey"]):
            self.assertIn(value, text)

    def test_without_a_server_the_exit_code_is_3(self):
        data = self.folder() / "data"
        server = self.serve(data)
        server.end()
        for words in ((), ("-o", "env"), ("--json",)):
            run = run_zonekit("status", *words, data=data)
            self.assertEqual((run.returncode, run.stdout), (3, ""))
            self.assertIn(f"no server is running in {data}", run.stderr)

    def test_a_form_that_is_not_there_is_refused(self):
        run = run_zonekit("status", "-o", "yaml", data=self.folder())
        self.assertEqual(run.returncode, 2)
        self.assertIn("-o takes env, not yaml", run.stderr)
