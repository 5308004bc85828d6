"""CloudKit Web Services: zones/list, zones/lookup and zones/modify (a.1 rows 7 to 9; b.1 and b.2)."""

import urllib.parse

from clients import CONTAINER, operation
from support import ServerCase, check_sqlite_files, database

ODD_NAMES = [
    "a/b",
    "..",
    ".",
    "%2F",
    "ü 👶",
    "a b",
    "CON",
    "x" * 255,
    "\u202etxt",
    "e\u0301",
    "é",
    "A",
    "a",
    "semi;colon",
    "new\nline",
    "ß" * 200,
]


class Listing(ServerCase):
    def test_the_default_zone_is_always_there(self):
        zones = self.cloud.call("zones/list").succeeded()["zones"]
        self.assertEqual(len(zones), 1)
        zone = zones[0]
        self.assertEqual(
            (zone["zoneID"]["zoneName"], zone["zoneID"]["zoneType"], zone["atomic"]),
            ("_defaultZone", "DEFAULT_ZONE", False),
        )
        self.assertNotIn("syncToken", zone)
        self.assertTrue(zone["zoneID"]["ownerRecordName"])

    def test_get_post_and_a_post_without_a_body_give_the_same(self):
        self.cloud.create_zone()
        lists = [
            self.cloud.call("zones/list", method="GET"),
            self.cloud.call("zones/list", {}),
            self.cloud.call("zones/list", b""),
        ]
        for reply in lists:
            self.assertEqual(reply.succeeded(), lists[0].json)
        self.assertEqual([zone["zoneID"]["zoneName"] for zone in lists[0].json["zones"]], ["_defaultZone", "Notes"])

    def test_a_custom_zone_has_a_token_and_is_atomic(self):
        created = self.cloud.create_zone()
        self.assertEqual(created["zoneID"]["zoneName"], "Notes")
        self.assertEqual(created["zoneID"]["zoneType"], "REGULAR_CUSTOM_ZONE")
        self.assertTrue(created["zoneID"]["ownerRecordName"])
        self.assertIs(created["atomic"], True)
        self.assert_base64(created["syncToken"])
        self.assertEqual(self.cloud.call("zones/list").json["zones"][1], created)
        self.assertEqual(self.cloud.zone_changes()["syncToken"], created["syncToken"])

    def test_the_public_database_has_only_the_default_zone(self):
        public = self.client(scope="public")
        self.assertEqual(
            [zone["zoneID"]["zoneName"] for zone in public.call("zones/list").succeeded()["zones"]], ["_defaultZone"]
        )
        zones = public.call("zones/lookup", {"zones": [{"zoneName": "_defaultZone"}]}).succeeded()["zones"]
        self.assertEqual(zones[0]["zoneID"]["zoneName"], "_defaultZone")
        operations = [{"operationType": "create", "zone": {"zoneID": {"zoneName": "Notes"}}}]
        reply = public.call("zones/modify", {"operations": operations})
        self.assertIn("serverErrorCode", reply.json if reply.status != 200 else reply.json["zones"][0])

    def test_the_public_database_is_one_for_all_users(self):
        self.client(scope="public").save("shared by all", {"a": 1}, zone=None)
        other = self.client("somebody else", scope="public")
        self.assertEqual(other.lookup("shared by all", zone="_defaultZone")[0]["fields"]["a"]["value"], 1)


