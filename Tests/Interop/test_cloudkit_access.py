"""Who may ask CloudKit Web Services for what, and which names are different ones."""

import json
import urllib.parse

from clients import CONTAINER
from supabase_http import Auth
from support import Case, ServerCase, run_zonekit


class Access(ServerCase):
    def test_records_of_the_public_database_are_read_with_an_api_token_alone(self):
        def ask(what, body, scope="public", **tokens):
            path = f"/database/1/{CONTAINER}/development/{scope}/{what}?{urllib.parse.urlencode(tokens)}"
            return self.cloud.request("POST", path, json.dumps(body).encode())

        record = {"recordName": self.user, "recordType": "Note", "fields": {"text": {"value": "hello"}}}
        saved = {"operations": [{"operationType": "create", "record": record}]}
        look = {"records": [{"recordName": self.user}]}
        self.assert_saved(ask("records/modify", saved, ckAPIToken="t", ckWebAuthToken="user:mara").json["records"][0])
        found = ask("records/lookup", look, ckAPIToken="t")
        self.assertEqual(found.status, 200, found.body)
        self.assertEqual(found.json["records"][0]["fields"]["text"]["value"], "hello")
        missing = ask("records/lookup", {"records": [{"recordName": "none"}]}, ckAPIToken="t").json["records"][0]
        self.assert_item_error(missing, "NOT_FOUND")
        for what, body, scope in (
            ("records/modify", saved, "public"), ("records/lookup", look, "private"), ("records/lookup", look, "shared"),
            ("subscriptions/modify", {"operations": []}, "public"), ("changes/database", {}, "private"),
            ("zones/lookup", {"zones": [{"zoneName": "_defaultZone"}]}, "public"),
        ):
            self.assert_top_level_error(ask(what, body, scope, ckAPIToken="t"), 421, "AUTHENTICATION_REQUIRED")
        self.assert_top_level_error(ask("records/lookup", look), 401, "AUTHENTICATION_FAILED")

    def test_names_are_told_apart_by_their_bytes(self):
        names = ["caf\u00e9", "cafe\u0301", "\u0301x", "\u212a", "K"]
        for zone in names:
            self.cloud.create_zone(zone)
            for name in names:
                self.cloud.save(name, {"text": name}, zone=zone)
        for zone in names:
            found = {record["recordName"]: record["fields"]["text"]["value"] for record in self.cloud.feed(zone)[0]}
            self.assertEqual(found, {name: name for name in names})
        for user in ("\u0301x", "caf\u00e9" + self.user, "cafe\u0301" + self.user):
            cloud = self.client(user)
            self.assertEqual(cloud.database_changes()["zones"], [])
            cloud.create_zone("Mine")
            cloud.save(user, zone="Mine")
            self.assertEqual(len(cloud.feed("Mine")[0]), 1)


class StrictServers(Case):
    """A strict server tells accounts of tables and documents apart by their own protocols only."""

    def test_cloudkit_opens_no_container_of_tables_or_documents(self):
        data = self.folder() / "data"
        server = self.serve(data, "--auth", "strict")
        auth = self.keep(Auth(server.http, server.ready["supabase"]["anonKey"]))
        session = auth.sign_up("mara@example.test").json
        fields = {"Authorization": f"Bearer {session['access_token']}"}
        self.assertEqual(auth.ask("POST", "persons", {"name": "Ben"}, headers=fields, root="/rest/v1/").status, 201)
        tokens = {"ckAPIToken": "0" * 64}
        for container in ("com.example.swisscoin", "iCloud.com.example.dietlog"):
            for user in (session["user"]["id"], session["user"]["id"].upper(), "nanny"):
                cloud = self.keep(server.cloud(user, container=container))
                for what, body in (
                    ("zones/list", None), ("changes/database", {}), ("changes/zone", {"zones": [{"zoneID": {"zoneName": "SwissCoin"}}]}),
                    ("records/lookup", {"records": [{"recordName": "a"}], "zoneID": {"zoneName": "SwissCoin"}}),
                    ("subscriptions/list", None), ("zones/modify", {"operations": [{"operationType": "create", "zone": {"zoneID": {"zoneName": "Z"}}}]}),
                ):
                    path = cloud.path(what, {**tokens, "ckWebAuthToken": f"user:{user}"})
                    reply = cloud.request("POST" if body is not None else "GET", path, json.dumps(body).encode() if body is not None else None)
                    self.assert_top_level_error(reply, 403, "ACCESS_DENIED")
                    self.assertIn("closed", reply.json["reason"])
                    self.assertNotIn("SwissCoin", reply.body.decode().replace(container, ""))
        def registered(*words):
            return json.loads(run_zonekit("auth", *words, "--json", data=data).stdout)

        registered("user", "add", "nanny")
        tokens = {"ckAPIToken": registered("token", "add", "app")["token"], "ckWebAuthToken": registered("user", "token", "nanny")["token"]}
        cloud = self.keep(server.cloud("nanny"))
        self.assertEqual(cloud.request("GET", cloud.path("zones/list", tokens)).status, 200)
