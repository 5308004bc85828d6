"""The service of documents, as any program sees it that knows the protocol alone."""

import json

from document_http import CONTAINER, DocumentCase, Documents, change, content, item, log, weight
from support import Case


class EveryAnswer(DocumentCase):
    def test_names_its_request_and_is_not_kept(self):
        names = set()
        for reply in (self.documents.status(), self.documents.pull(cursor="x"), self.documents.ask("GET", "nothing")):
            self.assertEqual(reply.headers["cache-control"], "no-store")
            names.add(reply.headers["request-id"])
        self.assertEqual(len(names), 3)

    def test_tells_how_to_ask(self):
        refused = self.documents.ask("HEAD", "pull")
        self.assertEqual((refused.status, refused.headers["allow"], refused.body), (405, "GET, OPTIONS", b""))
        self.refused(self.documents.ask("TRACE", "push"), 405, "method_not_allowed")
        self.refused(self.documents.ask("GET", "other"), 404, "not_found")
        self.refused(self.documents.ask("POST", "full", "{}", {"Content-Type": "text/plain"}), 415, "unsupported_media_type")
        self.refused(self.documents.ask("POST", "full", "{}", {"Content-Encoding": "gzip"}), 415, "unsupported_media_type")
        other = self.refused(self.documents.ask("GET", "status", schema=2), 409, "schema_mismatch")
        self.assertEqual((other["supported"], other["cause"]), ({"min": 1, "max": 1}, "incompatibleVersion"))

    def test_to_nobody_is_a_refusal(self):
        for fields, error in (({}, "unauthenticated"), ({"Authorization": "Bearer nanny"}, "bad_token")):
            client = self.keep(Documents(self.server.http, "", fields=fields))
            reply = client.status()
            self.refused(reply, 401, error)
            self.assertEqual(reply.headers["www-authenticate"], "Bearer")

    def test_to_a_web_page_of_another_origin_can_be_read(self):
        origin = {"Origin": "http://app.test"}
        asked = self.documents.ask("OPTIONS", "push", fields=origin)
        self.assertEqual(asked.status, 204)
        self.assertIn("Authorization", asked.headers["access-control-allow-headers"])
        self.assertEqual(asked.headers["access-control-allow-origin"], "http://app.test")
        reply = self.documents.ask("GET", "status", fields=origin)
        self.assertEqual(reply.headers["access-control-allow-origin"], "http://app.test")
        self.assertIn("Request-Id", reply.headers["access-control-expose-headers"])

    def test_has_a_limit_for_what_it_answers(self):
        many = [change("delete", "families", f"f{index}") for index in range(201)]
        self.refused(self.documents.push(*many), 413, "too_large")
        large = self.keep(Documents(self.server.http, self.user))
        self.refused(large.ask("POST", "push", b" " * (8 * 1024 * 1024 + 1)), 413, "too_large")
        deep = '{"deviceId":"P1","changes":' + "[" * 64 + "]" * 64 + "}"
        self.refused(self.documents.ask("POST", "push", deep), 400, "malformed")

    def test_about_a_person_is_for_that_account_alone(self):
        self.applied(self.documents.push(change("create", "weightLogs", "w", weight(70_000))))
        other = self.documents_of("Zoë & co")
        self.assertEqual(other.status().json["feeds"], [])
        self.assertEqual(other.full().json["data"], {})
        self.assertEqual(other.pull().json["changes"], [])
        self.assertIsNone(other.document("weightLogs", "w"))
        smuggled = change("create", "weightLogs", "v", weight(70_000, userId=self.user))
        answer = other.push(smuggled).json
        self.assertEqual((answer["success"], answer["errors"][0]["code"]), (False, "forbidden_id"))
        cursor = self.documents.pull().json["cursor"]
        self.refused(other.pull(cursor), 410, "dataset_changed")
        self.assertEqual(other.status(self.documents.status().json["token"]).json["feeds"][0]["state"], "reset")


    def test_has_no_byte_of_another_account(self):
        secret = "mara-s-secret"
        mara = self.documents_of(f"{self.user}-mara", secret)
        self.applied(mara.push(
            change("create", "foodLogs", secret, log(item(secret), notes=secret)),
            change("create", "weightLogs", secret, weight(70_000, notes=secret)),
        ))
        mara.push(change("update", "weightLogs", secret, weight(1_000, notes=secret), at=5), change("create", "families", secret, {"name": secret}))
        names = [{"collection": collection, "documentId": "x"} for collection in ("foodLogs", "weightLogs", "families", "conflicts")]
        cursor, token, page = mara.pull(limit=1).json["cursor"], mara.status().json["token"], mara.full(limit=1).json["nextPage"]
        for reply in (
            self.documents.full(), self.documents.full(deleted=True, limit=5), self.documents.full(documents=names),
            self.documents.full(feed="conflicts"), self.documents.full(page=page), self.documents.pull(),
            self.documents.pull(cursor), self.documents.pull(feed="conflicts"), self.documents.status(),
            self.documents.status(token), self.documents.push(change("update", "weightLogs", "x", weight(2_000), version=1), onConflict="report"),
        ):
            self.assertNotIn(secret.encode(), reply.body)
            self.assertNotIn(secret, str(reply.headers))