class LookingUp(ServerCase):
    def look_up(self, *zones):
        return self.cloud.call("zones/lookup", {"zones": list(zones)}).succeeded()["zones"]

    def test_flat_and_nested_zone_ids_are_understood(self):
        zone = self.cloud.create_zone()
        self.assertEqual(self.look_up({"zoneName": "Notes"}, {"zoneID": {"zoneName": "Notes"}}), [zone, zone])

    def test_an_unknown_zone_is_an_item_error(self):
        self.cloud.create_zone()
        zones = self.look_up({"zoneName": "Nowhere"}, {"zoneName": "Notes"})
        self.assert_item_error(zones[0], "ZONE_NOT_FOUND", key="zoneID")
        self.assertEqual(zones[0]["zoneID"]["zoneName"], "Nowhere")
        self.assertEqual(zones[1]["zoneID"]["zoneName"], "Notes")

    def test_another_owners_zone_is_not_found(self):
        self.cloud.create_zone()
        zones = self.look_up({"zoneName": "Notes", "ownerRecordName": "_" + "0" * 32})
        self.assert_item_error(zones[0], "ZONE_NOT_FOUND", key="zoneID")

    def test_zones_are_required(self):
        self.assert_top_level_error(self.cloud.call("zones/lookup", {}), 400, "BAD_REQUEST")


class Modifying(ServerCase):
    def zone_names(self):
        return [zone["zoneID"]["zoneName"] for zone in self.cloud.call("zones/list").json["zones"]][1:]

    def test_creating_a_zone_that_is_there_returns_it(self):
        first = self.cloud.create_zone()
        self.cloud.save("n")
        again = self.cloud.create_zone()
        self.assertEqual(again["zoneID"], first["zoneID"])
        self.assertEqual(len(self.cloud.feed()[0]), 1, "the records stay")
        self.assertEqual([record["recordName"] for record in self.cloud.feed(token=first["syncToken"])[0]], ["n"])

    def test_a_deleted_zone_is_gone_with_its_records(self):
        self.cloud.create_zone()
        self.cloud.save("n")
        deleted = self.cloud.delete_zone()
        self.assertEqual((deleted["zoneID"]["zoneName"], deleted["deleted"]), ("Notes", True))
        self.assertEqual(self.zone_names(), [])
        self.assert_top_level_error(self.cloud.modify(operation("create", "n")), 404, "ZONE_NOT_FOUND")
        self.cloud.create_zone()
        self.assertEqual(self.cloud.feed()[0], [])
        self.assert_item_error(self.cloud.lookup("n")[0], "NOT_FOUND")

    def test_change_tags_of_a_deleted_zone_do_not_come_again(self):
        self.cloud.create_zone()
        tags = [self.cloud.save("n", {"a": number})["recordChangeTag"] for number in range(5)]
        self.cloud.delete_zone()
        self.cloud.create_zone()
        self.cloud.save("n")
        for tag in tags:
            reply = self.cloud.modify(operation("update", "n", tag=tag), atomic=False)
            self.assert_item_error(reply.json["records"][0], "CONFLICT")

    def test_deleting_an_unknown_zone_is_an_item_error(self):
        self.assert_item_error(self.cloud.delete_zone("Nowhere"), "ZONE_NOT_FOUND", key="zoneID")

    def test_the_default_zone_can_be_neither_created_nor_deleted(self):
        for kind in ("create", "delete"):
            item = self.cloud.modify_zones((kind, "_defaultZone"))[0]
            self.assert_item_error(item, "BAD_REQUEST", key="zoneID")

    def test_every_operation_is_tried_on_its_own_in_order(self):
        items = self.cloud.modify_zones(
            ("create", "A"), ("delete", "Nowhere"), ("create", "_defaultZone"), ("create", "B")
        )
        self.assertEqual([item["zoneID"]["zoneName"] for item in items], ["A", "Nowhere", "_defaultZone", "B"])
        self.assertEqual(["serverErrorCode" in item for item in items], [False, True, True, False])
        self.assertCountEqual(self.zone_names(), ["A", "B"])

    def test_a_zone_comes_once_in_a_request(self):
        body = {
            "operations": [
                {"operationType": kind, "zone": {"zoneID": {"zoneName": "A"}}} for kind in ("create", "delete")
            ]
        }
        reply = self.cloud.call("zones/modify", body)
        item = reply.json if reply.status == 400 else reply.json["zones"][-1]
        self.assertEqual(item["serverErrorCode"], "BAD_REQUEST", reply.json)

    def test_201_operations_are_refused(self):
        body = {
            "operations": [
                {"operationType": "create", "zone": {"zoneID": {"zoneName": f"Z{number}"}}} for number in range(201)
            ]
        }
        self.assert_top_level_error(self.cloud.call("zones/modify", body), 400, "BAD_REQUEST")
        self.assertEqual(self.zone_names(), [])

    def test_malformed_operations_are_refused(self):
        good = {"operationType": "create", "zone": {"zoneID": {"zoneName": "A"}}}
        for operations in (
            None,
            {},
            [7],
            [{**good, "operationType": "rename"}],
            [{"operationType": "create"}],
            [{**good, "zone": {"zoneID": {"zoneName": 7}}}],
            [{**good, "zone": {"zoneID": "A"}}],
        ):
            with self.subTest(operations=operations):
                self.assert_top_level_error(
                    self.cloud.call("zones/modify", {"operations": operations}), 400, "BAD_REQUEST"
                )
        self.assertEqual(self.zone_names(), [])

    def test_a_zone_name_has_1_to_255_characters(self):
        for name in ("", "x" * 256):
            reply = self.cloud.call(
                "zones/modify", {"operations": [{"operationType": "create", "zone": {"zoneID": {"zoneName": name}}}]}
            )
            item = reply.json if reply.status == 400 else reply.json["zones"][0]
            self.assertEqual(item.get("serverErrorCode"), "BAD_REQUEST", reply.json)

    def test_any_text_can_be_a_zone_name(self):
        for name in ODD_NAMES:
            with self.subTest(name=name[:20]):
                self.assertEqual(self.cloud.create_zone(name)["zoneID"]["zoneName"], name)
                self.cloud.save("n", {"zone": name}, zone=name)
        for name in ODD_NAMES:
            with self.subTest(name=name[:20], step="read"):
                self.assertEqual(self.cloud.lookup("n", zone=name)[0]["fields"]["zone"]["value"], name)
        self.assertCountEqual(self.zone_names(), ODD_NAMES)


