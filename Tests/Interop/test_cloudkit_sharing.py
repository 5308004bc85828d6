"""Shares over CloudKit Web Services: creating, resolving, accepting, permissions, and the shared database (b.10)."""


from clients import operation
from support import PushClient, ServerCase

READ, WRITE = "READ_ONLY", "READ_WRITE"
SILENT = {"shouldSendContentAvailable": True}


class Sharing(ServerCase):
    """Mum owns the zone `Family`: a profile `mia` with a child `sleep`, and an unrelated record `diary`."""

    def setUp(self):
        super().setUp()
        self.mum, self.dad, self.stranger = (f"{self.user}-{name}" for name in ("mum", "dad", "stranger"))
        self.own = self.client(self.mum)
        self.owner = self.name_of(self.mum)
        self.others = {user: self.name_of(user) for user in (self.dad, self.stranger)}
        self.family = {"zoneName": "Family", "ownerRecordName": self.owner}
        self.own.create_zone("Family")
        self.root = self.own.save("mia", {"name": "Mia"}, zone="Family", record_type="Profile")
        self.own.save("sleep", {"hours": 2}, zone="Family", parent={"recordName": "mia"})
        self.own.save("diary", {"text": "secret"}, zone="Family")

    def name_of(self, user):
        return self.client(user).call("users/caller").succeeded()["userRecordName"]

    def shared(self, user):
        return self.client(user, scope="shared")

    def invitation(self, user, permission=WRITE):
        return {"userIdentity": {"userRecordName": self.others[user]}, "type": "USER", "permission": permission}

    def share(self, name="share", root="mia", kind="create", record_type="cloudkit.share", **more):
        record = {"publicPermission": "NONE", **more}
        if root:
            record["forRecord"] = {"recordName": root}
        return self.own.modify(operation(kind, name, record_type=record_type, **record), zone="Family").json["records"][0]

    def guids(self, share, **more):
        return {"shortGUIDs": [{"value": share["shortGUID"], **more}]}

    def accept(self, share, user):
        return self.client(user, scope="public").call("records/accept", self.guids(share)).succeeded()["results"][0]

    def shared_with_dad(self, permission=WRITE, **more):
        share = self.share(participants=[self.invitation(self.dad, permission)], **more)
        self.accept(share, self.dad)
        return share

    def names(self, user, token=None):
        page = self.shared(user).zone_changes(self.family, token)
        return {record["recordName"] for record in page["records"] if not record["deleted"]}, page["syncToken"]

    # Creating

    def test_a_created_share_has_its_members(self):
        share = self.share(record_type="cloudKit.share", participants=[self.invitation(self.dad, READ)])
        self.assertEqual(share["recordType"], "cloudkit.share")
        self.assertEqual(share["forRecord"]["recordName"], "mia")
        self.assertEqual(share["publicPermission"], "NONE")
        self.assertEqual(share["fields"], {})
        self.assertEqual(share["share"]["recordName"], "share")
        self.assertTrue(share["shortGUID"])
        self.assertEqual(share["owner"]["userIdentity"]["userRecordName"], self.owner)
        self.assertEqual(share["currentUserParticipant"], share["owner"])
        owner, dad = share["participants"]
        self.assertEqual((owner["type"], owner["acceptanceStatus"]), ("OWNER", "ACCEPTED"))
        self.assertEqual((dad["type"], dad["acceptanceStatus"], dad["permission"]), ("USER", "INVITED", READ))
        self.assertEqual(self.own.lookup("share", zone="Family"), [share])
        root = self.own.lookup("mia", zone="Family")[0]
        self.assertEqual(root["share"]["recordName"], "share")
        self.assertEqual(root["recordChangeTag"], self.root["recordChangeTag"])
        feed = {record["recordName"]: record for record in self.own.zone_changes("Family")["records"]}
        self.assertEqual(feed["share"], share)
        self.assertEqual(feed["mia"]["share"], root["share"])
        self.assertNotIn("share", feed["sleep"])

    def test_what_cannot_be_shared_is_refused(self):
        tag = {"recordName": "mia", "recordChangeTag": "zz"}
        self.assert_item_error(self.share(root=None), "BAD_REQUEST")
        self.assert_item_error(self.share(root="nothing"), "NOT_FOUND")
        self.assert_item_error(self.share(root=None, forRecord=tag), "CONFLICT")
        self.assert_item_error(self.share(name="cloudkit.zoneshare"), "BAD_REQUEST")
        self.assert_item_error(self.share(participants=[{"permission": READ}]), "BAD_REQUEST")
        in_default = self.own.modify(
            operation("create", "s", record_type="cloudkit.share", forRecord={"recordName": "x"}), zone="_defaultZone"
        ).json["records"][0]
        self.assert_item_error(in_default, "BAD_REQUEST")
        self.assertNotIn("serverErrorCode", self.share())
        self.assert_item_error(self.share(name="second"), "BAD_REQUEST")
        self.assert_item_error(self.share(), "CONFLICT")

    # Resolving and accepting

    def test_resolving_shows_an_invited_user_the_share_and_the_record(self):
        share = self.share(participants=[self.invitation(self.dad)])
        body = self.guids(share, shouldFetchRootRecord=True, rootRecordDesiredKeys=[])
        for scope in ("public", "private", "shared"):
            result = self.client(self.dad, scope=scope).call("records/resolve", body).succeeded()["results"][0]
            self.assertEqual(result["shortGUID"]["value"], share["shortGUID"])
            self.assertEqual((result["databaseScope"], result["environment"]), ("SHARED", "development"))
            self.assertEqual(result["zoneID"], self.family)
            self.assertEqual((result["rootRecordName"], result["rootRecord"]["fields"]), ("mia", {}))
            self.assertEqual(result["share"]["recordName"], "share")
            self.assertEqual(result["ownerIdentity"]["userRecordName"], self.owner)
            part = (result["participantType"], result["participantStatus"], result["participantPermission"])
            self.assertEqual(part, ("USER", "INVITED", WRITE))
        own = self.own.call("records/resolve", body).succeeded()["results"][0]
        self.assertEqual((own["databaseScope"], own["participantType"]), ("PRIVATE", "OWNER"))

    def test_nobody_else_resolves_or_accepts_it(self):
        share = self.share(participants=[self.invitation(self.dad)])
        bogus = {"shortGUID": "0" + "F" * 48}
        for call in ("records/resolve", "records/accept"):
            for found, code in ((share, "ACCESS_DENIED"), (bogus, "NOT_FOUND"), ({"shortGUID": "x"}, "NOT_FOUND")):
                cloud = self.client(self.stranger, scope="public")
                result = cloud.call(call, self.guids(found)).succeeded()["results"][0]
                self.assertEqual((result["serverErrorCode"], result["shortGUID"]["value"]), (code, found["shortGUID"]))
        self.assertEqual(self.shared(self.stranger).call("zones/list").succeeded(), {"zones": []})

    def test_somebody_invited_by_an_unknown_address_may_be_a_candidate(self):
        share = self.share(participants=[{"userIdentity": {"lookupInfo": {"emailAddress": "new@body.example"}}}])
        cloud = self.client(self.stranger, scope="public")
        result = cloud.call("records/resolve", self.guids(share)).succeeded()["results"][0]
        self.assertEqual(result["participantStatus"], "UNKNOWN")
        self.assertNotIn("share", result)
        contact = result["potentialMatchList"][0]["contactInformation"]
        self.assertEqual(contact, {"emailAddress": "new@body.example"})
        self.assertEqual(self.accept(share, self.stranger)["serverErrorCode"], "ACCESS_DENIED")

    def test_accepting_brings_exactly_the_shared_hierarchy(self):
        share = self.share(participants=[self.invitation(self.dad)])
        before = self.shared(self.dad).database_changes()
        self.assertEqual(before["zones"], [])
        for _ in range(2):
            result = self.accept(share, self.dad)
            self.assertEqual(result["participantStatus"], "ACCEPTED")
        cloud = self.shared(self.dad)
        self.assertEqual([zone["zoneID"]["zoneName"] for zone in cloud.call("zones/list").succeeded()["zones"]], ["Family"])
        changed = cloud.database_changes(before["syncToken"])["zones"]
        self.assertEqual([zone["zoneID"] for zone in changed], [self.family])
        names, _ = self.names(self.dad)
        self.assertEqual(names, {"mia", "sleep", "share"})
        found = cloud.lookup("mia", "sleep", "diary", zone=self.family)
        self.assertEqual([record.get("serverErrorCode") for record in found], [None, None, "NOT_FOUND"])
        self.assertEqual(found[1]["zoneID"]["ownerRecordName"], self.owner)
        query = {"query": {"recordType": "Note"}, "zoneID": self.family}
        records = cloud.call("records/query", query).succeeded()["records"]
        self.assertEqual([record["recordName"] for record in records], ["sleep"])
        self.assertEqual(cloud.call("records/query", {"query": query["query"], "zoneWide": True}).status, 400)
        # Neither the private database nor another user's shared one has it.
        self.assertEqual(len(self.client(self.dad).call("zones/list").succeeded()["zones"]), 1)
        self.assertEqual(self.shared(self.stranger).zone_changes(self.family)["serverErrorCode"], "ZONE_NOT_FOUND")

    def test_later_changes_of_the_hierarchy_arrive_and_others_do_not(self):
        self.shared_with_dad()
        _, token = self.names(self.dad)
        database = self.shared(self.dad).database_changes()["syncToken"]
        self.own.save("meal", {}, zone="Family", parent={"recordName": "sleep"})
        self.own.save("letter", {}, zone="Family")
        self.own.delete("diary", zone="Family")
        self.own.delete("sleep", zone="Family")
        page = self.shared(self.dad).zone_changes(self.family, token)
        self.assertEqual([(r["recordName"], r["deleted"]) for r in page["records"]], [("meal", False), ("sleep", True)])
        changes = self.shared(self.dad).database_changes(database)
        self.assertEqual([zone["zoneID"] for zone in changes["zones"]], [self.family])
        self.assertEqual(self.shared(self.dad).database_changes(changes["syncToken"])["zones"], [])

    def test_a_record_that_moves_out_is_gone_after_a_fetch_without_a_token(self):
        self.shared_with_dad()
        _, token = self.names(self.dad)
        self.own.save("sleep", {"hours": 2}, kind="forceReplace", zone="Family")
        self.assertEqual(self.shared(self.dad).zone_changes(self.family, token)["serverErrorCode"], "BAD_REQUEST")
        names, token = self.names(self.dad)
        self.assertEqual(names, {"mia", "share"})
        self.assertEqual(self.names(self.dad, token)[0], set())

    def test_a_long_first_fetch_goes_on_page_by_page(self):
        self.own.save_all((f"n{number}" for number in range(30)), zone="Family", parent={"recordName": "mia"})
        self.shared_with_dad()
        names, token, more = set(), None, True
        while more:
            page = self.shared(self.dad).zone_changes(self.family, token, resultsLimit=4)
            self.assertNotIn("serverErrorCode", page)
            names |= {record["recordName"] for record in page["records"]}
            token, more = page["syncToken"], page["moreComing"]
        self.assertEqual(len(names), 33)

    # Permissions

    def test_a_writer_changes_what_is_shared_and_nothing_else(self):
        self.shared_with_dad()
        cloud = self.shared(self.dad)

        def result(*op, **more):
            return cloud.modify(operation(*op, **more), zone=self.family).json["records"][0]

        self.assertEqual(result("forceUpdate", "sleep", {"hours": 3})["modified"]["userRecordName"], self.others[self.dad])
        self.assertNotIn("serverErrorCode", result("create", "meal", parent={"recordName": "mia"}))
        self.assertEqual(self.own.lookup("meal", zone="Family")[0]["parent"], {"recordName": "mia"})
        self.assert_item_error(result("create", "loose"), "ACCESS_DENIED")
        self.assert_item_error(result("create", "diary"), "ACCESS_DENIED")
        self.assert_item_error(result("forceUpdate", "diary", {"text": "known"}), "NOT_FOUND")
        self.assert_item_error(result("forceUpdate", "sleep", parent={"recordName": "diary"}), "ACCESS_DENIED")
        self.assert_item_error(result("forceDelete", "mia"), "ACCESS_DENIED")
        self.assert_item_error(result("forceUpdate", "share", record_type=None, publicPermission=WRITE), "ACCESS_DENIED")
        self.assertNotIn("serverErrorCode", result("forceDelete", "meal"))
        self.assertEqual(self.own.lookup("diary", zone="Family")[0]["fields"]["text"]["value"], "secret")

    def test_a_reader_changes_nothing(self):
        self.shared_with_dad(READ)
        for op in (
            operation("forceUpdate", "sleep", {"hours": 3}),
            operation("forceDelete", "sleep"),
            operation("create", "meal", parent={"recordName": "mia"}),
        ):
            reply = self.shared(self.dad).modify(op, zone=self.family, atomic=False)
            self.assert_item_error(reply.json["records"][0], "ACCESS_DENIED")

    def test_everybody_joins_a_public_share_and_leaves_with_it(self):
        share = self.share(publicPermission=READ)
        self.assertEqual(self.accept(share, self.stranger)["participantType"], "PUBLIC_USER")
        self.assertEqual(self.names(self.stranger)[0], {"mia", "sleep", "share"})
        self.share(kind="forceUpdate", publicPermission="NONE")
        page = self.shared(self.stranger).zone_changes(self.family)
        self.assertEqual(page["serverErrorCode"], "ZONE_NOT_FOUND")

    # Ending

    def assert_gone(self, token):
        self.assertEqual(self.shared(self.dad).zone_changes(self.family)["serverErrorCode"], "ZONE_NOT_FOUND")
        changes = self.shared(self.dad).database_changes(token)["zones"]
        self.assertEqual([(zone["zoneID"], zone.get("deleted")) for zone in changes], [(self.family, True)])
        self.assertEqual(self.shared(self.dad).call("zones/list").succeeded()["zones"], [])
        reply = self.shared(self.dad).modify(operation("forceUpdate", "sleep", {"hours": 9}), zone=self.family)
        self.assertEqual(reply.json["serverErrorCode"], "ZONE_NOT_FOUND")

    def test_who_is_removed_sees_the_zone_go(self):
        self.shared_with_dad()
        token = self.shared(self.dad).database_changes()["syncToken"]
        self.share(kind="forceUpdate", participants=[])
        self.assert_gone(token)
        share = self.share(kind="forceUpdate", participants=[self.invitation(self.dad)])
        self.accept(share, self.dad)
        self.assertEqual(self.names(self.dad)[0], {"mia", "sleep", "share"})

    def test_a_participant_leaves_by_deleting_the_share(self):
        self.shared_with_dad()
        token = self.shared(self.dad).database_changes()["syncToken"]
        self.shared(self.dad).delete("share", zone=self.family)
        self.assert_gone(token)
        share = self.own.lookup("share", zone="Family")[0]
        self.assertEqual([part["type"] for part in share["participants"]], ["OWNER"])

    def test_the_end_of_the_share_the_record_or_the_zone_ends_it_for_all(self):
        for number, end in enumerate(("share", "mia", None)):
            with self.subTest(end):
                self.own.save("mia", {}, zone="Family", record_type="Profile")
                self.own.save("sleep", {}, zone="Family", parent={"recordName": "mia"})
                self.shared_with_dad(name=f"share{number}")
                token = self.shared(self.dad).database_changes()["syncToken"]
                if end is None:
                    self.own.delete_zone("Family")
                else:
                    self.own.delete(f"share{number}" if end == "share" else end, zone="Family")
                    self.assertNotIn("share", self.own.lookup("sleep", zone="Family")[0])
                self.assert_gone(token)

    # Zones and several shares

    def test_a_zone_is_shared_as_a_whole(self):
        share = self.share(name="cloudkit.zoneshare", root=None, participants=[self.invitation(self.dad)])
        self.accept(share, self.dad)
        self.assertEqual(self.names(self.dad)[0], {"mia", "sleep", "diary", "cloudkit.zoneshare"})
        self.assertNotIn("serverErrorCode", self.shared(self.dad).save("loose", {}, zone=self.family))

    def test_of_two_shares_in_one_zone_one_can_end(self):
        self.shared_with_dad()
        self.shared_with_dad(name="other", root="diary")
        names, token = self.names(self.dad)
        self.assertEqual(names, {"mia", "sleep", "share", "diary", "other"})
        self.share(name="other", root=None, kind="forceUpdate", participants=[])
        self.assertEqual(self.shared(self.dad).zone_changes(self.family, token)["serverErrorCode"], "BAD_REQUEST")
        self.assertEqual(self.names(self.dad)[0], {"mia", "sleep", "share"})

    # Notices and assets

    def test_participants_are_notified_of_what_they_see(self):
        self.shared_with_dad()
        cloud = self.shared(self.dad)
        cloud.modify_subscriptions(
            ("create", {"subscriptionID": "all", "subscriptionType": "database", "notificationInfo": SILENT}),
            (
                "create",
                {"subscriptionID": "one", "subscriptionType": "zone", "zoneID": self.family, "notificationInfo": SILENT},
            ),
        )
        listed = cloud.call("subscriptions/lookup", {"subscriptions": ["one"]}).succeeded()["subscriptions"][0]
        self.assertEqual(listed["zoneID"]["ownerRecordName"], self.owner)
        token = self.client(self.dad).register()
        pushes = self.keep(PushClient(self.server.push, {"token": token, "device": "d"})).welcomed()
        self.own.save("letter", {}, zone="Family")
        self.own.save("sleep", {"hours": 5}, zone="Family")
        lines = {}
        for _ in range(2):
            line = pushes.next()["ck"]
            lines |= {kind: line[kind] for kind in ("met", "fet") if kind in line}
        place = {"dbs": 3, "zid": "Family", "zoid": self.owner}
        self.assertEqual(lines, {"met": {"sid": "all", **place}, "fet": {"sid": "one", **place}})
        # Nothing is left of a push for the letter when the next change comes.
        late = {"subscriptionID": "late", "subscriptionType": "database", "notificationInfo": SILENT}
        cloud.modify_subscriptions(("create", late))
        self.own.save("sleep", {"hours": 6}, zone="Family")
        bodies = [pushes.next()["ck"] for _ in range(3)]
        self.assertEqual({(ck.get("met") or ck["fet"])["sid"] for ck in bodies}, {"all", "one", "late"})

    def test_a_participant_reads_and_adds_assets(self):
        self.shared_with_dad()
        body = {"zoneID": self.family, "tokens": [{"recordType": "Note", "fieldName": "photo", "recordName": "sleep"}]}
        url = self.shared(self.dad).call("assets/upload", body).succeeded()["tokens"][0]["url"]
        content = b"a photo"
        receipt = self.cloud.request("POST", "/" + url.split("/", 3)[3], content).succeeded()["singleFile"]
        asset = {"photo": {"value": receipt, "type": "ASSETID"}}
        saved = self.shared(self.dad).save("sleep", raw=asset, zone=self.family)
        for client, zone in ((self.shared(self.dad), self.family), (self.own, "Family")):
            link = client.lookup("sleep", zone=zone)[0]["fields"]["photo"]["value"]["downloadURL"]
            self.assertEqual(self.cloud.request("GET", "/" + link.split("/", 3)[3]).body, content)
        self.assertEqual(saved["zoneID"]["ownerRecordName"], self.owner)
