"""The tokens, channels, rows and objects of an account that was removed."""

import json
import sqlite3
import uuid

from realtime_socket import Refused, RealtimeSocket
from supabase_http import Auth
from support import Case, run_zonekit
from test_supabase_storage import Objects

ENTRY = {"event": "*", "schema": "public", "table": "reminders"}
UNKNOWN = "User from sub claim in JWT does not exist"


class RemovedAccounts(Case):
    def setUp(self):
        self.data = self.folder() / "data"
        self.start()
        self.session = self.auth.sign_up("mara@example.test").json
        self.token, self.me = self.session["access_token"], self.session["user"]["id"]
        self.objects = Objects(self.auth, self.session)
        self.reminder = str(uuid.uuid4())
        self.assertEqual(self.rest("POST", "reminders", {"id": self.reminder, "message": "pay"}).status, 201)
        self.assertEqual(self.objects.put("a.jpg").status, 200)

    def start(self):
        self.server = self.serve(self.data)
        self.auth = self.keep(Auth(self.server.http))
        self.keys = self.auth.ask("GET", "keys", headers={}, root="/zonekit/").json

    def rest(self, method, path, body=None, bearer=None):
        return self.auth.ask(method, path, body, bearer=bearer or self.token, headers={}, root="/rest/v1/")

    def zonekit(self, *words):
        run = run_zonekit(*words, "--json", data=self.data)
        self.assertEqual(run.returncode, 0, run.stderr + run.stdout)
        return [json.loads(line) for line in run.stdout.splitlines()]

    def orphans(self, *words):
        return {line["user"]: (line["rows"], line["objects"]) for line in self.zonekit("account", "orphans", *words)}

    def assets(self):
        return list(self.data.rglob("assets/*/*"))

    def assert_refused(self):
        self.objects.auth = self.auth
        for method, path, body in (
            ("GET", "reminders", None), ("HEAD", "reminders", None), ("POST", "reminders", {"message": "again"}),
            ("PATCH", f"reminders?id=eq.{self.reminder}", {"message": "x"}), ("DELETE", f"reminders?id=eq.{self.reminder}", None),
            ("GET", "row_deletions", None),
        ):
            reply = self.rest(method, path, body)
            self.assertEqual(reply.status, 401, (method, path, reply.body))
            if method != "HEAD":
                self.assertEqual((reply.json["code"], reply.json["message"]), ("PGRST301", UNKNOWN))
        for reply in (
            self.objects.put("b.jpg"), self.objects.get("a.jpg"), self.objects.ask("POST", "object/list/photos", {"prefix": self.me}),
            self.objects.ask("DELETE", "object/photos", {"prefixes": [f"{self.me}/a.jpg"]}),
            self.objects.ask("POST", f"object/sign/photos/{self.me}/a.jpg", {"expiresIn": 60}),
        ):
            self.assertEqual((reply.status, reply.json["statusCode"], reply.json["message"]), (400, "403", "Invalid JWT"))
        called = self.auth.ask("POST", "calculate-balance", {"person_id": self.reminder}, bearer=self.token, headers={}, root="/functions/v1/")
        self.assertEqual(called.status, 401, called.body)
        self.assertIn(UNKNOWN, called.json["error"])
        for method, path, body in (("GET", "user", None), ("PUT", "user", {"data": {"a": 1}}), ("POST", "logout", None)):
            reply = self.auth.ask(method, path, body, bearer=self.token)
            self.assertEqual((reply.status, reply.json["code"]), (403, "session_not_found"), reply.body)
        self.assertEqual(self.auth.refresh(self.session["refresh_token"]).status, 400)
        with self.assertRaises(Refused) as caught:
            RealtimeSocket(self.server.http, self.auth.key, headers={"Authorization": f"Bearer {self.token}"})
        self.assertEqual(caught.exception.status, 401)
        socket = self.keep(RealtimeSocket(self.server.http, self.auth.key))
        socket.send("realtime:x", "phx_join", {"access_token": self.token, "config": {"postgres_changes": [ENTRY]}}, join_ref="1")
        answer = socket.receive()[4]
        self.assertEqual(answer["status"], "error", answer)
        self.assertIn(UNKNOWN, answer["response"]["reason"])

    def remove_in_three_ways(self):
        yield lambda: self.auth.ask("POST", "administration", {"do": "removeAccount", "user": self.me}, headers={}, root="/zonekit/")
        yield lambda: self.auth.ask("DELETE", f"admin/users/{self.me}", bearer=self.keys["serviceRoleKey"])
        yield lambda: self.zonekit("account", "remove", "mara@example.test")

    def test_the_tokens_of_a_removed_account_are_refused_at_once_and_its_channels_end(self):
        for number, remove in enumerate(self.remove_in_three_ways()):
            with self.subTest(number):
                if number:
                    self.setUp()
                socket = self.keep(RealtimeSocket(self.server.http, self.auth.key))
                socket.join("realtime:a", [ENTRY], self.token)
                other = self.auth.sign_up("ben@example.test").json["access_token"]
                watching = self.keep(RealtimeSocket(self.server.http, self.auth.key))
                watching.join("realtime:b", [ENTRY], other)
                remove()
                self.assertEqual([socket.receive()[3] for _ in range(2)], ["system", "phx_close"])
                self.assert_refused()
                self.assertEqual((self.orphans(), self.assets()), ({}, []))
                self.assertEqual(self.rest("POST", "reminders", {"message": "mine"}, bearer=other).status, 201)
                self.assertEqual(watching.receive()[3], "postgres_changes", "another account's channel goes on")
                self.server.kill()
                self.start()
                self.assert_refused()
                self.assertEqual(self.rest("GET", "reminders", bearer=other).json[0]["message"], "mine")
                again = self.auth.sign_up("mara@example.test").json
                self.assert_refused()
                self.assertEqual(self.rest("GET", "reminders", bearer=again["access_token"]).json, [])

    def test_an_account_that_is_removed_while_no_server_runs_leaves_nothing(self):
        self.server.kill()
        self.zonekit("account", "remove", "mara@example.test")
        self.assertEqual((self.orphans(), self.assets()), ({}, []))
        self.start()
        self.assert_refused()

    def lose_account(self):
        """Ends the server, and removes the account from its file as a lost commit would."""
        self.assertEqual(self.server.end(), 0)
        path = self.data / "cloud/com.example.swisscoin/development/accounts.sqlite"
        connection = sqlite3.connect(path)
        connection.executescript("DELETE FROM refresh_tokens; DELETE FROM sessions; DELETE FROM claims; DELETE FROM users;")
        connection.close()

    def test_what_is_left_of_accounts_that_do_not_exist_is_listed_and_removed(self):
        for is_running in (False, True):
            with self.subTest(is_running):
                if is_running:
                    self.setUp()
                self.lose_account()
                if is_running:
                    self.start()
                # The reminder and the account's own row.
                self.assertEqual(self.orphans(), {self.me: (2, 1)})
                self.assertEqual(self.orphans(), {self.me: (2, 1)}, "listing removes nothing")
                self.assertIn("--remove", run_zonekit("account", "orphans", data=self.data).stdout)
                self.assertEqual(len(self.assets()), 1)
                self.assertEqual(self.orphans("--remove"), {self.me: (2, 1)})
                self.assertEqual((self.orphans(), self.assets()), ({}, []))

    def test_rows_wait_for_an_account_of_the_same_identifier(self):
        self.lose_account()
        self.zonekit("account", "add", "mara@example.test", "--password", "secret1", "--id", self.me)
        self.assertEqual(self.orphans("--remove"), {})
        self.start()
        token = self.auth.sign_in("mara@example.test").json["access_token"]
        self.assertEqual([row["id"] for row in self.rest("GET", "reminders", bearer=token).json], [self.reminder])
