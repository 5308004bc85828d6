"""Devices of a user's own data: records of any type, the documents of a file, and the rows of a schema."""

import json

from devices import World
from support import ROOT, Server, eventually, run_zonekit

DIAGNOSTICS = ROOT / "Diagnostics"
READING_LIST = DIAGNOSTICS / "Documents" / "reading-list.json"
FOOD_DIARY = DIAGNOSTICS / "Documents" / "food-diary.json"
IMPORTS = DIAGNOSTICS / "Imports"
LISTS = DIAGNOSTICS / "Schemas" / "lists.sql"


class DevicesOfRecords(World):
    def start(self, name, *arguments, **more):
        return super().start(name, "--app", "records", "--eager", *arguments, **more)

    def tasks(self, name):
        return {task["recordName"]: task["fields"] for task in self.does(name, "list Task").get("Task", [])}

    def test_a_record_reaches_the_other_device_and_nothing_differs(self):
        self.start("A")
        self.start("B")
        self.does("A", 'new Task as milk title="Oat milk" count=2 due=2026-11-21T18:00:00Z tags=[home,"this week"]')
        # A type of which there is no record is refused.
        eventually(lambda: "Task" in self.does("B", "list")["types"], "B knows the type")
        eventually(lambda: "milk" in self.tasks("B"), "B shows the record")
        self.does("B", "set milk count=3")
        eventually(lambda: self.tasks("A")["milk"]["count"] == {"type": "INT64", "value": 3}, "A shows the edit")
        eventually(lambda: run_zonekit("diff", "A", "B", data=self.data).returncode == 0, "nothing differs")
        self.assertEqual(
            self.refuses("A", "set milk title=12"), 'title of Task is STRING, and 12 is INT64; expected title="12"')

    def test_a_container_of_ones_own_stays_with_the_device(self):
        self.start("A", "--container", "iCloud.com.example.mine")
        self.does("A", "new Task as milk in Lists title=Milk")
        self.stop()
        again = run_zonekit("device", "A", "--container", "iCloud.other", "-c", "list", data=self.data)
        self.assertEqual(again.returncode, 2)
        self.assertIn("device A has the container iCloud.com.example.mine, not iCloud.other", again.stderr)
        dump = json.loads(run_zonekit("diagnostics", "--json", data=self.data).stdout)
        self.assertEqual([zone["name"] for zone in dump["cloud"]["zones"]], ["Lists"])


class DevicesOfDocuments(World):
    def start_server(self):
        self.server = Server(
            self.data, "--documents", READING_LIST, http=self._same("http"), push=self._same("push"))
        self.addCleanup(self.server.close)
        return self.server

    def start(self, name, *arguments, **more):
        return super().start(name, "--eager", *arguments, **more)

    def books(self, name):
        return {book["_id"]: book for book in self.does(name, "list books")["books"]}

    def test_documents_and_items_reach_the_other_device_which_keeps_the_file(self):
        self.start("A", "--documents", READING_LIST)
        self.start("B", "--app", "documents", "--documents", READING_LIST)
        self.does("A", "new books as dune name=Dune addedAt=now")
        self.does("A", 'add dune as n1 text="the spice" page=3')
        eventually(lambda: len(self.books("B").get("dune", {}).get("notes", [])) == 1, "B shows the note")
        self.stop_devices()
        # Neither the option nor the app is needed again.
        self.start("B")
        self.does("B", "set dune state=read")
        self.start("A", "--app", "documents")
        eventually(lambda: self.books("A")["dune"]["state"] == "read", "A shows the edit")
        self.stop_devices()
        self.assertEqual(run_zonekit("diff", "A", "B", data=self.data).returncode, 0)
        self.assertIn("documents     1", run_zonekit("diagnostics", data=self.data).stdout)

    def test_a_reset_and_a_snapshot_keep_the_file_of_the_device(self):
        self.start("A", "--documents", READING_LIST)
        self.does("A", "new books as dune name=Dune addedAt=now")
        eventually(lambda: self.does("A", "status")["status"]["send"]["pending"] == 0, "the book is sent")
        self.stop()
        for command in (("snapshot", "save", "s"), ("reset", "local", "A", "--yes"), ("snapshot", "restore", "s")):
            run = run_zonekit(*command, data=self.data)
            self.assertEqual(run.returncode, 0, run.stderr)
        self.start("A")
        self.assertEqual(list(self.books("A")), ["dune"])

    def test_another_file_is_refused_and_a_newer_one_of_the_same_title_is_taken(self):
        self.start("A", "--documents", READING_LIST)
        self.does("A", "new books as dune name=Dune addedAt=now")
        self.stop()
        other = run_zonekit("device", "A", "--documents", FOOD_DIARY, "-c", "list", data=self.data)
        self.assertEqual(other.returncode, 2)
        self.assertIn("was made by the app documents of reading-list, not by documents of food-diary", other.stderr)
        newer = json.loads(READING_LIST.read_text())
        newer["$defs"]["Book"]["properties"]["shelf"] = {"type": "string"}
        file = self.folder() / "newer.json"
        file.write_text(json.dumps(newer))
        run = run_zonekit(
            "device", "A", "--documents", file, "--offline", "--linger", "0", "-c", "set dune shelf=top", "-c", "show dune",
            data=self.data)
        self.assertIn("shelf", run.stdout)
        newest = run_zonekit("device", "A", "--offline", "--linger", "0", "-c", "show dune", data=self.data)
        self.assertIn("top", newest.stdout, "the device keeps the newer file")

    def test_a_device_needs_a_file_that_is_right(self):
        run = run_zonekit("device", "A", "--app", "documents", "-c", "list", data=self.data)
        self.assertEqual((run.returncode, self.data.exists()), (2, False))
        self.assertIn("--app documents needs the file that describes its data: --documents FILE.json", run.stderr)
        file = self.folder() / "bad.json"
        file.write_text('{"title": "bad", "type": "object", "properties": {"a": {"type": "strng"}}}')
        run = run_zonekit("device", "A", "--documents", file, "-c", "list", data=self.data)
        self.assertEqual((run.returncode, self.data.exists()), (2, False))
        self.assertIn("bad.json:1:", run.stderr)