class AStrictServer(Case):
    def test_wants_the_key_of_an_app_too(self):
        server = self.serve(None, "--auth", "strict")
        client = self.keep(Documents(server.http, "nanny"))
        refused = client.status()
        self.assertEqual((refused.status, refused.json["error"]), (401, "bad_token"))
        self.assertEqual(client.ask("GET", "status", fields={"Api-Key": "0" * 64}).status, 200)


class APush(DocumentCase):
    def test_makes_changes_and_deletes_documents_one_version_at_a_time(self):
        first = self.applied(self.documents.push(change("create", "weightLogs", "w", weight(70_000, notes="n"), changeId="c1")))[0]
        self.assertEqual((first["version"], first["changed"], first["changeId"], first["deviceId"]), (1, True, "c1", "P1"))
        second = self.applied(
            self.documents.push(change("update", "weightLogs", "w", weight(71_000), at=1, tag=first["tag"]))
        )[0]
        self.assertEqual(second["version"], 2)
        third = self.applied(self.documents.push(change("delete", "weightLogs", "w", at=2, version=2)))[0]
        self.assertEqual(third["version"], 3)
        stored = self.documents.document("weightLogs", "w")
        self.assertEqual((stored["weightG"], stored["notes"], stored["version"]), (71_000, None, 3))
        self.assertIsNotNone(stored["deletedAt"])
        self.assertEqual(stored["tag"], third["tag"])

    def test_keeps_what_it_does_not_know(self):
        self.applied(self.documents.push(change("create", "weightLogs", "w", weight(1_000, mood="good", scale={"a": [1]}))))
        self.applied(self.documents.push(change("update", "weightLogs", "w", weight(2_000, mood=None), at=1, version=1)))
        stored = self.documents.document("weightLogs", "w")
        self.assertEqual(stored["scale"], {"a": [1]})
        self.assertNotIn("mood", stored)

    def test_that_arrives_again_changes_nothing(self):
        made = change("create", "foodLogs", "l", log(item("oats")), at=5)
        first = self.applied(self.documents.push(made))[0]
        for decider in ("report", "decide"):
            again = self.applied(self.documents.push(made, onConflict=decider))[0]
            self.assertEqual((again["changed"], again["version"], again["tag"]), (False, 1, first["tag"]))

    def test_of_bad_documents_says_where_and_applies_the_others(self):
        bad_item = log(item("oats"), {"_id": "x", "name": "X", "quantityMilli": 1, "unit": "grams"})
        answer = self.documents.push(
            change("create", "weightLogs", "w", weight(10)),
            change("create", "weightLogs", "v", weight(70_000)),
            change("create", "foodLogs", "l", bad_item),
            change("create", "unicorns", "u", {}),
            change("create", "dailySummaries", "2026-11-21", {}),
            change("update", "weightLogs", "v", weight(70_001)),
            change("create", "userGoals", "aims", {}),
            change("create", "families", "f", {"name": "F", "more": "x" * 20_000}),
        ).json
        self.assertEqual((answer["success"], answer["applied"]), (False, ["v"]))
        self.assertEqual(
            [(error["index"], error["code"], error.get("path")) for error in answer["errors"]],
            [
                (0, "bad_document", "changes[0].data.weightG"),
                (2, "bad_document", "changes[2].data.items[1].unit"),
                (3, "unknown_collection", "changes[3].collection"),
                (4, "read_only_collection", "changes[4].collection"),
                (5, "duplicate_in_request", "changes[5].documentId"),
                (6, "bad_document", "changes[6].documentId"),
                (7, "too_large", "changes[7].data"),
            ],
        )
        self.assertEqual([result["index"] for result in answer["results"]], list(range(8)))

    def test_of_both_feeds_at_once_is_refused(self):
        made = change("create", "conflicts", "c", {"zone": "Z"})
        self.refused(self.documents.push(change("delete", "families", "f"), made), 400, "malformed")

    def test_erases_only_what_is_current(self):
        self.applied(self.documents.push(change("create", "families", "f", {"name": "F"})))
        late = self.documents.push(change("delete", "families", "f", at=1, version=7, erase=True), onConflict="report")
        self.assertEqual(self.conflict(late)["serverVersion"], 1)
        erased = self.applied(self.documents.push(change("delete", "families", "f", version=1, erase=True)))[0]
        last = self.documents.feed()[0][-1]
        self.assertEqual((last["operation"], last["data"], last["tag"]), ("delete", None, erased["tag"]))
        self.assertEqual((last["version"], erased["version"]), (1, 1), "a tombstone keeps the version")
        again = self.applied(self.documents.push(change("create", "families", "f", {"name": "G"}, at=2)))[0]
        self.assertEqual(again["version"], 2)

    def test_with_an_old_tag_of_another_data_set_is_an_error(self):
        self.applied(self.documents.push(change("create", "families", "f", {"name": "F"})))
        answer = self.documents.push(change("update", "families", "f", {"name": "G"}, at=1, tag="0123456789abcdef-1")).json
        self.assertEqual((answer["errors"][0]["code"], answer["errors"][0]["cause"]), ("dataset_changed", "zoneNotFound"))


