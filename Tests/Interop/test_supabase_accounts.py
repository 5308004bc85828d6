"""The accounts of a Supabase-style service through crashes, damage, a full disk and many sign-ins, and from a shell."""

import concurrent.futures
import json
import os
import shutil
import stat
import time
import unittest

from supabase_http import Auth
from support import SWELLING, Case, run_zonekit


class Troubles(Case):
    def test_what_was_answered_is_there_after_a_crash(self):
        data = self.folder() / "data"
        server = self.serve(data)
        auth = self.keep(Auth(server.http))
        made = auth.sign_up("mara@example.test").json
        refreshed = auth.refresh(made["refresh_token"]).json
        server.kill()
        server = self.serve(data)
        auth = self.keep(Auth(server.http))
        self.assertEqual(auth.sign_in("mara@example.test").json["user"]["id"], made["user"]["id"])
        self.assertEqual(auth.ask("GET", "user", bearer=made["access_token"]).status, 200, "the keys are the same")
        self.assertEqual(auth.refresh(refreshed["refresh_token"]).status, 200)
        path = data / "cloud/com.example.swisscoin/development/accounts.sqlite"
        self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o600)
        content = path.read_bytes() + path.with_name(path.name + "-wal").read_bytes()
        for secret in (refreshed["refresh_token"], "secret1"):
            self.assertNotIn(secret.encode(), content)
        self.assertEqual(run_zonekit("check", data=data).returncode, 0)

    def test_accounts_that_cannot_be_read_leave_the_rest_of_the_server_alone(self):
        data = self.folder() / "data"
        path = data / "cloud/com.example.swisscoin/development/accounts.sqlite"
        path.parent.mkdir(parents=True, mode=0o700)
        path.write_bytes(os.urandom(8192))
        server = self.serve(data)
        auth = self.keep(Auth(server.http))
        for reply in (auth.sign_up("mara@example.test"), auth.refresh("x")):
            self.assertEqual((reply.status, reply.json["code"]), (503, "unexpected_failure"), reply.body)
            self.assertEqual(reply.headers["retry-after"], "2")
        self.assertEqual(auth.ask("GET", "settings").status, 200)
        self.assertEqual(server.cloud().call("zones/list", {}).status, 200)
        check = run_zonekit("check", data=data)
        self.assertEqual(check.returncode, 1)
        self.assertIn("accounts.sqlite", check.stdout + check.stderr)
        path.unlink()
        self.assertEqual(auth.sign_up("mara@example.test").status, 200)

    def test_a_snapshot_has_the_accounts_and_the_keys(self):
        data = self.folder() / "data"
        server = self.serve(data)
        auth = self.keep(Auth(server.http))
        made = auth.sign_up("mara@example.test").json
        self.assertEqual(run_zonekit("snapshot", "save", "before", data=data).returncode, 0)
        self.assertEqual(auth.sign_up("ben@example.test").status, 200)
        self.assertEqual(server.end(), 0)
        self.assertEqual(run_zonekit("snapshot", "restore", "before", data=data).returncode, 0)
        auth = self.keep(Auth(self.serve(data).http))
        self.assertEqual(auth.ask("GET", "user", bearer=made["access_token"]).json["id"], made["user"]["id"])
        self.assertEqual(auth.sign_in("ben@example.test").status, 400)
        for path in (data / "cloud").rglob("accounts.sqlite*"):
            self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o600, path)
        self.assertEqual(stat.S_IMODE((data / "cloud" / "keys.json").stat().st_mode), 0o600)

    def test_a_full_disk_answers_with_an_error_that_goes_away(self):
        disk = self.mount("12m")
        server = self.serve(disk / "data")
        auth = self.keep(Auth(server.http))
        made = auth.sign_up("mara@example.test").json
        filler = disk / "filler"
        filler.write_bytes(b"x" * max(0, shutil.disk_usage(disk).free - 100_000))
        refused = None
        for number in range(100):
            refused = auth.sign_up(f"a{number}@example.test", data={"text": "x" * 20_000})
            if refused.status != 200:
                break
        self.assertEqual((refused.status, refused.json["code"]), (503, "unexpected_failure"), refused.body)
        self.assertEqual(refused.headers["retry-after"], "2")
        self.assertEqual(auth.ask("GET", "user", bearer=made["access_token"]).status, 200, "reading goes on")
        filler.unlink()
        self.assertEqual(auth.sign_up(f"a{number}@example.test").status, 200, "it was not made before")
        server.kill()
        self.assertEqual(run_zonekit("check", data=disk / "data").returncode, 0)

    def test_a_strict_server_takes_its_own_keys_only_and_thirty_tries_of_each_account(self):
        data = self.folder() / "data"
        server = self.serve(data, "--auth", "strict", "--token-life", "60")
        auth = self.keep(Auth(server.http, server.ready["supabase"]["anonKey"]))
        wrong = self.keep(Auth(server.http, "test")).ask("GET", "settings")
        self.assertEqual(wrong.status, 401)
        self.assertEqual(wrong.json["message"], "Invalid API key")
        control = self.keep(Auth(server.http, None))
        self.assertEqual(control.ask("GET", "keys", headers={}, root="/zonekit/").status, 403)
        keys = control.ask("GET", "keys", bearer=server.ready["key"], headers={}, root="/zonekit/").json
        self.assertEqual(keys["anonKey"], server.ready["supabase"]["anonKey"])
        session = auth.sign_up("mara@example.test").json
        self.assertEqual(session["expires_in"], 60)
        for _ in range(30):
            self.assertEqual(auth.sign_in("nobody@example.test").status, 400)
        refused = auth.sign_in("nobody@example.test")
        self.assertEqual((refused.status, refused.json["code"]), (429, "over_request_rate_limit"))
        self.assertGreater(int(refused.headers["retry-after"]), 200)
        self.assertEqual(auth.sign_in("mara@example.test").status, 200, "nobody else at the address is kept out")
        self.assertEqual(auth.refresh(session["refresh_token"]).status, 200, "a session goes on")
        self.assertEqual(run_zonekit("account", "list", "--json", data=data).stdout.count("mara@example.test"), 1)

    def test_sign_ins_at_once_do_not_stop_others(self):
        server = self.serve(None, "--auth", "strict")
        key = server.ready["supabase"]["anonKey"]
        other = self.keep(Auth(server.http, key))
        self.assertEqual(other.sign_up("mara@example.test").status, 200)

        def sign_in(number):
            auth = Auth(server.http, key)
            try:
                return [auth.sign_in("mara@example.test", "wrong").status for _ in range(20)]
            finally:
                auth.close()

        with concurrent.futures.ThreadPoolExecutor(20) as pool:
            futures = [pool.submit(sign_in, number) for number in range(20)]
            answered = 0
            while not all(future.done() for future in futures):
                self.assertEqual(other.ask("GET", "settings").status, 200)
                answered += 1
            statuses = [status for future in futures for status in future.result()]
        self.assertEqual((statuses.count(400), statuses.count(429)), (29, 371))
        self.assertGreater(answered, 100, "another client was answered during the sign-ins, not only between them")
        self.assertLess(server.memory(), 300 * SWELLING)

    def test_a_wrong_password_takes_as_long_for_an_address_without_an_account(self):
        auth = self.keep(Auth(self.serve().http))
        self.assertEqual(auth.sign_up("mara@example.test").status, 200)
        times = {"mara@example.test": [], "nobody@example.test": [], "no address": []}
        for _ in range(7):
            for email, taken in times.items():
                start = time.monotonic()
                self.assertEqual(auth.sign_in(email, "wrong").status, 400)
                taken.append(time.monotonic() - start)
        known, *others = (min(taken) for taken in times.values())
        for other in others:
            self.assertGreater(other, known / 3)
            self.assertLess(other, known * 3)

    def test_a_server_that_ends_during_a_sign_in_ends_cleanly(self):
        server = self.serve()
        auth = self.keep(Auth(server.http))
        self.assertEqual(auth.sign_up("mara@example.test").status, 200)
        raw = self.keep(server.raw())
        body = json.dumps({"email": "mara@example.test", "password": "wrong"})
        head = f"POST /auth/v1/token?grant_type=password HTTP/1.1\r\nHost: a\r\napikey: x\r\nContent-Length: {len(body)}\r\n\r\n"
        raw.send((head + body).encode() * 8)
        self.assertEqual(raw.response().status, 400)
        self.assertEqual(server.end(), 0)

    def test_a_server_without_tables_has_no_accounts(self):
        server = self.serve(None, "--tables", "none")
        self.assertNotIn("supabase", server.ready)
        self.assertEqual(self.keep(Auth(server.http)).ask("GET", "settings").status, 404)
        self.assertFalse((server.data / "cloud" / "keys.json").exists())
        self.assertEqual(run_zonekit("serve", "--tables", "x").returncode, 2)

    def test_keys_that_cannot_be_read_are_not_replaced(self):
        data = self.folder() / "data"
        (data / "cloud").mkdir(parents=True)
        (data / "cloud" / "keys.json").write_text("{}")
        run = run_zonekit("serve", "--http", "127.0.0.1:0", "--push", "127.0.0.1:0", data=data)
        self.assertEqual(run.returncode, 3)
        self.assertIn("keys.json", run.stderr)
        self.assertEqual((data / "cloud" / "keys.json").read_text(), "{}")
        check = run_zonekit("check", data=data)
        self.assertEqual(check.returncode, 1)
        self.assertIn("keys.json", check.stdout + check.stderr)

    def test_keys_that_accounts_have_lost_are_named_and_made_anew_by_a_repair_only(self):
        for lose in (lambda path: path.unlink(), lambda path: path.write_text("{}")):
            server = self.serve()
            auth = self.keep(Auth(server.http))
            token = auth.sign_up("mara@example.test").json["access_token"]
            path = server.data / "cloud" / "keys.json"
            lose(path)
            beside = run_zonekit("check", data=server.data)
            self.assertEqual((beside.returncode, beside.stdout.count("keys.json")), (1, 1), "beside a running server")
            self.assertEqual(auth.ask("GET", "user", bearer=token).status, 200)
            self.assertEqual(server.end(), 0)
            for words in (("serve", "--http", "127.0.0.1:0", "--push", "127.0.0.1:0"), ("account", "add", "ben@example.test")):
                run = run_zonekit(*words, data=server.data)
                self.assertEqual(run.returncode, 3, words)
                self.assertIn(f"{path}: ", run.stderr)
                self.assertIn("zonekit repair", run.stderr)
                self.assertIn(path.exists() and path.read_text(), (False, "{}"))
            repair = run_zonekit("repair", data=server.data)
            self.assertEqual(repair.returncode, 0, repair.stdout)
            self.assertIn("keys.json: made anew; all sessions have ended", repair.stdout)
            self.assertEqual(run_zonekit("check", data=server.data).returncode, 0)
            auth = self.keep(Auth(self.serve(server.data).http))
            self.assertEqual(auth.ask("GET", "user", bearer=token).status, 403)
            self.assertEqual(auth.sign_in("mara@example.test").status, 200)


    def test_keys_that_are_gone_with_their_accounts_are_not_made_anew_in_silence(self):
        server = self.serve()
        auth = self.keep(Auth(server.http))
        self.assertEqual(auth.sign_up("mara@example.test").status, 200)
        self.assertEqual(server.end(), 0)
        cloud = server.data / "cloud"
        (cloud / "keys.json").unlink()
        for path in cloud.rglob("accounts.sqlite*"):
            path.unlink()
        check = run_zonekit("check", data=server.data)
        self.assertEqual(check.returncode, 1)
        for name in ("accounts.sqlite", "keys.json"):
            self.assertIn(f"{name}: the file is missing", check.stdout)
        run = run_zonekit("serve", "--http", "127.0.0.1:0", "--push", "127.0.0.1:0", data=server.data)
        self.assertEqual(run.returncode, 3)
        self.assertIn(f"{cloud / 'keys.json'}: the file is missing", run.stderr)
        self.assertFalse((cloud / "keys.json").exists())
        self.assertEqual(run_zonekit("repair", data=server.data).returncode, 0)
        auth = self.keep(Auth(self.serve(server.data).http))
        self.assertEqual(auth.sign_up("mara@example.test").status, 200)


