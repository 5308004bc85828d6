"""CloudKit Web Services: records/modify and records/lookup (a.1 rows 2 and 3; b.3; c.1 to c.3; g)."""

import re
import threading

from clients import operation
from support import ServerCase

SAVED, DELETED, ACK = "saved", "deleted", "acknowledged"

# c.1, cell by cell: what an operation does where the record is absent, where the tag is equal, different, missing.
TABLE = {
    "create": (SAVED, "CONFLICT", "CONFLICT", "CONFLICT"),
    "update": ("NOT_FOUND", SAVED, "CONFLICT", "CONFLICT"),
    "forceUpdate": (SAVED, SAVED, SAVED, SAVED),
    "replace": ("NOT_FOUND", SAVED, "CONFLICT", "CONFLICT"),
    "forceReplace": (SAVED, SAVED, SAVED, SAVED),
    "delete": ("NOT_FOUND", DELETED, "CONFLICT", DELETED),
    "forceDelete": (ACK, DELETED, DELETED, DELETED),
}
STATES = ("an_absent_record", "an_equal_tag", "a_different_tag", "a_missing_tag")
KEEPS_FIELDS = {"update": True, "forceUpdate": True, "replace": False, "forceReplace": False}


class OperationTable(ServerCase):
    """The table of c.1 in a custom zone and in the default zone."""

    def check_cell(self, kind, state, expected, zone):
        before = None if state == STATES[0] else self.cloud.save("n", {"title": "before", "kept": 1}, zone=zone)
        if state == STATES[2]:  # a tag that was the record's own once
            stale, before = before, self.cloud.save("n", {"title": "before"}, zone=zone)
        tags = {STATES[0]: None, STATES[1]: before and before["recordChangeTag"], STATES[3]: None}
        tag = stale["recordChangeTag"] if state == STATES[2] else tags[state]
        reply = self.cloud.modify(operation(kind, "n", {"title": "after"}, tag=tag), zone=zone, atomic=False)
        self.assertEqual(reply.status, 200, reply.json)
        item = reply.json["records"][0]
        after = self.cloud.lookup("n", zone=zone)[0]
        self.assertEqual(item["recordName"], "n")
        if expected == SAVED:
            self.assert_saved(item)
            self.assertEqual(item["fields"]["title"]["value"], "after")
            self.assertNotEqual(item["recordChangeTag"], before and before["recordChangeTag"])
            self.assertEqual(after["recordChangeTag"], item["recordChangeTag"])
            self.assertEqual("kept" in after["fields"], bool(before) and KEEPS_FIELDS.get(kind, False))
        elif expected in (DELETED, ACK):
            self.assertIs(item["deleted"], True, item)
            self.assertNotIn("serverErrorCode", item)
            self.assert_item_error(after, "NOT_FOUND")
        else:
            self.assert_item_error(item, expected)
            if before:
                self.assertEqual(after, self.assert_saved(before), "a refused operation must leave the record alone")
            else:
                self.assert_item_error(after, "NOT_FOUND")


def add_cell(kind, state, expected):
    def test(self):
        self.cloud.create_zone()
        self.check_cell(kind, state, expected, "Notes")
        self.check_cell(kind, state, expected, "_defaultZone")

    setattr(OperationTable, f"test_{kind}_with_{state}_is_{expected}", test)


for _kind, _cells in TABLE.items():
    for _state, _expected in zip(STATES, _cells):
        add_cell(_kind, _state, _expected)