class AConflict(DocumentCase):
    """`report` leaves the decision to the client; `decide` makes it."""

    def make(self, collection="weightLogs", data=None, at=10):
        self.applied(self.documents.push(change("create", collection, "d", data or weight(70_000), at=at)))

    def test_is_reported_with_what_is_stored(self):
        self.make()
        for at, resolution in ((20, "client_wins"), (5, "server_wins")):
            reply = self.documents.push(change("update", "weightLogs", "d", weight(1_000), at=at, version=7), onConflict="report")
            found = self.conflict(reply)
            self.assertEqual((found["resolution"], found["clientVersion"], found["serverVersion"]), (resolution, 7, 1))
            self.assertEqual(found["serverData"]["weightG"], 70_000)

    def test_about_nothing_has_no_stored_document(self):
        reply = self.documents.push(change("update", "weightLogs", "d", weight(1_000), version=1), onConflict="report")
        found = self.conflict(reply)
        self.assertEqual((found["serverVersion"], found["serverData"], found["resolution"]), (0, None, "client_wins"))
        self.applied(self.documents.push(change("delete", "weightLogs", "e", version=1), onConflict="report"))

    def test_is_decided_for_the_later_edit_and_both_versions_are_kept(self):
        self.make()
        result = self.applied(self.documents.push(change("update", "weightLogs", "d", weight(1_000), at=20)))[0]
        self.assertEqual(result["version"], 2)
        found = self.conflict(self.documents.push(change("update", "weightLogs", "d", weight(2_000), at=15)))
        self.assertEqual((found["resolution"], found["serverData"]["weightG"]), ("server_wins", 1_000))
        self.assertEqual(self.documents.document("weightLogs", "d")["version"], 2)
        kept = [entry["data"] for entry in self.documents.feed(feed="conflicts")[0]]
        self.assertEqual([entry["record"] for entry in kept], ["weightLogs.d"] * 2)
        self.assertEqual([entry["version"] for entry in kept], [1, 1])
        self.assertIn("2000", " ".join(str(value) for value in kept[1].values()))

    def test_of_logs_is_merged_by_the_client_at_its_second_try(self):
        self.make("foodLogs", log(item("oats"), notes="first"), at=10)
        self.applied(self.documents.push(change("update", "foodLogs", "d", log(item("oats"), item("milk"), notes="second"), at=20, version=1)))
        mine = log(item("oats"), item("bread"), notes="mine")
        found = self.conflict(self.documents.push(change("update", "foodLogs", "d", mine, at=15, version=1)))
        self.assertEqual(found["resolution"], "merge")
        theirs = found["serverData"]
        merged = {**content(theirs), "items": theirs["items"] + [item("bread")]}
        result = self.applied(self.documents.push(change("update", "foodLogs", "d", merged, at=21, tag=theirs["tag"])))[0]
        self.assertEqual(result["version"], 3)
        stored = self.documents.document("foodLogs", "d")
        self.assertEqual([element["_id"] for element in stored["items"]], ["bread", "milk", "oats"])
        self.assertEqual(stored["notes"], "second")

    def test_never_brings_back_an_item_that_was_left_out_on_the_current_base(self):
        self.make("foodLogs", log(item("oats"), item("milk")))
        self.applied(self.documents.push(change("update", "foodLogs", "d", log(item("oats")), at=11, version=1)))
        stored = self.documents.document("foodLogs", "d")
        self.assertEqual([(element["_id"], element["deletedAt"] is None) for element in stored["items"]], [("milk", False), ("oats", True)])

    def test_sums_up_the_day(self):
        self.make("foodLogs", log(item("oats", energyKcal=300), item("milk", energyKcal=50)))
        day = self.documents.document("dailySummaries", "2026-11-21")
        self.assertEqual((day["totals"]["energyKcal"], day["meals"], day["items"], day["deviceId"]), (350, 1, 2, "server"))
        self.assertNotIn("parts", day)
        self.applied(self.documents.push(change("update", "foodLogs", "d", log(item("oats", energyKcal=300), day="2026-11-22"), at=20, version=1)))
        self.assertEqual(self.documents.document("dailySummaries", "2026-11-21")["meals"], 0)
        self.assertEqual(self.documents.document("dailySummaries", "2026-11-22")["totals"]["energyKcal"], 300)


