"""Documents of one's own: a server of the documents that a file describes."""

import json

from document_http import Documents, change, content, stamp
from support import ROOT, Case, Folder, Server, run_zonekit

READING_LIST = ROOT / "Diagnostics" / "Documents" / "reading-list.json"
DIET_LOG = ROOT / "Sources" / "ZoneKitDietLog" / "Schema" / "DietLog+File.swift"


def book(**more):
    return {"name": "Dune", "addedAt": stamp(0), "notes": [], **more}


def session(name, pages, at=0, **more):
    return {"_id": name, "pages": pages, "createdAt": stamp(0), "updatedAt": stamp(at), **more}


def reading(*sessions, day="2026-01-02"):
    return {"bookId": "dune", "day": day, "sessions": list(sessions)}


class AReadingList(Case):
    @classmethod
    def setUpClass(cls):
        folder = Folder()
        cls.addClassCleanup(folder.close)
        cls.server = Server(folder.path / "data", "--documents", READING_LIST)
        cls.addClassCleanup(cls.server.close)

    def client(self, device):
        return self.keep(Documents(self.server.http, self.id().rpartition(".")[2], device))

    def applied(self, reply):
        answer = reply.json
        self.assertEqual((answer["conflicts"], answer["errors"], answer["success"]), ([], [], True))
        return answer["results"]

    def test_is_edited_on_two_devices_and_merged_session_by_session(self):
        one, two = self.client("A"), self.client("B")
        made = self.applied(one.push(change("create", "readings", "r", reading(session("a", 10)))))[0]
        base = {"version": made["version"], "tag": made["tag"]}
        self.applied(one.push(change("update", "readings", "r", reading(session("a", 10), session("b", 20, at=5)), at=5, **base)))
        mine = reading(session("a", 15, at=9), session("c", 300, at=9))
        answer = two.push(change("update", "readings", "r", mine, at=9, **base)).json
        conflict = answer["conflicts"][0]
        self.assertEqual(conflict["resolution"], "merge")
        stored = conflict["serverData"]
        items = {entry["_id"]: entry for entry in stored["sessions"]}
        for entry in mine["sessions"]:
            if entry["_id"] not in items or items[entry["_id"]]["updatedAt"] < entry["updatedAt"]:
                items[entry["_id"]] = entry
        merged = {**content(stored), "sessions": list(items.values())}
        self.applied(two.push(change("update", "readings", "r", merged, at=9, tag=stored["tag"])))
        for client in (one, two):
            document = client.document("readings", "r")
            self.assertEqual([(entry["_id"], entry["pages"]) for entry in document["sessions"]], [("a", 15), ("b", 20), ("c", 300)])
            self.assertEqual(document["totals"], {"pages": 335, "minutes": 0})
            day = client.document("days", "2026-01-02")
            self.assertEqual((day["totals"], day["readings"], day["sessions"]), ({"pages": 335, "minutes": 0}, 1, 3))

    def test_has_the_forms_of_its_file(self):
        client = self.client("A")
        self.applied(client.push(
            change("create", "books", "dune", book(rating=4.5, isOwned=True, author="", mood="good")),
            change("create", "settings", "settings", {"pagesPerDay": 30}),
        ))
        stored = client.document("books", "dune")
        self.assertEqual(
            (stored["rating"], stored["isOwned"], stored["author"], stored["state"], stored["mood"], stored["notes"]),
            (4.5, True, "", "wanted", "good", []))
        answer = client.push(
            change("create", "books", "b1", book(rating=5.5)), change("create", "books", "b2", book(isOwned="yes")),
            change("create", "settings", "other", {}), change("create", "days", "2026-01-02", {}),
            change("create", "foodLogs", "l", {}), change("create", "readings", "r", reading({"_id": "x", "pages": -1})),
        ).json
        self.assertEqual(
            [(error["index"], error["code"], error.get("path")) for error in answer["errors"]],
            [
                (0, "bad_document", "changes[0].data.rating"), (1, "bad_document", "changes[1].data.isOwned"),
                (2, "bad_document", "changes[2].documentId"), (3, "read_only_collection", "changes[3].collection"),
                (4, "unknown_collection", "changes[4].collection"), (5, "bad_document", "changes[5].data.sessions[0].pages"),
            ])
        changes, _ = client.feed()
        self.assertEqual(sorted(entry["collection"] for entry in changes), ["books", "settings"])

    def test_is_described_by_the_server(self):
        description = self.client("A").ask("GET", "openapi.json").json["components"]["schemas"]
        self.assertEqual(description["Collections"]["items"]["enum"], ["books", "readings", "settings", "days"])
        self.assertEqual(description["Books"]["properties"]["isOwned"], {"type": "boolean"})
        self.assertIn("pages", description["ReadingsItem"]["properties"])