class Saving(ServerCase):
    def setUp(self):
        super().setUp()
        self.zone = self.cloud.create_zone()

    def test_a_saved_record_has_every_key_that_clients_need(self):
        record = self.cloud.save("n-1", {"title": "Milk", "count": 3}, kind="create")
        self.assertEqual(record["recordName"], "n-1")
        self.assertEqual(record["recordType"], "Note")
        self.assertEqual(record["pluginFields"], {})
        self.assertIs(record["deleted"], False)
        self.assertEqual(
            record["fields"], {"title": {"value": "Milk", "type": "STRING"}, "count": {"value": 3, "type": "INT64"}}
        )
        self.assertEqual(record["zoneID"], self.zone["zoneID"])
        for stamp in (record["created"], record["modified"]):
            self.assertIsInstance(stamp["timestamp"], int)
            self.assertRegex(stamp["userRecordName"], r"^_[0-9a-f]{32}$")
            self.assertEqual(stamp["userRecordName"], self.zone["zoneID"]["ownerRecordName"])
            self.assertTrue(stamp["deviceID"])

    def test_created_stays_and_modified_moves_on(self):
        first = self.cloud.save("n", {"a": 1})
        second = self.cloud.save("n", {"a": 2})
        self.assertEqual(second["created"], first["created"])
        self.assertGreaterEqual(second["modified"]["timestamp"], first["modified"]["timestamp"])

    def test_saving_the_same_content_again_gives_a_new_tag(self):
        tags = [self.cloud.save("n", {"a": 1})["recordChangeTag"] for _ in range(5)]
        self.assertEqual(len(set(tags)), 5)

    def test_a_record_without_a_name_gets_an_upper_case_uuid(self):
        record = self.cloud.save(None, {"a": 1}, kind="create")
        self.assertRegex(record["recordName"], r"^[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}$")

    def test_a_record_that_is_created_needs_a_type(self):
        for kind in ("create", "forceUpdate", "forceReplace"):
            with self.subTest(kind):
                reply = self.cloud.modify(operation(kind, "n", {"a": 1}, record_type=None), atomic=False)
                item = reply.json["records"][0] if reply.status == 200 else reply.json
                self.assertEqual(item["serverErrorCode"], "BAD_REQUEST", reply.json)
        self.assert_item_error(self.cloud.lookup("n")[0], "NOT_FOUND")

    def test_an_existing_record_is_updated_without_naming_its_type(self):
        self.cloud.save("n", {"a": 1})
        record = self.cloud.save("n", {"b": 2}, record_type=None)
        self.assertEqual((record["recordType"], sorted(record["fields"])), ("Note", ["a", "b"]))

    def test_a_record_keeps_its_type(self):
        self.cloud.save("n", {"a": 1})
        for kind in ("forceUpdate", "forceReplace"):
            item = self.cloud.modify(operation(kind, "n", record_type="Other"), atomic=False).succeeded()["records"][0]
            self.assert_item_error(item, "BAD_REQUEST")

    def test_an_illegal_record_type_is_not_found(self):
        item = self.cloud.modify(operation("create", "n", record_type="blah blah"), atomic=False).succeeded()[
            "records"
        ][0]
        self.assert_item_error(item, "NOT_FOUND")

    def test_one_record_twice_in_a_request_is_refused(self):
        reply = self.cloud.modify(operation("forceUpdate", "n", {"a": 1}), operation("forceDelete", "n"))
        item = reply.json if "serverErrorCode" in reply.json else reply.json["records"][-1]
        self.assertEqual((reply.status, item["serverErrorCode"]), (400, "BAD_REQUEST"), reply.json)
        self.assert_item_error(self.cloud.lookup("n")[0], "NOT_FOUND")

    def test_answers_come_in_the_order_of_the_operations(self):
        names = [f"n-{number}" for number in (3, 1, 2)]
        reply = self.cloud.modify(*[operation("create", name) for name in names]).succeeded()
        self.assertEqual([record["recordName"] for record in reply["records"]], names)

    def test_record_names_have_at_most_255_characters(self):
        self.assertEqual(self.cloud.save("n" * 255)["recordName"], "n" * 255)
        item = self.cloud.modify(operation("create", "n" * 256), atomic=False).json
        item = item if "serverErrorCode" in item else item["records"][0]
        self.assertEqual(item["serverErrorCode"], "BAD_REQUEST")

    def test_record_names_may_hold_any_text(self):
        names = [
            "ü",
            "👶",
            "a b",
            "a/b",
            "..",
            "'; DROP TABLE",
            'quo"te',
            "back\\slash",
            "tab\t",
            "e\u0301",
            "é",
            "%00",
        ]
        self.cloud.save_all(names)
        self.assertEqual([record["recordName"] for record in self.cloud.lookup(*names)], names)
        self.assertEqual(len(self.cloud.feed()[0]), len(names), "composed and decomposed letters are different names")

    def test_200_operations_are_accepted_and_201_refused(self):
        operations = [operation("create", f"n-{number}") for number in range(201)]
        self.assert_top_level_error(self.cloud.modify(*operations), 400, "BAD_REQUEST")
        self.assertEqual(self.cloud.feed()[0], [], "nothing of a refused request is written")
        self.assertEqual(len(self.cloud.modify(*operations[:200]).succeeded()["records"]), 200)

    def test_a_record_of_more_than_a_megabyte_is_refused(self):
        self.cloud.save("n", {"text": "x" * 900_000})
        reply = self.cloud.modify(operation("forceUpdate", "m", {"text": "x" * 1_100_000}), atomic=False)
        item = reply.json if reply.status == 400 else reply.json["records"][0]
        self.assertEqual(item["serverErrorCode"], "BAD_REQUEST", reply.json)

    def test_an_operation_type_that_is_not_in_the_table_is_refused(self):
        self.assert_top_level_error(self.cloud.modify(operation("upsert", "n")), 400, "BAD_REQUEST")

    def test_operations_are_required(self):
        self.assert_top_level_error(self.cloud.call("records/modify", {}), 400, "BAD_REQUEST")

    def test_a_conflict_does_not_include_the_server_record(self):
        self.cloud.save("n")
        item = self.cloud.modify(operation("create", "n"), atomic=False).succeeded()["records"][0]
        self.assertLessEqual(set(item), {"recordName", "reason", "serverErrorCode", "nativeCode"})
        self.assertRegex(item["reason"], "already exists")

    def test_a_parent_comes_back(self):
        self.cloud.save("mother")
        record = self.cloud.save("child", parent={"recordName": "mother"})
        self.assertEqual(record["parent"]["recordName"], "mother")
        self.assertEqual(self.cloud.lookup("child")[0]["parent"]["recordName"], "mother")