class AFeed(DocumentCase):
    def fill(self, count=12):
        made = [change("create", "weightLogs", f"w{index:02}", weight(1_000 + index), at=index) for index in range(count)]
        self.applied(self.documents.push(*made))

    def test_has_each_document_once_in_pages_of_any_size(self):
        self.fill()
        self.applied(self.documents.push(change("update", "weightLogs", "w03", weight(9_000), at=50, version=1)))
        for limit in (1, 5, 200):
            changes, cursor = self.documents.feed(limit=limit)
            names = [entry["documentId"] for entry in changes]
            self.assertEqual(len(names), len(set(names)))
            self.assertEqual((len(names), names[-1]), (12, "w03"))
            self.assertEqual(self.documents.feed(cursor), ([], self.documents.feed(cursor)[1]))

    def test_hands_over_from_all_documents_to_their_changes(self):
        self.fill()
        first = self.documents.full(limit=5).json
        self.assertFalse(first["complete"])
        self.assertIsNone(first["cursor"])
        self.applied(self.documents.push(
            change("update", "weightLogs", "w01", weight(9_000), at=50, version=1),
            change("create", "weightLogs", "new", weight(8_000), at=51),
            change("delete", "weightLogs", "w11", at=52, version=1),
        ))
        known, page, answer = {}, first["nextPage"], first
        while True:
            known.update({document["_id"]: document for document in answer["data"].get("weightLogs", [])})
            self.assertEqual(answer["snapshotSequence"], first["snapshotSequence"])
            if answer["complete"]:
                break
            answer = self.documents.full(page=answer["nextPage"], limit=3).json
        for entry in self.documents.feed(answer["cursor"])[0]:
            known[entry["documentId"]] = entry["data"]
        everything = self.documents.full(deleted=True).json["data"]["weightLogs"]
        self.assertEqual(known, {document["_id"]: document for document in everything})
        self.assertIsNotNone(known["w11"]["deletedAt"])
        self.assertEqual(len(self.documents.full().json["data"]["weightLogs"]), 12)

    def test_has_only_the_collections_that_are_asked_for(self):
        self.fill(2)
        self.applied(self.documents.push(change("create", "families", "f", {"name": "F"})))
        changes, _ = self.documents.feed(collections="families,userGoals")
        self.assertEqual([entry["collection"] for entry in changes], ["families"])
        self.assertEqual(list(self.documents.full(collections=["families"]).json["data"]), ["families"])
        unknown = self.refused(self.documents.pull(collections="food"), 400, "malformed")
        self.assertIn("foodLogs", unknown["message"])

    def test_can_be_read_by_its_time(self):
        self.fill(3)
        time = self.documents.pull().json["serverTime"]
        self.applied(self.documents.push(change("create", "families", "f", {"name": "F"})))
        later = self.documents.pull(since=time).json
        self.assertIn("f", [entry["documentId"] for entry in later["changes"]])
        self.assertEqual(self.documents.pull(since="2190-01-01T00:00:00Z").json["changes"], [])

    def test_has_a_cursor_before_there_is_anything(self):
        empty = self.documents.pull().json
        self.assertEqual((empty["changes"], empty["hasMore"]), ([], False))
        self.fill(1)
        self.assertEqual(len(self.documents.pull(empty["cursor"]).json["changes"]), 1)

    def test_takes_cursors_of_its_own_kind_alone(self):
        self.fill(3)
        page, token = self.documents.full(limit=1).json["nextPage"], self.documents.status().json["token"]
        self.refused(self.documents.pull(page), 400, "malformed")
        self.refused(self.documents.full(page=token), 400, "malformed")
        self.refused(self.documents.status(page), 400, "malformed")
        self.assertEqual(self.refused(self.documents.pull("abc"), 410, "cursor_expired")["cause"], "changeTokenExpired")

    def test_that_is_long_has_to_be_read_in_pages(self):
        for start in (0, 150):
            made = [change("create", "families", f"f{index}", {"name": "F"}) for index in range(start, start + 150)]
            self.applied(self.documents.push(*made))
        self.assertIn("limit", self.refused(self.documents.full(), 413, "too_large")["message"])
        self.assertEqual(len(self.documents.full(limit=200).json["data"]["families"]), 200)

    def test_tells_which_documents_are_missing(self):
        self.fill(1)
        names = [{"collection": "weightLogs", "documentId": "w00"}, {"collection": "families", "documentId": "w00"}]
        found = self.documents.full(documents=names).json
        self.assertEqual(([document["_id"] for document in found["data"]["weightLogs"]], found["missing"]), (["w00"], names[1:]))
        self.assertEqual((found["complete"], found["cursor"], found["nextPage"]), (True, None, None))


