"""CloudKit Web Services: queries (a.1 rows 1, 4, 10 and 29; b.6; c.5)."""

import json

from clients import operation
from support import ServerCase


def filters(*triples):
    return [
        {"comparator": comparator, "fieldName": name, "fieldValue": value if isinstance(value, dict) else {"value": value}}
        for comparator, name, value in triples
    ]


class Query(ServerCase):
    def setUp(self):
        super().setUp()
        self.cloud.create_zone()
        self.cloud.save("a", {"count": 3, "title": "Buy milk"}, raw={"at": {"value": 5, "type": "TIMESTAMP"}})
        self.cloud.save("b", {"count": 1, "title": "Brot", "tags": ["x", "yy"]})
        self.cloud.save("c", {"count": 2, "place": {"latitude": 52.5, "longitude": 13.4}})

    def query(self, *conditions, parameters="", **members):
        query = {"recordType": members.pop("recordType", "Note"), "filterBy": filters(*conditions) or None}
        if "sortBy" in members:
            query["sortBy"] = members.pop("sortBy")
        members.setdefault("zoneID", {"zoneName": "Notes"})
        path = self.cloud.path("records/query") + parameters
        return self.cloud.request("POST", path, json.dumps({"query": query, **members}))

    def names(self, *conditions, **members):
        answer = self.query(*conditions, **members)
        self.assertEqual(answer.status, 200, answer.json)
        return [record["recordName"] for record in answer.json["records"]]

    def test_finds_whole_records_of_one_type(self):
        records = self.query().json["records"]
        self.assertEqual([record["recordName"] for record in records], ["a", "b", "c"])
        self.assertEqual(records, self.cloud.call("records/lookup", {
            "zoneID": {"zoneName": "Notes"}, "records": [{"recordName": name} for name in "abc"]}).json["records"])

    def test_filters_and_sorts(self):
        self.assertEqual(self.names(("GREATER_THAN", "count", 1)), ["a", "c"])
        self.assertEqual(self.names(("IN", "count", [1, 3])), ["a", "b"])
        self.assertEqual(self.names(("LIST_CONTAINS", "tags", "yy")), ["b"])
        self.assertEqual(self.names(("CONTAINS_ANY", "tags", ["yy", "z"])), ["b"])
        self.assertEqual(self.names(("EQUALS", "___recordID", {"value": {"recordName": "c"}, "type": "REFERENCE"})), ["c"])
        self.assertEqual(self.names(sortBy=[{"fieldName": "count", "ascending": False}]), ["a", "c", "b"])
        self.assertEqual(self.names(sortBy=[{"systemFieldName": "recordName", "ascending": False}]), ["c", "b", "a"])

    def test_finds_places_within_a_distance(self):
        near = {"comparator": "NEAR", "fieldName": "place", "distance": 20_000,
                "fieldValue": {"value": {"latitude": 52.4, "longitude": 13.3}, "type": "LOCATION"}}
        body = {"zoneID": {"zoneName": "Notes"}, "query": {"recordType": "Note", "filterBy": [near]}}
        self.assertEqual([record["recordName"] for record in self.cloud.call("records/query", body).json["records"]], ["c"])
        near["distance"] = 5_000
        self.assertEqual(self.cloud.call("records/query", body).json["records"], [])

    def test_pages_have_each_record_once_and_the_last_has_no_marker(self):
        self.cloud.save_all([f"n-{number:03}" for number in range(230)])
        seen, marker, pages = [], None, 0
        while True:
            answer = self.query(resultsLimit=50, **({"continuationMarker": marker} if marker else {})).json
            seen += [record["recordName"] for record in answer["records"]]
            pages += 1
            if "continuationMarker" not in answer:
                break
            marker = answer["continuationMarker"]
            self.assert_base64(marker)
        self.assertEqual((pages, len(seen), len(set(seen))), (5, 233, 233))

    def test_a_limit_above_a_page_is_a_page(self):
        self.cloud.save_all([f"n-{number:03}" for number in range(230)])
        self.assertEqual(len(self.query(resultsLimit=1000).json["records"]), 200)

    def test_a_single_hit_has_no_marker(self):
        self.assertNotIn("continuationMarker", self.query(("EQUALS", "count", 3), resultsLimit=1).json)

    def test_desired_keys_and_numbers_as_strings(self):
        record = self.query(("EQUALS", "count", "3"), desiredKeys=["count"], numbersAsStrings=True).json["records"][0]
        self.assertEqual(record["fields"], {"count": {"type": "INT64", "value": "3"}})

    def test_the_token_comes_only_if_asked_for_and_is_that_of_the_feed(self):
        self.assertNotIn("syncToken", self.query().json)
        token = self.query(parameters="&getCurrentSyncToken=true").json["syncToken"]
        self.assertEqual(self.cloud.zone_changes(token=token)["records"], [])

    def test_all_zones_together(self):
        self.cloud.call("zones/modify", {"operations": [{"operationType": "create", "zone": {"zoneID": {"zoneName": "More"}}}]})
        self.cloud.call("records/modify", {"zoneID": {"zoneName": "More"}, "operations": [operation("create", "d", {"count": 9})]})
        body = {"zoneWide": True, "query": {"recordType": "Note", "sortBy": [{"fieldName": "count"}]}}
        records = self.cloud.call("records/query", body).json["records"]
        self.assertEqual([(r["recordName"], r["zoneID"]["zoneName"]) for r in records],
                         [("b", "Notes"), ("c", "Notes"), ("a", "Notes"), ("d", "More")])

    def test_what_cannot_be_asked_is_refused(self):
        for status, code, answer in [
            (404, "NOT_FOUND", self.query(recordType="Nothing")),
            (404, "NOT_FOUND", self.query(recordType="blah blah")),
            (404, "ZONE_NOT_FOUND", self.query(zoneID={"zoneName": "Nowhere"})),
            (400, "BAD_REQUEST", self.query(("LIKE", "title", "x"))),
            (400, "BAD_REQUEST", self.query(("EQUALS", "count", {"value": "x", "type": "STRING"}))),
            (400, "BAD_REQUEST", self.query(continuationMarker="garbage")),
            (400, "BAD_REQUEST", self.cloud.call("records/query", {})),
            (400, "BAD_REQUEST", self.cloud.call("records/query", {"query": {}})),
        ]:
            self.assertEqual((answer.status, answer.json["serverErrorCode"]), (status, code), answer.json)
            self.assertTrue(answer.json["uuid"] and answer.json["reason"])

    def test_a_batch_of_queries_answers_one_by_one(self):
        one = {"query": {"recordType": "Note"}, "zoneID": {"zoneName": "Notes"}, "resultsLimit": 1}
        other = {"query": {"recordType": "Nothing"}, "zoneID": {"zoneName": "Notes"}}
        batch = self.cloud.call("internal/records/query/batch", {"batch": [one, other]}).json["batch"]
        self.assertEqual([record["recordName"] for record in batch[0]["records"]], ["a"])
        self.assertEqual(batch[1]["serverErrorCode"], "NOT_FOUND")


