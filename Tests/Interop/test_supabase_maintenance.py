"""What an administrator does with rows of a Supabase-style service: counting, purging, removing; and the status report."""

import datetime
import json
import uuid

from realtime_socket import RealtimeSocket
from supabase_http import Auth
from support import Case, Server, run_zonekit

LONG_AGO = "2026-01-02T03:04:05.000Z"


class Maintenance(Case):
    def setUp(self):
        self.data = self.folder() / "data"
        self.server = self.keep(Server(self.data))
        self.auth = self.keep(Auth(self.server.http))
        session = self.auth.sign_up("mara@example.test").json
        self.token, self.me = session["access_token"], session["user"]["id"]
        self.kept, self.gone, self.group = (str(uuid.uuid4()) for _ in range(3))
        self.write("persons", [
            {"id": self.kept, "name": "Ben", "deleted_at": LONG_AGO}, {"id": self.gone, "name": "Eva", "deleted_at": LONG_AGO},
        ])
        self.write("user_groups", [{"id": self.group, "name": "Flat"}])
        self.write("group_members", [{"group_id": self.group, "person_id": self.kept}])

    def rest(self, method, path, body=None, prefer=None):
        fields = {"Prefer": prefer} if prefer else {}
        return self.auth.ask(method, path, body, bearer=self.token, headers=fields, root="/rest/v1/")

    def write(self, table, rows):
        reply = self.rest("POST", table, rows, "resolution=merge-duplicates")
        self.assertEqual(reply.status, 201, reply.body)

    def control(self, body=None, path="administration"):
        return self.auth.ask("POST" if body else "GET", path, body, headers={}, root="/zonekit/")

    def zonekit(self, *words, code=0):
        run = run_zonekit(*words, "--json", data=self.data)
        self.assertEqual(run.returncode, code, run.stderr + run.stdout)
        return [json.loads(line) for line in run.stdout.splitlines()]

    def ids(self, table):
        return sorted(row["id"] for row in self.rest("GET", f"{table}?select=id").json)

    def removed(self, report):
        return {table["name"]: table["removed"] for table in report["tables"] if table["removed"]}

    def check_purge(self):
        tables = {table["name"]: table for table in self.zonekit("tables", "--account", "MARA@example.test")[0]["tables"]}
        self.assertEqual(len(tables), 15)
        self.assertEqual([tables["persons"][name] for name in ("rows", "deleted", "live")], [0, 2, False])
        self.assertTrue(tables["reminders"]["live"])
        self.assertEqual(self.removed(self.zonekit("purge", "--dry-run")[0]), {"persons": 1})
        self.zonekit("purge", code=2)
        self.assertEqual(self.removed(self.zonekit("purge", "--yes")[0]), {"persons": 1})
        self.assertEqual(self.removed(self.zonekit("purge", "--yes")[0]), {})
        self.assertIn("user_groups", run_zonekit("purge", "--dry-run", data=self.data).stdout)
        for words in (("tables", "x"), ("tables", "--account", "no@example.test"), ("purge", "--older-than", "x")):
            self.zonekit(*words, code=2)

    def test_a_running_server_purges_what_nothing_refers_to(self):
        self.check_purge()
        self.assertEqual(self.ids("persons"), [self.kept])
        self.assertEqual([row["key"] for row in self.rest("GET", "row_deletions").json], [self.gone])

    def test_the_store_of_a_stopped_server_is_purged_too(self):
        self.server.kill()
        self.check_purge()
        server = self.keep(Server(self.data))
        self.auth = self.keep(Auth(server.http))
        self.assertEqual(self.ids("persons"), [self.kept])

    def test_diagnostics_name_accounts_by_their_addresses_beside_a_stopped_server_too(self):
        for is_running in (True, False):
            if not is_running:
                self.server.end()
            text = run_zonekit("diagnostics", data=self.data).stdout
            self.assertIn("mara@example.test", text)
            self.assertNotIn(self.me, text)
            zones = json.loads(run_zonekit("diagnostics", "--json", data=self.data).stdout)["cloud"]["zones"]
            self.assertEqual({zone["user"] for zone in zones}, {self.me})

    def test_what_is_removed_makes_events(self):
        reminder = str(uuid.uuid4())
        self.write("reminders", {"id": reminder, "message": "pay"})
        socket = self.keep(RealtimeSocket(self.server.http, self.auth.key))
        entry = {"event": "*", "schema": "public", "table": "reminders"}
        socket.join("realtime:a", [entry], self.token)
        reply = self.control({"do": "removeRows", "user": "mara@example.test", "records": [f"reminders/{reminder}"]})
        self.assertEqual(reply.status, 200, reply.body)
        change = socket.receive()[4]["data"]
        self.assertEqual((change["type"], change["old_record"]["id"]), ("DELETE", reminder))
        status = self.control(path="status").json["cloud"]
        self.assertEqual((status["accounts"], status["sockets"]), (1, 1))
        channel = status["channels"][0]
        self.assertEqual([channel[name] for name in ("topic", "entries", "sent", "dropped")], ["realtime:a", 1, 1, 0])
        self.assertEqual(status["verdicts"]["inserted"], 6)
        self.write("reminders", {"message": "again"})
        socket.receive()
        erase = {"do": "eraseRecords", "zone": "SwissCoin", "container": "com.example.swisscoin", "user": self.me}
        self.assertEqual(self.control(erase).status, 200)
        self.assertEqual(socket.receive()[4]["data"]["type"], "DELETE")
        self.assertEqual(self.ids("persons"), [])

    def test_a_removed_account_leaves_nothing_behind(self):
        path = f"photos/{self.me}/a.jpg"
        fields = {"apikey": self.auth.key, "Authorization": f"Bearer {self.token}", "Content-Type": "image/jpeg"}
        self.assertEqual(self.auth.ask_raw("POST", f"/storage/v1/object/{path}", b"x", fields).status, 200)
        files = list((self.data / "cloud").rglob("assets/*/*"))
        self.assertEqual(len(files), 1)
        self.assertEqual(self.control({"do": "removeAccount", "user": "mara@example.test"}).status, 200)
        self.assertFalse(files[0].exists())
        self.assertEqual(self.rest("GET", "persons").status, 401)
        self.assertEqual(self.control(path="tables").json["accounts"], [])
        self.assertEqual(self.zonekit("account", "orphans"), [])

    def test_wrong_operations_are_refused_and_change_nothing(self):
        for body, words in (
            ({"do": "purgeRows"}, "before"), ({"do": "purgeRows", "before": "x"}, "before"),
            ({"do": "purgeRows", "before": LONG_AGO, "x": 1}, "x"), ({"do": "removeRows", "user": "mara@example.test"}, "records"),
            ({"do": "removeRows", "user": "mara@example.test", "records": ["persons/1"]}, "persons/1"),
            ({"do": "removeRows", "user": "mara@example.test", "records": [f"persons/{self.kept}"]}, "foreign key"),
            ({"do": "raiseHorizon", "user": "no@example.test"}, "no account"),
        ):
            reply = self.control(body)
            self.assertEqual(reply.status, 400, reply.body)
            self.assertIn(words, reply.json["reason"])
        self.assertEqual(len(self.ids("persons")), 2)

    def test_a_raised_horizon_is_told_with_every_answer(self):
        self.control({"do": "removeRows", "user": self.me, "records": [f"persons/{self.gone}"]})
        deleted = datetime.datetime.fromisoformat(self.rest("GET", "row_deletions").json[0]["updated_at"])
        stamp = str(round(deleted.timestamp() * 1000))
        self.assertEqual(self.control({"do": "raiseHorizon"}).status, 200)
        for reply in (self.rest("GET", "persons"), self.rest("GET", "persons?x=1"), self.rest("POST", "persons", "{"),
                      self.rest("POST", "persons", [{"id": str(uuid.uuid4())}])):
            self.assertEqual(reply.headers["zonekit-feed"].split(";")[2], stamp, reply.body)