class TheStatus(DocumentCase):
    def test_lists_the_feeds_with_news(self):
        empty = self.documents.status().json
        self.assertEqual((empty["feeds"], empty["hasMore"], empty["user"]), ([], False, self.user))
        self.assertEqual(empty["limits"]["documentBytes"], 262_144)
        self.assertEqual(empty["schema"], {"min": 1, "max": 1})
        self.applied(self.documents.push())
        made = self.documents.status(empty["token"]).json
        self.assertIn({"feed": "documents", "state": "changed"}, made["feeds"])
        self.assertEqual(self.documents.status(made["token"]).json["feeds"], [])
        self.applied(self.documents.push(change("create", "families", "f", {"name": "F"})))
        self.assertEqual(self.documents.status(made["token"]).json["feeds"], [{"feed": "documents", "state": "changed"}])

    def test_tells_of_a_deleted_data_set(self):
        self.applied(self.documents.push(change("create", "families", "f", {"name": "F"})))
        cursor, token = self.documents.pull().json["cursor"], self.documents.status().json["token"]
        for end, state, error in ((self.delete_zone, "deleted", "dataset_changed"), (self.purge_zone, "purged", "purged")):
            end()
            known = self.documents.status(token).json
            [feed] = [feed for feed in known["feeds"] if feed["feed"] == "documents"]
            self.assertEqual(feed["state"], state)
            self.assertLess("2026", feed["deletedAt"])
            self.refused(self.documents.pull(cursor), 410, error)
            self.refused(self.documents.push(change("create", "families", "g", {"name": "G"})), 410, error)
            self.applied(self.documents.push())
            self.applied(self.documents.push(change("create", "families", "f", {"name": "F"})))
            cursor, token = self.documents.pull().json["cursor"], self.documents.status().json["token"]

    def test_tells_a_client_with_an_old_cursor_that_tombstones_were_purged(self):
        self.applied(self.documents.push(change("create", "families", "f", {"name": "F"}), change("create", "families", "g", {"name": "G"})))
        cursor = self.documents.pull(limit=1).json["cursor"]
        self.applied(self.documents.push(change("delete", "families", "g", version=1, erase=True)))
        self.administer("purgeTombstones")
        self.refused(self.documents.pull(cursor), 410, "cursor_expired")
        again = self.documents.full().json
        self.assertEqual([document["_id"] for document in again["data"]["families"]], ["f"])
        self.assertEqual(self.documents.feed(again["cursor"])[0], [])

    def delete_zone(self):
        cloud = self.client(container=CONTAINER)
        cloud.delete_zone("DietLog")

    def purge_zone(self):
        self.administer("purgeZone")

    def administer(self, operation):
        body = {"do": operation, "container": CONTAINER, "user": self.user, "zone": "DietLog"}
        reply = self.cloud.request("POST", "/zonekit/administration", json.dumps(body))
        self.assertEqual(reply.status, 200, reply.body)