class Atomicity(ServerCase):
    def setUp(self):
        super().setUp()
        self.cloud.create_zone()
        self.cloud.save("there", {"a": 1})
        self.token = self.cloud.zone_changes()["syncToken"]

    def batch(self):
        return [
            operation("create", "new"),
            operation("create", "there"),
            operation("update", "absent", tag="1"),
            operation("forceUpdate", "there2"),
        ]

    def check_nothing_happened(self):
        page = self.cloud.zone_changes(token=self.token)
        self.assertEqual((page["records"], page["syncToken"]), ([], self.token))

    def test_a_failed_batch_is_answered_with_400_and_an_item_for_each_operation(self):
        reply = self.cloud.modify(*self.batch())
        self.assert_top_level_error(reply, 400, "ATOMIC_ERROR")
        self.assertEqual(
            [(item["recordName"], item["serverErrorCode"]) for item in reply.json["records"]],
            [("new", "ATOMIC_ERROR"), ("there", "CONFLICT"), ("absent", "NOT_FOUND"), ("there2", "ATOMIC_ERROR")],
        )
        for item in reply.json["records"]:
            self.assert_item_error(item, item["serverErrorCode"])
        self.check_nothing_happened()

    def test_atomic_is_the_default_and_can_be_said(self):
        self.assertEqual(self.cloud.modify(*self.batch()).status, 400)
        self.assertEqual(self.cloud.modify(*self.batch(), atomic=True).status, 400)
        self.assertEqual(self.cloud.modify(*self.batch(), atomic=None).status, 400, "null counts as absent")
        self.check_nothing_happened()

    def test_a_batch_that_is_not_atomic_does_what_it_can(self):
        reply = self.cloud.modify(*self.batch(), atomic=False)
        self.assertEqual(reply.status, 200)
        new, there, absent, other = reply.json["records"]
        self.assert_saved(new)
        self.assert_item_error(there, "CONFLICT")
        self.assert_item_error(absent, "NOT_FOUND")
        self.assert_saved(other)
        self.assertEqual({record["recordName"] for record in self.cloud.feed(token=self.token)[0]}, {"new", "there2"})

    def test_the_default_zone_is_never_atomic(self):
        self.cloud.save("there", zone="_defaultZone")
        for zone in ("_defaultZone", None):
            reply = self.cloud.modify(
                operation("forceUpdate", "new"), operation("create", "there"), zone=zone, atomic=True
            )
            self.assertEqual(reply.status, 200)
            self.assert_saved(reply.json["records"][0])
            self.assert_item_error(reply.json["records"][1], "CONFLICT")

    def test_a_good_batch_is_written_as_a_whole(self):
        records = self.cloud.modify(*[operation("create", f"n-{number}") for number in range(100)]).succeeded()[
            "records"
        ]
        for record in records:
            self.assert_saved(record)
        self.assertEqual(len({record["recordChangeTag"] for record in records}), 100)


class Lookup(ServerCase):
    def setUp(self):
        super().setUp()
        self.cloud.create_zone()

    def test_records_come_in_the_order_asked_for_and_missing_ones_are_item_errors(self):
        for name in "abc":
            self.cloud.save(name, {"title": name})
        self.cloud.delete("b")
        items = self.cloud.lookup("c", "nowhere", "a", "b")
        self.assertEqual([item["recordName"] for item in items], ["c", "nowhere", "a", "b"])
        self.assertEqual(items[0]["fields"]["title"]["value"], "c")
        self.assert_item_error(items[1], "NOT_FOUND")
        self.assert_item_error(items[3], "NOT_FOUND")

    def test_a_lookup_gives_what_the_save_and_the_feed_gave(self):
        saved = self.cloud.save("n", {"title": "Milk", "list": [1, 2], "place": {"latitude": 1.5, "longitude": -2.25}})
        self.assertEqual(self.cloud.lookup("n")[0], saved)
        self.assertEqual(self.cloud.feed()[0], [saved])

    def test_a_write_is_seen_by_another_connection_at_once(self):
        other = self.client()
        for number in range(50):
            tag = self.cloud.save("n", {"a": number})["recordChangeTag"]
            self.assertEqual(other.lookup("n")[0]["recordChangeTag"], tag)

    def test_200_names_are_accepted_and_201_refused(self):
        names = [f"n-{number}" for number in range(201)]
        self.assertEqual(len(self.cloud.lookup(*names[:200])), 200)
        body = {"records": [{"recordName": name} for name in names], "zoneID": {"zoneName": "Notes"}}
        self.assert_top_level_error(self.cloud.call("records/lookup", body), 400, "BAD_REQUEST")

    def test_names_are_required(self):
        self.assert_top_level_error(self.cloud.call("records/lookup", {}), 400, "BAD_REQUEST")