class AFile(Case):
    def refused(self, text, *words):
        """A file is refused with exit code 2 and those words, and nothing is started."""
        folder = self.folder()
        file = folder / "own.json"
        file.write_text(text)
        run = run_zonekit("serve", "--documents", file, data=folder / "data")
        self.assertEqual((run.returncode, run.stdout), (2, ""), run.stderr)
        for word in words:
            self.assertIn(f"{file}:{word}", run.stderr)
        self.assertFalse((folder / "data").exists())

    def test_with_problems_is_refused_with_the_place_of_each(self):
        text = READING_LIST.read_text().replace('"type": "boolean", "default"', '"type": "bool", "default"', 1)
        line = 1 + text[:text.index('"bool"')].count("\n")
        self.refused(text.replace('"required": ["text"]', '"required": ["txt"]'),
                     f'{line}:29: unknown type "bool"; there are string, integer, number, boolean, array',
                     '38:20: there is no member "txt"; did you mean "text"?')
        self.refused("{", "1:2: this is no JSON")
        self.refused('{"properties":' * 10_000, "1:897: this is no JSON: expected at most 64 nested arrays and objects")
        self.refused("[" + "1," * 200_000 + "1]", " the file has 400003 bytes, at most 262144 are allowed")

    def test_that_is_missing_is_an_error(self):
        folder = self.folder()
        run = run_zonekit("serve", "--documents", folder / "none.json", data=folder / "data")
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertIn("there is no such file", run.stderr)

    def test_of_the_diet_log_is_that_of_the_program(self):
        file = self.folder() / "diet-log.json"
        file.write_text(DIET_LOG.read_text().split('"""')[1])
        described = [run_zonekit("serve", "--openapi", *more).stdout for more in ((), ("--documents", file))]
        self.assertEqual(described[0], described[1])
        self.assertIn("foodLogs", described[0])

    def test_of_another_app_in_the_same_place_is_refused(self):
        data, folder = self.folder() / "data", self.folder()
        self.serve(data, "--documents", READING_LIST).close()
        self.serve(data).close()
        other = json.loads(READING_LIST.read_text())
        other["title"] = "other-list"
        (folder / "apart.json").write_text(json.dumps(other))
        server = self.serve(data, "--documents", folder / "apart.json")
        self.assertEqual(Documents(server.http, "nanny").full().json["data"], {})
        server.close()
        other["x-zonekit-container"] = "iCloud.com.example.reading-list"
        (folder / "same.json").write_text(json.dumps(other))
        run = run_zonekit("serve", "--documents", folder / "same.json", "--http", "127.0.0.1:0", "--push", "127.0.0.1:0", data=data)
        self.assertEqual((run.returncode, run.stdout), (3, ""))
        self.assertIn("the zone Documents of iCloud.com.example.reading-list has the documents of reading-list", run.stderr)

    def test_with_another_member_that_has_a_default_keeps_what_is_stored(self):
        data, folder = self.folder() / "data", self.folder()
        server = self.serve(data, "--documents", READING_LIST)
        Documents(server.http, "nanny").push(change("create", "books", "dune", book()))
        server.close()
        schema = json.loads(READING_LIST.read_text())
        schema["$defs"]["Book"]["properties"]["pages"] = {"type": "integer", "default": 7}
        (folder / "more.json").write_text(json.dumps(schema))
        server = self.serve(data, "--documents", folder / "more.json")
        self.assertEqual(Documents(server.http, "nanny").document("books", "dune")["pages"], 7)