class RowWorld(World):
    schema = LISTS

    def start_server(self):
        self.server = Server(self.data, "--tables", self.schema, http=self._same("http"), push=self._same("push"))
        self.addCleanup(self.server.close)
        return self.server

    def start(self, name, *arguments, **more):
        return super().start(name, "--eager", *arguments, user=None, **more)

    def items(self, name):
        return {item["id"]: item for item in self.does(name, "list items")["items"]}

    def sign(self, name, how, email="anna@example.com"):
        self.devices[name].say(f"{how} {email} geheim123")
        eventually(lambda: self.does(name, "status")["status"]["realtime"]["state"] == "live", f"{name} hears changes")

    def pair(self):
        for name, how in (("A", "signup"), ("B", "signin")):
            self.start(name, "--tables", self.schema)
            self.sign(name, how)


class DevicesOfRows(RowWorld):
    def test_rows_reach_the_other_device_and_columns_that_were_written_apart_are_both_kept(self):
        self.pair()
        self.does("A", "new lists as 11111111-1111-4111-8111-111111111111 name=Food")
        self.does("A", 'new items as 7 list_id=11111111-1111-4111-8111-111111111111 title=Milk amount=1.5 labels=[a,"b c"]')
        eventually(lambda: 7 in self.items("B"), "B shows the item")
        self.assertEqual(self.items("B")[7]["labels"], ["a", "b c"])
        self.does("B", "offline")
        self.does("B", "set items.7 state=bought")
        self.does("A", "set items.7 amount=3")
        eventually(lambda: self.does("A", "status")["status"]["send"]["pending"] == 0, "A has sent its edit")
        self.does("B", "online")
        for name in ("A", "B"):
            eventually(
                lambda: (self.items(name)[7]["state"], float(self.items(name)[7]["amount"])) == ("bought", 3),
                f"{name} has both columns")
        eventually(lambda: run_zonekit("diff", "A", "B", data=self.data).returncode == 0, "nothing differs")
        self.does("A", "delete lists.1111")
        eventually(lambda: self.items("B") == {}, "the items of the list are gone on B")
        self.stop_devices()
        # Neither the option nor the app is needed again.
        self.start("B")
        self.assertEqual(self.does("B", "list")["types"]["items"], 0)
        self.assertIn("items            0", run_zonekit("diagnostics", data=self.data).stdout)

    def test_what_the_database_refuses_stays_with_its_message_until_it_is_changed(self):
        self.pair()
        self.does("A", "new prices shop=Coop title=Milk price=-1")
        send = lambda: self.does("A", "status")["status"]["send"]
        eventually(lambda: "prices_price_check" in json.dumps(send()), "A knows why")
        self.does("A", "set Coop price=2")
        eventually(lambda: send()["pending"] == 0, "the new value is sent")
        self.start("C", "--tables", LISTS)
        self.sign("C", "signup", "ben@example.com")
        self.does("A", "new lists as 22222222-2222-4222-8222-222222222222 name=Mine")
        eventually(lambda: self.does("C", "list lists")["lists"], "C sees the shared list")
        self.does("C", "set lists.2222 name=Ours")
        refused = lambda: json.dumps(self.does("C", "status")["status"]["send"])
        eventually(lambda: "no policy lets this account update the row" in refused(), "C may not change it")

    def test_a_device_needs_a_schema_that_is_right(self):
        run = run_zonekit("device", "A", "--app", "rows", "-c", "list", data=self.data)
        self.assertEqual((run.returncode, self.data.exists()), (2, False))
        self.assertIn("--app rows needs the file that describes its data: --tables FILE.sql", run.stderr)
        file = self.folder() / "bad.sql"
        file.write_text("create table t (\n  id serial primary key,\n  n nummeric);")
        run = run_zonekit("device", "A", "--tables", file, "-c", "list", data=self.data)
        self.assertEqual((run.returncode, self.data.exists()), (2, False))
        self.assertIn("bad.sql:3:", run.stderr)
        both = run_zonekit("device", "A", "--tables", LISTS, "--documents", READING_LIST, "-c", "list", data=self.data)
        self.assertIn("--documents and --tables describe two apps; name one", both.stderr)


