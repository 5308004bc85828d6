"""serve --tables with files of SQL: what is refused, what stays over restarts and changes of the schema."""

import subprocess
import time

from supabase_http import Auth
from support import Case, Server, zonekit

SCHEMA = """
create table notes (
  id bigint generated always as identity primary key, owner uuid default auth.uid() references auth.users,
  text text not null check (text <> ''));
alter table notes enable row level security;
create policy own on notes using (owner = auth.uid());
"""


class OwnTables(Case):
    def setUp(self):
        self.place = self.folder()
        self.file = self.place / "app.sql"
        self.file.write_text(SCHEMA)

    def start(self, *paths):
        tables = [word for path in paths or [self.file] for word in ("--tables", str(path))]
        server = Server(self.place / "data", *tables)
        self.addCleanup(server.close)
        return server

    def refusal(self, *paths):
        """What serve says that ends with a bad schema, and its exit code."""
        tables = [word for path in paths or [self.file] for word in ("--tables", str(path))]
        command = [zonekit(), "serve", "--data", str(self.place / "data"), "--http", "127.0.0.1:0", *tables]
        done = subprocess.run(
            [*command, "--push", "127.0.0.1:0"], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=30
        )
        self.assertEqual(done.stdout, "")
        return done.returncode, done.stderr

    def ask(self, server, method, path, body=None, bearer=None, **headers):
        client = Auth(server.http)
        try:
            return client.ask(method, path, body, bearer, headers, root="/rest/v1/")
        finally:
            client.close()

    def sign_up(self, server, email="mara@example.test"):
        client = Auth(server.http)
        self.addCleanup(client.close)
        return client.sign_up(email).json["access_token"]

    def run_verb(self, *words):
        """What a verb prints about the data folder."""
        command = [zonekit(), *words, "--data", str(self.place / "data")]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=30)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def test_a_reset_of_the_cloud_removes_rows_and_objects_and_keeps_accounts(self):
        self.file.write_text(
            SCHEMA + "create table kinds (id int primary key); insert into kinds values (1), (2);\n"
            "insert into storage.buckets (id, name) values ('files', 'files');\n"
            "create policy all_files on storage.objects using (true);\n"
        )
        server = self.start()
        token = self.sign_up(server)
        self.ask(server, "POST", "notes", {"text": "a"}, token)
        client = Auth(server.http)
        put = client.ask("POST", "object/files/a.txt", "hello", token, {"Content-Type": "text/plain"}, root="/storage/v1/")
        client.close()
        self.assertEqual(put.status, 200, put.body)
        bytes_of_objects = self.place / "data" / "cloud" / "com.example.tables"
        stored = lambda: [path for path in bytes_of_objects.rglob("assets/*/*") if path.is_file()]
        self.assertEqual(len(stored()), 1)
        rows = "TABLE            ROWS\nkinds            2\nnotes            1\nstorage.objects  1\n"
        self.assertEqual(self.run_verb("tables"), rows)
        server.close()
        self.assertEqual(self.run_verb("tables"), rows)
        self.assertIn("  table kinds            2 rows\n", self.run_verb("reset", "cloud", "--dry-run"))
        said = self.run_verb("reset", "cloud", "--yes")
        self.assertIn("  table notes            1 row\n", said)
        self.assertEqual(stored(), [])
        server = self.start()
        self.assertEqual(self.ask(server, "GET", "notes", bearer=token).json, [])
        self.assertEqual(self.ask(server, "GET", "kinds", bearer=token).json, [{"id": 1}, {"id": 2}])
        self.assertEqual(self.ask(server, "POST", "notes", {"text": "b"}, token).status, 201)

    def test_all_problems_of_a_schema_are_said_with_their_places(self):
        self.file.write_text("create table a (b citext);\ncreate materialized view v as select 1;\nselect now(;\n")
        code, said = self.refusal()
        self.assertEqual(code, 2)
        self.assertIn(f"{self.file}:3:12: syntax error", said)
        self.file.write_text("create table a (b citext);\ncreate materialized view v as select 1;\n")
        code, said = self.refusal()
        self.assertEqual(code, 2)
        self.assertIn(f"{self.file}:1:", said)
        self.assertIn("the type citext is not supported: use text", said)
        self.assertIn(f"{self.file}:2:", said)
        self.assertFalse((self.place / "data").exists(), "nothing is made for a schema that cannot be served")

    def test_files_that_are_missing_are_named(self):
        code, said = self.refusal(self.place / "none.sql")
        self.assertEqual(code, 2)
        self.assertIn("none.sql: there is no such file", said)
        (self.place / "empty").mkdir()
        code, said = self.refusal(self.place / "empty")
        self.assertIn("the folder has no file that ends in .sql", said)

    def test_hostile_texts_end_soon_with_an_error(self):
        texts = {
            "deep": "create table a (b int check (" + "(" * 100_000 + "1" + ")" * 100_000 + " = 1));",
            "long": "create table a (b int check (" + "1+" * 200_000 + "1 = 1));",
            "many": "".join(f"create table t{i} (a int);" for i in range(10_000)),
            "zero": "create table a (b text default 'x\0y');",
        }
        for name, text in texts.items():
            self.file.write_text(text)
            start = time.monotonic()
            code, said = self.refusal()
            with self.subTest(name):
                self.assertEqual(code, 2, said[:300])
                self.assertLess(time.monotonic() - start, 15)

    def test_rows_stay_when_the_server_is_killed(self):
        server = self.start()
        token = self.sign_up(server)
        self.assertEqual(self.ask(server, "POST", "notes", {"text": "one"}, token).status, 201)
        server.kill()
        server = self.start()
        self.assertEqual(self.ask(server, "POST", "notes", {"text": "two"}, token).status, 201)
        rows = self.ask(server, "GET", "notes?select=id,text&order=id", bearer=token).json
        self.assertEqual(rows, [{"id": 1, "text": "one"}, {"id": 2, "text": "two"}])

    def test_a_changed_schema_keeps_the_rows_or_says_what_stands_against_it(self):
        server = self.start()
        token = self.sign_up(server)
        self.ask(server, "POST", "notes", {"text": "one"}, token)
        server.end()
        migrations = self.place / "migrations"
        migrations.mkdir()
        (migrations / "1_start.sql").write_text(SCHEMA)
        (migrations / "2_more.sql").write_text(
            "alter table notes add column done boolean not null default false;\ncreate table tags (word text);"
        )
        server = self.start(migrations)
        rows = self.ask(server, "GET", "notes?select=text,done", bearer=token).json
        self.assertEqual(rows, [{"text": "one", "done": False}])
        self.assertEqual(self.ask(server, "POST", "tags", {"word": "x"}).status, 201)
        server.end()
        (migrations / "3_less.sql").write_text("alter table notes drop column text;")
        code, said = self.refusal(migrations)
        self.assertEqual(code, 3)
        self.assertIn("table notes: the column text is gone, and it has rows", said)
        (migrations / "3_less.sql").write_text("alter table notes add constraint long check (char_length(text) > 5);")
        code, said = self.refusal(migrations)
        self.assertIn('violates check constraint "long"', said)
        (migrations / "3_less.sql").unlink()
        rows = self.ask(self.start(migrations), "GET", "notes?select=text,done", bearer=token).json
        self.assertEqual(rows, [{"text": "one", "done": False}])

    def test_an_account_that_rows_refer_to_cannot_be_removed(self):
        server = self.start()
        token = self.sign_up(server)
        self.ask(server, "POST", "notes", {"text": "one"}, token)
        control = Auth(server.http, key=None)
        self.addCleanup(control.close)
        key = control.ask("GET", "keys", headers={}, root="/zonekit/").json["serviceRoleKey"]
        owner = Auth(server.http, key=key)
        self.addCleanup(owner.close)
        user = owner.ask("GET", "admin/users").json["users"][0]["id"]
        refused = owner.ask("DELETE", f"admin/users/{user}")
        self.assertEqual((refused.status, refused.json["code"]), (500, "unexpected_failure"))
        self.assertIn("Database error deleting user", refused.json["message"])
        self.ask(server, "DELETE", "notes?id=gt.0", bearer=token)
        self.assertEqual(owner.ask("DELETE", f"admin/users/{user}").status, 200)

    def test_other_parts_of_the_service_are_there(self):
        server = self.start()
        self.assertEqual(self.ask(server, "GET", "persons").json["code"], "PGRST205")
        self.assertEqual(self.ask(server, "POST", "rpc/total", {}).json["code"], "PGRST202")
        expired = self.ask(server, "GET", "notes", bearer="a.b.c")
        self.assertEqual((expired.status, expired.json["code"]), (401, "PGRST301"))

    def test_accounts_of_a_stopped_server_are_those_of_its_tables(self):
        self.start().end()
        data = ["--data", str(self.place / "data")]
        added = subprocess.run(
            [zonekit(), "account", "add", "tim@example.test", "--password", "secret1", *data], capture_output=True, text=True
        )
        self.assertEqual(added.returncode, 0, added.stderr)
        server = self.start()
        client = Auth(server.http)
        self.addCleanup(client.close)
        token = client.sign_in("tim@example.test").json["access_token"]
        self.assertEqual(self.ask(server, "POST", "notes", {"text": "mine"}, token).status, 201)

    def test_the_tables_are_described(self):
        document = self.ask(self.start(), "GET", "").json
        self.assertEqual(sorted(document["paths"]), ["/notes"])
        notes = document["definitions"]["notes"]
        self.assertEqual(notes["required"], ["id", "text"])
        self.assertEqual(notes["properties"]["owner"]["format"], "uuid")
        self.assertIn("<pk/>", notes["properties"]["id"]["description"])
        self.assertIn("<fk table='users' column='id'/>", notes["properties"]["owner"]["description"])

    def test_a_fault_hits_requests_for_own_tables(self):
        server = self.start()
        fault = {"do": "refuse", "on": ["readRows"], "table": "notes", "status": 503, "code": "53100", "times": 1}
        control = Auth(server.http, key=None)
        self.addCleanup(control.close)
        set_faults = control.ask("PUT", "faults", {"faults": [fault]}, headers={}, root="/zonekit/")
        if set_faults.status != 200:
            self.fail(set_faults.body)
        self.assertEqual(self.ask(server, "GET", "notes").status, 503)
        self.assertEqual(self.ask(server, "GET", "notes").json, [])