class Files(ServerCase):
    """DIR/cloud/<container>/<environment>/<user>/<scope>/…, plain SQLite databases that anybody can open."""

    def setUp(self):
        self.user = "somebody's/.. name"
        self.cloud = self.client()

    def test_each_zone_is_a_sqlite_file_of_its_own_inside_the_data_folder(self):
        names = ["Notes", "a/../b", "..", "ü"]
        for name in names:
            self.cloud.create_zone(name)
            self.cloud.save("n", {"title": "Milk"}, zone=name)
        files = check_sqlite_files(self.server.data / "cloud")
        place = self.server.data / "cloud" / CONTAINER / "development"
        # The directories of users and of record types are the cloud's own.
        own = ("_users.zone", "_schema.zone")
        zones = [path for path in files if path.suffix == ".zone" and path.name not in own]
        self.assertEqual(len(zones), len(names), zones)
        for path in zones:
            self.assertEqual(path.parents[3], place, "names are percent-encoded, so no name leaves its folder")
            self.assertEqual((path.parents[1].name, path.parents[0].name), ("private", "zones"))
            self.assertEqual(urllib.parse.unquote(path.parents[2].name), self.user)
        self.assertEqual({urllib.parse.unquote(path.stem) for path in zones}, set(names))
        self.assertIn(zones[0].parents[1] / "database.sqlite", files)

    def test_what_was_answered_can_be_read_by_the_sqlite_shell_at_once(self):
        self.cloud.create_zone("Milk")
        self.cloud.save("the-one-record", {"title": "Milk"}, zone="Milk")
        path = next(self.server.data.glob("cloud/**/Milk.zone"))
        with database(path) as file:
            tables = [row[0] for row in file.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
            found = [row for table in tables for row in file.execute(f'SELECT * FROM "{table}"')]
        self.assertIn("the-one-record", str(found))