class CommandLine(Case):
    def account(self, *words):
        return run_zonekit("account", *words, data=self.data)

    def check_verbs(self):
        run = self.account("add", "Mara@example.test", "--password", "pw", "--json")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(json.loads(run.stdout), {"event": "accountAdded", "email": "Mara@example.test", "password": "pw"})
        drawn = self.account("add", "ben@example.test")
        self.assertRegex(drawn.stdout, r"^added ben@example.test with the password [\w-]{16}\n$")
        self.assertEqual(self.account("add", "mara@example.test").returncode, 2)
        self.assertEqual(self.account("add", "nobody").returncode, 2)
        listed = [json.loads(line) for line in self.account("list", "--json").stdout.splitlines()]
        self.assertEqual([line["email"] for line in listed], ["mara@example.test", "ben@example.test"])
        self.assertEqual([line["sessions"] for line in listed], [0, 0])
        chosen = "0D9E4F50-4a91-4c5f-9d3a-6f1f7c0f2b11"
        self.assertEqual(self.account("add", "cleo@example.test", "--id", chosen).returncode, 0)
        self.assertIn(chosen.lower(), self.account("list", "--json").stdout)
        taken = self.account("add", "dora@example.test", "--id", chosen)
        self.assertEqual(taken.returncode, 2)
        self.assertIn("Another account has that identifier", taken.stderr)
        self.assertEqual(self.account("add", "dora@example.test", "--id", "7").returncode, 2)
        self.assertEqual(self.account("remove", "cleo@example.test").returncode, 0)
        self.assertEqual(self.account("remove", "ben@example.test").returncode, 0)
        self.assertEqual(self.account("revoke", "ben@example.test").returncode, 2)
        self.assertIn("mara@example.test", self.account("list").stdout)
        self.assertNotIn("ben", self.account("list").stdout)

    def test_accounts_of_a_stopped_store(self):
        self.data = self.folder() / "data"
        self.assertEqual(self.account("list").returncode, 2)
        self.check_verbs()
        auth = self.keep(Auth(self.serve(self.data).http))
        self.assertEqual(auth.sign_in("mara@example.test", "pw").status, 200)

    def test_accounts_of_a_running_server(self):
        self.data = self.folder() / "data"
        auth = self.keep(Auth(self.serve(self.data).http))
        self.check_verbs()
        session = auth.sign_in("mara@example.test", "pw").json
        self.assertEqual(self.account("revoke", "MARA@example.test").returncode, 0)
        self.assertEqual(auth.ask("GET", "user", bearer=session["access_token"]).json["code"], "session_not_found")
        self.assertEqual(auth.sign_in("mara@example.test", "pw").status, 200)
        for words in ((), ("x",), ("add",), ("list", "x"), ("remove", "a@b", "c"), ("list", "--password", "x")):
            self.assertEqual(self.account(*words).returncode, 2, words)

if __name__ == "__main__":
    unittest.main()
