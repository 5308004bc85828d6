"""`serve --schema FILE.ckdb`: types, indexes and permissions of Apple's schema language."""

import json
import urllib.parse

from clients import CONTAINER, operation
from support import Case, run_zonekit

TEXT = """DEFINE SCHEMA

    RECORD TYPE Note (
        "___createTime" TIMESTAMP QUERYABLE SORTABLE,
        "___createdBy"  REFERENCE,
        "___etag"       STRING,
        "___modTime"    TIMESTAMP,
        "___modifiedBy" REFERENCE,
        "___recordID"   REFERENCE,
        at              TIMESTAMP QUERYABLE SORTABLE,
        tags            LIST<STRING>,
        title           STRING QUERYABLE SEARCHABLE SORTABLE,
        GRANT WRITE TO "_creator",
        GRANT CREATE TO "_icloud",
        GRANT READ TO "_world"
    );
"""


class SchemaFile(Case):
    def setUp(self):
        self.file = self.folder() / "schema.ckdb"
        self.file.write_text(TEXT)
        self.server = self.serve(None, "--schema", str(self.file))

    def client(self, user, scope="public"):
        return self.keep(self.server.cloud(user, scope=scope))

    def result(self, cloud, *operations):
        return cloud.modify(*operations, zone="_defaultZone", atomic=False).succeeded()["records"][0]

    def test_types_and_fields_are_those_of_the_file(self):
        cloud = self.client("mara", "private")
        saved = self.result(cloud, operation("create", "a", {"at": 5, "title": "x"}))
        self.assertEqual(saved["fields"]["at"], {"value": 5, "type": "TIMESTAMP"})
        for field, code, reason in (
            ({"title": 1}, "BAD_REQUEST", "Invalid value, expected type STRING for field title of Note, got INT64"),
            ({"text": "x"}, "BAD_REQUEST", "Field text not found in Note"),
        ):
            refused = self.result(cloud, operation("create", None, field))
            self.assert_item_error(refused, code)
            self.assertEqual(refused["reason"], reason)
        refused = self.result(cloud, operation("create", None, record_type="List"))
        self.assert_item_error(refused, "NOT_FOUND")

    def test_a_query_needs_indexes(self):
        cloud = self.client("mara", "private")
        titled = {"comparator": "EQUALS", "fieldName": "title", "fieldValue": {"value": "x"}}
        tagged = {"comparator": "LIST_CONTAINS", "fieldName": "tags", "fieldValue": {"value": "x"}}
        named = {"comparator": "EQUALS", "systemFieldName": "recordName", "fieldValue": {"value": "x"}}
        for query, reason in (
            ({"filterBy": [titled]}, None), ({"filterBy": [titled], "sortBy": [{"fieldName": "at"}]}, None),
            ({}, "Field 'recordName' is not marked queryable"),
            ({"filterBy": [named]}, "Field 'recordName' is not marked queryable"),
            ({"filterBy": [tagged]}, "Field 'tags' is not marked queryable"),
            ({"filterBy": [titled], "sortBy": [{"fieldName": "tags"}]}, "Field 'tags' is not marked sortable"),
        ):
            reply = cloud.call("records/query", {"query": {"recordType": "Note", **query}})
            if reason:
                self.assert_top_level_error(reply, 400, "BAD_REQUEST")
                self.assertEqual(reply.json["reason"], reason)
            else:
                reply.succeeded()

    def test_grants_of_the_public_database(self):
        ann, ben = self.client("ann"), self.client("ben")
        self.assert_saved(self.result(ann, operation("create", "a", {"title": "x"})))
        for changing in (operation("forceUpdate", "a", {"title": "y"}), operation("forceDelete", "a")):
            refused = self.result(ben, changing)
            self.assert_item_error(refused, "ACCESS_DENIED")
            self.assertEqual(refused["reason"], "WRITE operation not permitted")
        self.assertEqual(ben.lookup("a", zone="_defaultZone")[0]["fields"]["title"]["value"], "x")
        path = f"/database/1/{CONTAINER}/development/public/records/lookup?{urllib.parse.urlencode({'ckAPIToken': 't'})}"
        found = ann.request("POST", path, json.dumps({"records": [{"recordName": "a"}]}).encode()).succeeded()
        self.assertEqual(found["records"][0]["fields"]["title"]["value"], "x")
        self.assert_saved(self.result(ann, operation("forceUpdate", "a", {"title": "y"})))


class WrongFiles(Case):
    def test_a_wrong_file_is_refused_with_its_place(self):
        for text, message in (
            (TEXT.replace("STRING QUERYABLE SEARCHABLE", "TEXT QUERYABLE"), "line 12, column 25: a type is expected"),
            (TEXT.replace('"_icloud"', '"icloud"'), "line 14, column 25: there is no role icloud"),
            ("", "line 1, column 1: a schema begins with DEFINE SCHEMA"),
        ):
            file = self.folder() / "schema.ckdb"
            file.write_text(text)
            run = run_zonekit(
                "serve", "--http", "127.0.0.1:0", "--push", "127.0.0.1:0", "--schema", str(file),
                data=self.folder() / "data", timeout=20)
            self.assertEqual(run.returncode, 2, run)
            self.assertIn(message, run.stderr)
            self.assertIn(str(file), run.stderr)


class GrownSchema(Case):
    def test_what_grew_by_use_is_printed_and_served_again(self):
        data = self.folder() / "data"
        server = self.serve(data)
        cloud = self.keep(server.cloud("mara"))
        cloud.create_zone("Notes")
        cloud.save("a", {"title": "x", "count": 3, "tags": ["y"]})
        run = run_zonekit("schema", data=data)
        self.assertEqual(run.returncode, 0, run)
        self.assertEqual(run.stdout, f"""DEFINE SCHEMA

    RECORD TYPE Note (
        "___recordID" REFERENCE QUERYABLE,
        count         INT64 QUERYABLE SORTABLE,
        tags          LIST<STRING> QUERYABLE SEARCHABLE,
        title         STRING QUERYABLE SEARCHABLE SORTABLE,
        GRANT WRITE TO "_creator",
        GRANT CREATE TO "_icloud",
        GRANT READ TO "_world"
    );
""")
        object = json.loads(run_zonekit("schema", "--json", "--container", CONTAINER, data=data).stdout)
        self.assertEqual((object["container"], object["environment"]), (CONTAINER, "development"))
        self.assertEqual(object["text"], run.stdout)
        server.end()
        file = self.folder() / "schema.ckdb"
        file.write_text(run.stdout)
        cloud = self.keep(self.serve(data, "--schema", str(file)).cloud("mara"))
        cloud.save("b", {"title": "x", "count": 4, "tags": []})
        found = cloud.call("records/query", {"zoneID": {"zoneName": "Notes"}, "query": {"recordType": "Note"}})
        self.assertEqual({record["recordName"] for record in found.succeeded()["records"]}, {"a", "b"})

    def test_several_containers_have_to_be_told_apart(self):
        data = self.folder() / "data"
        server = self.serve(data)
        run = run_zonekit("schema", data=data)
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        for environment in ("development", "production"):
            self.keep(server.cloud("mara", environment=environment)).save("a", {"x": 1}, zone=None)
        run = run_zonekit("schema", data=data)
        self.assertEqual(run.returncode, 2)
        self.assertIn(f"{CONTAINER} development, {CONTAINER} production", run.stderr)
        self.assertIn("x             INT64", run_zonekit("schema", "--environment", "production", data=data).stdout)