class OlderFeeds(ServerCase):
    def setUp(self):
        super().setUp()
        self.cloud.create_zone()
        self.cloud.save("a", {"count": 1})
        self.cloud.save("b", {"count": 2})

    def changes(self, **members):
        return self.cloud.call("records/changes", {"zoneID": {"zoneName": "Notes"}, **members})

    def test_records_changes_is_the_feed_of_one_zone(self):
        answer = self.changes().json
        page = self.cloud.zone_changes()
        self.assertEqual((answer["records"], answer["syncToken"], answer["moreComing"]),
                         (page["records"], page["syncToken"], page["moreComing"]))
        first = self.changes(resultsLimit=1).json
        self.assertEqual([r["recordName"] for r in first["records"]], ["a"])
        self.assertEqual([r["recordName"] for r in self.changes(syncToken=first["syncToken"]).json["records"]], ["b"])

    def test_records_changes_backwards_says_so(self):
        answer = self.changes(reverse=True).json
        self.assertEqual(([r["recordName"] for r in answer["records"]], answer["reverse"]), (["b", "a"], True))

    def test_records_changes_fails_as_a_whole(self):
        for status, code, answer in [
            (404, "ZONE_NOT_FOUND", self.changes(zoneID={"zoneName": "Nowhere"})),
            (400, "BAD_REQUEST", self.changes(zoneID={"zoneName": "_defaultZone"})),
            (400, "BAD_REQUEST", self.changes(syncToken="garbage")),
        ]:
            self.assertEqual((answer.status, answer.json["serverErrorCode"]), (status, code))

    def test_zones_changes_has_tokens_of_its_own(self):
        answer = self.cloud.call("zones/changes", {}).json
        self.assertEqual([zone["zoneID"]["zoneName"] for zone in answer["zones"]], ["Notes"])
        self.assertEqual(answer["metaSyncToken"], answer["syncToken"])
        self.assert_base64(answer["metaSyncToken"])
        for member in ("metaSyncToken", "syncToken"):
            self.assertEqual(self.cloud.call("zones/changes", {member: answer["metaSyncToken"]}).json["zones"], [])
        foreign = self.cloud.call("changes/database", {}).json["syncToken"]
        for operation_name, token in [("zones/changes", foreign), ("changes/database", answer["metaSyncToken"])]:
            refused = self.cloud.call(operation_name, {"metaSyncToken": token, "syncToken": token})
            self.assertEqual((refused.status, refused.json["serverErrorCode"]), (400, "BAD_REQUEST"), operation_name)
