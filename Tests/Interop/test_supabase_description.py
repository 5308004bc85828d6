"""The description of tables at the root of /rest/v1."""

from supabase_http import AuthCase
from test_supabase_rows import Rows


class Descriptions(AuthCase):
    def test_the_root_describes_each_table_with_its_columns_and_keys(self):
        rows = Rows(self.auth)
        for path in ("", "?apikey=" + self.keys["anonKey"]):
            reply = rows.ask("GET", path)
            self.assertEqual(reply.status, 200, reply.body)
            self.assertTrue(reply.headers["content-type"].startswith("application/openapi+json"))
            self.assertEqual(reply.json["swagger"], "2.0")
        tables = reply.json["definitions"]
        self.assertEqual({f"/{name}" for name in tables}, set(reply.json["paths"]))
        persons = tables["persons"]
        self.assertEqual(
            persons["properties"]["id"],
            {"type": "string", "format": "uuid", "description": "Note:\nThis is a Primary Key.<pk/>"})
        self.assertEqual(persons["properties"]["is_archived"]["type"], "boolean")
        self.assertIn("owner_id", persons["required"])
        split = tables["transaction_splits"]["properties"]
        self.assertTrue(any("<fk table='financial_transactions'" in column.get("description", "") for column in split.values()))

    def test_a_described_column_is_one_that_a_select_takes(self):
        session = self.auth.sign_up(self.email).json
        rows = Rows(self.auth, session["access_token"])
        for name, table in rows.ask("GET", "").json["definitions"].items():
            with self.subTest(table=name):
                columns = ",".join(table["properties"])
                self.assertEqual(rows.select(name, f"select={columns}").status, 200)
