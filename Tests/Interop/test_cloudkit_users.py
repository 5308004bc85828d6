"""Users over CloudKit Web Services: the caller, discovery, lookups, and the record that each user has."""

import hashlib
import re

from support import Case, ServerCase, run_zonekit

USER_RECORD_NAME = re.compile(r"^_[0-9a-f]{32}$")


class Users(ServerCase):
    def caller(self, user, scope="private"):
        return self.client(user, scope=scope).call("users/caller", method="GET").succeeded()

    def test_the_caller_is_the_same_in_every_database_and_form(self):
        names = set()
        for scope in ("public", "private", "shared"):
            cloud = self.client(self.user, scope=scope)
            for method in ("GET", "POST"):
                caller = cloud.call("users/caller", method=method).succeeded()
                self.assertEqual(caller["users"][0]["userRecordName"], caller["userRecordName"])
                self.assertEqual(caller["lookupInfo"], {"userRecordName": caller["userRecordName"]})
                self.assertEqual(caller["users"][0]["lookupInfo"], caller["lookupInfo"])
                current = cloud.call("users/current", method=method).succeeded()
                names |= {caller["userRecordName"], current["userRecordName"]}
        self.assertEqual(len(names), 1)
        self.assertRegex(names.pop(), USER_RECORD_NAME)

    def test_the_owner_of_zones_and_the_author_of_records_is_the_caller(self):
        zone = self.cloud.create_zone("Mine")
        record = self.cloud.save("a", zone="Mine")
        name = self.caller(self.user)["userRecordName"]
        self.assertEqual(zone["zoneID"]["ownerRecordName"], name)
        self.assertEqual(record["created"]["userRecordName"], name)
        self.assertNotEqual(name, self.caller(self.user + "x")["userRecordName"])

    def test_discovery_leaves_out_whom_the_container_does_not_know(self):
        known, unknown = self.caller(self.user)["userRecordName"], "_" + hashlib.md5(self.user.encode()).hexdigest()
        for scope in ("public", "private", "shared"):
            cloud = self.client("seeker", scope=scope)
            infos = [{"userRecordName": unknown}, {"userRecordName": known}, {"emailAddress": "no@body.example"}]
            found = cloud.call("users/discover", {"lookupInfos": infos}).succeeded()["users"]
            self.assertEqual([user["userRecordName"] for user in found], [known])
            self.assertEqual(found[0]["lookupInfo"], {"userRecordName": known})
            self.assertEqual(found[0]["nameComponents"], {})
            self.assertEqual(cloud.call("users/discover", method="GET").succeeded(), {"users": []})
        other = self.client("seeker", container="iCloud.com.example.other")
        self.assertEqual(other.call("users/discover", {"lookupInfos": [{"userRecordName": known}]}).succeeded(), {"users": []})

    def test_a_lookup_has_an_entry_for_each_user(self):
        known = self.caller(self.user)["userRecordName"]
        body = {"users": [{"userRecordName": "_nobody"}, {"userRecordName": known}]}
        missing, found = self.cloud.call("users/lookup/id", body).succeeded()["users"]
        self.assertEqual(found, {"userRecordName": known})
        self.assert_item_error(missing, "NOT_FOUND", key="userRecordName")
        self.assertEqual(missing["userRecordName"], "_nobody")
        missing = self.cloud.call("users/lookup/email", {"users": [{"emailAddress": "no@body.example"}]}).json["users"]
        self.assert_item_error(missing[0], "NOT_FOUND", key="emailAddress")
        self.assertEqual(missing[0]["emailAddress"], "no@body.example")
        contacts = self.cloud.call("users/lookup/contacts", {"contacts": [{"emailAddress": "a@b.example"}]}).succeeded()
        self.assertEqual(contacts, {"users": []})

    def test_what_names_nobody_is_refused(self):
        for what, body in (
            ("users/discover", {}), ("users/discover", {"lookupInfos": [{}]}), ("users/discover", {"lookupInfos": {}}),
            ("users/discover", {"lookupInfos": [{"emailAddress": str(n)} for n in range(201)]}),
            ("users/lookup/email", {"users": [{"userRecordName": "_a"}]}), ("users/lookup/id", {"users": [7]}),
        ):
            self.assert_top_level_error(self.cloud.call(what, body), 400, "BAD_REQUEST")
        reply = self.cloud.call("users/lookup/id", method="GET")
        self.assertEqual((reply.status, reply.headers["allow"]), (405, "POST"))

    def test_each_user_has_a_record_that_the_user_alone_changes(self):
        own, other = self.caller(self.user)["userRecordName"], self.caller(self.user + "x")["userRecordName"]
        public = self.client(self.user, scope="public")
        record = public.call("records/lookup", {"records": [{"recordName": own}]}).succeeded()["records"][0]
        self.assertEqual((record["recordType"], record["created"]["userRecordName"]), ("Users", own))

        def modify(kind, name, fields=None):
            record = {"recordName": name, "fields": fields or {}}
            return public.call("records/modify", {"operations": [{"operationType": kind, "record": record}]}).json["records"][0]

        self.assert_saved(modify("forceUpdate", own, {"city": {"value": "Ulm"}}))
        self.assert_item_error(modify("forceUpdate", other, {"city": {"value": "Ulm"}}), "BAD_REQUEST")
        for name in (own, other):
            self.assert_item_error(modify("forceDelete", name), "ACCESS_DENIED")
        record = public.call("records/lookup", {"records": [{"recordName": own}]}).succeeded()["records"][0]
        self.assertEqual(record["fields"]["city"]["value"], "Ulm")


class RestartedDirectories(Case):
    def test_users_stay_known_after_a_kill_and_no_list_shows_the_directory(self):
        data = self.folder() / "data"
        server = self.serve(data)
        name = self.keep(server.cloud("ann")).call("users/caller").succeeded()["userRecordName"]
        server.kill()
        server = self.serve(data)
        found = self.keep(server.cloud("ben")).call("users/discover", {"lookupInfos": [{"userRecordName": name}]}).succeeded()["users"]
        self.assertEqual([user["userRecordName"] for user in found], [name])
        public = self.keep(server.cloud("ben", scope="public"))
        zones = [zone["zoneID"]["zoneName"] for zone in public.call("zones/list").succeeded()["zones"]]
        self.assertEqual(zones, ["_defaultZone"])
        missing = public.call("zones/lookup", {"zones": [{"zoneName": "_users"}]}).succeeded()["zones"][0]
        self.assertEqual(missing["serverErrorCode"], "ZONE_NOT_FOUND")
        body = {"zoneID": {"zoneName": "_users"}, "records": [{"recordName": name}]}
        self.assert_top_level_error(public.call("records/lookup", body), 404, "ZONE_NOT_FOUND")
        self.assertNotIn("_users", self.keep(server.cloud("ann")).request("GET", "/zonekit/status").body.decode())

    def test_resets_and_completions_leave_the_directory_alone(self):
        data = self.served_data()
        for words in (("reset", "cloud", "--yes"), ("purge", "--yes")):
            run = run_zonekit(*words, data=data)
            self.assertEqual(run.returncode, 0, run.stderr)
        offered = run_zonekit("completions", "offer", "--", "reset", "zone", "", "--data", str(data)).stdout
        self.assertNotIn("_users", offered)
        server = self.serve(data)
        name = self.keep(server.cloud("nanny")).call("users/caller").succeeded()["userRecordName"]
        body = {"lookupInfos": [{"userRecordName": name}]}
        found = self.keep(server.cloud("ben")).call("users/discover", body).succeeded()["users"]
        self.assertEqual(len(found), 1)