class Zones(ServerCase):
    """Which zone a request about records is about."""

    def test_an_unknown_zone_fails_the_whole_request(self):
        self.assert_top_level_error(self.cloud.modify(operation("create", "n"), zone="Nowhere"), 404, "ZONE_NOT_FOUND")
        body = {"records": [{"recordName": "n"}], "zoneID": {"zoneName": "Nowhere"}}
        self.assert_top_level_error(self.cloud.call("records/lookup", body), 404, "ZONE_NOT_FOUND")

    def test_without_a_zone_the_default_zone_is_meant(self):
        record = self.cloud.save("n", zone=None)
        self.assertEqual((record["zoneID"]["zoneName"], record["zoneID"]["zoneType"]), ("_defaultZone", "DEFAULT_ZONE"))
        self.assertEqual(
            self.cloud.call("records/lookup", {"records": [{"recordName": "n"}]}).json["records"][0], record
        )

    def test_the_zone_may_stand_inside_the_record(self):
        self.cloud.create_zone()
        inside = operation("create", "n", zoneID={"zoneName": "Notes"})
        record = self.cloud.modify(inside, zone=None).succeeded()["records"][0]
        self.assertEqual(record["zoneID"]["zoneName"], "Notes")
        self.assert_saved(self.cloud.lookup("n")[0])

    def test_a_zone_inside_the_record_that_differs_is_refused(self):
        self.cloud.create_zone()
        self.cloud.create_zone("Other")
        reply = self.cloud.modify(operation("create", "n", zoneID={"zoneName": "Other"}), zone="Notes")
        item = reply.json if "serverErrorCode" in reply.json else reply.json["records"][0]
        self.assertEqual(item["serverErrorCode"], "BAD_REQUEST")

    def test_every_way_to_name_oneself_as_the_owner_works(self):
        owner = self.cloud.create_zone()["zoneID"]["ownerRecordName"]
        self.assertTrue(re.fullmatch(r"_[0-9a-f]{32}", owner))
        for more in (
            {"ownerRecordName": owner},
            {"ownerName": owner},
            {"ownerRecordName": "_defaultOwner"},
            {"ownerRecordName": "__defaultOwner__"},
            {"ownerRecordName": None},
            {"zoneType": "REGULAR_CUSTOM_ZONE"},
        ):
            body = {"zoneID": {"zoneName": "Notes", **more}, "operations": [operation("forceUpdate", "n")]}
            self.assert_saved(self.cloud.call("records/modify", body).succeeded()["records"][0])

    def test_accounts_containers_and_environments_are_apart(self):
        self.cloud.create_zone()
        self.cloud.save("n")
        owner = self.cloud.zone_changes()["zoneID"]["ownerRecordName"]
        others = [
            self.client("another one"),
            self.client(container="iCloud.com.example.other"),
            self.client(environment="production"),
        ]
        for other in others:
            body = {"records": [{"recordName": "n"}], "zoneID": {"zoneName": "Notes"}}
            self.assert_top_level_error(other.call("records/lookup", body), 404, "ZONE_NOT_FOUND")
        body["zoneID"]["ownerRecordName"] = owner
        self.assert_top_level_error(others[0].call("records/lookup", body), 404, "ZONE_NOT_FOUND")


class Concurrency(ServerCase):
    def test_no_update_with_a_tag_is_lost_among_four_writers(self):
        self.cloud.create_zone()
        self.cloud.save("counter", {"n": 0})
        successes, failures = [], []

        def count_up():
            cloud = self.server.cloud(self.user)
            try:
                for _ in range(25):
                    record = cloud.lookup("counter")[0]
                    update = operation(
                        "update", "counter", {"n": record["fields"]["n"]["value"] + 1}, tag=record["recordChangeTag"]
                    )
                    item = cloud.modify(update, atomic=False).succeeded()["records"][0]
                    (failures if "serverErrorCode" in item else successes).append(item)
            finally:
                cloud.close()

        threads = [threading.Thread(target=count_up) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(successes) + len(failures), 100)
        self.assertEqual(self.cloud.lookup("counter")[0]["fields"]["n"]["value"], len(successes))
        for item in failures:
            self.assert_item_error(item, "CONFLICT")