class DevicesOfRowsOfAnAddress(RowWorld):
    def setUp(self):
        self.schema = self.folder() / "mail.sql"
        self.schema.write_text(
            "create table mails (id uuid primary key, owner text not null default auth.jwt() ->> 'email');"
            "alter table mails enable row level security;"
            "create policy own on mails using (auth.jwt() ->> 'email' = owner);"
            "alter publication supabase_realtime add table mails;")
        super().setUp()

    def test_a_comparison_reads_rows_with_the_claims_of_the_account(self):
        self.pair()
        self.does("A", "new mails as 11111111-1111-4111-8111-111111111111")
        eventually(lambda: self.does("B", "list mails")["mails"], "B shows the row")
        run = run_zonekit("diff", "A", "B", data=self.data)
        self.assertEqual(
            (run.returncode, run.stdout),
            (0, "A and B hold the same 1 record\nA, B and the cloud are equal: 1 record\n"))


class Imports(World):
    def test_files_of_other_programs_become_records_and_documents_once(self):
        for name, counts in (("splitwise", 4), ("household-comma", 3), ("huckleberry", 3)):
            arguments = (
                "import", IMPORTS / f"{name}.csv", "--device", "R", "--app", "records", "--map", IMPORTS / f"{name}.map.json")
            first, second = (run_zonekit(*arguments, data=self.data) for _ in range(2))
            self.assertEqual(first.stdout, f"{counts} added, 0 updated, 0 unchanged\n", first.stderr)
            self.assertEqual(second.stdout, f"0 added, 0 updated, {counts} unchanged\n", second.stderr)
        # Both diaries have the same meals, by the same key.
        for name, counts in (("myfitnesspal", "3 added, 0"), ("cronometer", "0 added, 2")):
            run = run_zonekit(
                "import", IMPORTS / f"{name}.csv", "--device", "F", "--documents", FOOD_DIARY, "--timezone", "Europe/Zurich",
                "--map", IMPORTS / f"{name}.map.json", data=self.data)
            self.assertEqual(run.stdout, f"{counts} updated, 0 unchanged\n", run.stderr)
        table = run_zonekit("export", "--device", "R", "--type", "Expense", data=self.data).stdout.splitlines()
        self.assertEqual(len(table), 8)
        self.assertTrue(table[0].startswith("id,benCents,category,cents,"))
        whole = run_zonekit("export", "--device", "R", data=self.data).stdout
        file = self.folder() / "all.json"
        file.write_text(whole)
        copy = run_zonekit("import", file, "--device", "S", "--app", "records", data=self.data)
        self.assertEqual(copy.stdout, "10 added, 0 updated, 0 unchanged\n", copy.stderr)

    def test_a_file_with_a_wrong_row_makes_no_device_and_names_all_places(self):
        file = self.folder() / "bad.csv"
        file.write_text((IMPORTS / "household-comma.csv").read_text().replace("97,35", "97.35").replace("15.11", "31.11"))
        run = run_zonekit(
            "import", IMPORTS / "household-comma.csv", file, "--device", "R", "--app", "records", "--map",
            IMPORTS / "household-comma.map.json", data=self.data)
        self.assertEqual((run.returncode, self.data.exists()), (2, False))
        self.assertEqual(
            run.stderr.replace(f"{file}", "F"),
            'zonekit: F:3:32: cents is "97.35"; expected a number such as 1\'234,50\n'
            'F:4:6: paidOn is "31.11.2026"; expected dd.MM.yyyy, such as 21.11.2026\n')
