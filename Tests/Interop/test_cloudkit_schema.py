"""The schema of a container: one type for each field in all zones, databases and users of an environment."""

import json
import shutil

from clients import operation
from support import Case, ServerCase, check_sqlite_files

WRONG = "Invalid value, expected type STRING for field text of Note, got INT64"


class Schema(ServerCase):
    def setUp(self):
        super().setUp()
        # A container of its own, because tests of a class share a server.
        self.place = {"container": f"iCloud.com.example.{self.user}"}
        self.mara = self.client("mara", **self.place)
        for zone in ("Notes", "Lists"):
            self.mara.create_zone(zone)

    def save(self, cloud, value, zone="Notes", kind="INT64"):
        saving = operation("create", None, raw={"text": {"value": value, "type": kind}})
        return cloud.modify(saving, zone=zone, atomic=False).succeeded()["records"][0]

    def test_a_field_has_one_type_in_all_zones_databases_and_accounts(self):
        self.assert_saved(self.save(self.mara, "a", kind="STRING"))
        ben = self.client("ben", **self.place)
        public = self.client("ben", scope="public", **self.place)
        for cloud, zone in ((self.mara, "Lists"), (ben, "_defaultZone"), (public, "_defaultZone")):
            refused = self.save(cloud, 1, zone)
            self.assert_item_error(refused, "BAD_REQUEST")
            self.assertEqual(refused["reason"], WRONG)
            self.assert_saved(self.save(cloud, "b", zone, "STRING"))
        self.assert_saved(self.save(self.client("ben", environment="production", **self.place), 1, "_defaultZone"))

    def test_a_value_without_a_type_gets_that_of_the_container(self):
        self.mara.save("a", raw={"size": {"value": 1.5, "type": "DOUBLE"}})
        saved = self.mara.save("b", {"size": 2}, zone="Lists")
        self.assertEqual(saved["fields"]["size"], {"value": 2, "type": "DOUBLE"})

    def test_a_type_of_one_zone_is_known_in_the_others(self):
        query = {"zoneID": {"zoneName": "Lists"}, "query": {"recordType": "Note"}}
        self.assert_top_level_error(self.mara.call("records/query", query), 404, "NOT_FOUND")
        self.mara.save("a", zone="Notes")
        self.assertEqual(self.mara.call("records/query", query).succeeded()["records"], [])

    def test_the_schema_is_no_zone_for_clients(self):
        self.mara.save("a", {"text": "x"})
        public = self.client("mara", scope="public", **self.place)
        zones = public.call("zones/list", {}).succeeded()["zones"]
        self.assertEqual([zone["zoneID"]["zoneName"] for zone in zones], ["_defaultZone"])
        look = {"records": [{"recordName": "Note"}], "zoneID": {"zoneName": "_schema"}}
        self.assert_top_level_error(public.call("records/lookup", look), 404, "ZONE_NOT_FOUND")
        status = json.loads(public.request("GET", "/zonekit/status").body)
        self.assertNotIn("_schema", {zone["name"] for zone in status["cloud"]["zones"]})


class SchemaFiles(Case):
    def test_the_schema_survives_a_kill(self):
        data = self.folder() / "data"
        server = self.serve(data)
        cloud = self.keep(server.cloud("mara"))
        cloud.create_zone("Notes")
        cloud.save("a", raw={"text": {"value": "x", "type": "STRING"}})
        server.kill()
        check_sqlite_files(data)
        cloud = self.keep(self.serve(data).cloud("ben"))
        refused = cloud.modify(
            operation("create", "b", raw={"text": {"value": 1, "type": "INT64"}}), zone=None).succeeded()["records"][0]
        self.assertEqual(refused["reason"], WRONG)

    def test_a_folder_without_a_schema_gets_that_of_its_zones(self):
        data = self.folder() / "data"
        server = self.serve(data)
        cloud = self.keep(server.cloud("mara"))
        cloud.create_zone("Notes")
        cloud.save("a", raw={"text": {"value": "x", "type": "STRING"}})
        server.end()
        # An older folder had no public database before somebody used it.
        public = [path for path in data.rglob("_public") if list(path.rglob("_schema.zone"))]
        self.assertEqual(len(public), 1)
        shutil.rmtree(public[0])
        cloud = self.keep(self.serve(data).cloud("ben"))
        refused = cloud.modify(
            operation("create", "b", raw={"text": {"value": 1, "type": "INT64"}}), zone=None).succeeded()["records"][0]
        self.assertEqual(refused["reason"], WRONG)
