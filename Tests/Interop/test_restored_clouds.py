"""A cloud that goes back to an older copy of its whole folder: no position of any protocol is taken for what it never covered."""

import json
import shutil
import uuid

from clients import operation
from document_http import Documents, change, weight
from supabase_http import Auth
from support import Case, fold, run_zonekit
from test_supabase_rows import Rows


class Restores(Case):
    """Each way to go back: `save` keeps the state, and `restore` brings it back while nothing runs."""

    def ways(self):
        def copy(server):
            shutil.copytree(server.data / "cloud", server.data / "copy", symlinks=True)

        def bring_back(server):
            shutil.rmtree(server.data / "cloud")
            shutil.copytree(server.data / "copy", server.data / "cloud")

        def save(server):
            self.assertEqual(run_zonekit("snapshot", "save", "before", "--data", server.data).returncode, 0)

        def restore(server):
            run = run_zonekit("snapshot", "restore", "before", "--json", "--data", server.data)
            self.assertEqual(run.returncode, 0, run.stderr)
            self.restored = json.loads(run.stdout)
            self.assertEqual(run_zonekit("check", server.data).returncode, 0)

        return {"folder": (copy, bring_back), "snapshot": (save, restore)}

    def again(self, server, with_server_down=None):
        self.assertEqual(server.end(), 0)
        if with_server_down:
            with_server_down(server)
        return self.serve(server.data)


class Zones(Restores):
    def expired(self, cloud, token, **members):
        page = cloud.call("changes/zone", {"zones": [{"zoneID": {"zoneName": "Notes"}, "syncToken": token, **members}]})
        return "changeTokenExpired" in page.body.decode() and "changesLost" in page.body.decode()

    def test_tell_a_client_that_names_its_confirmed_changes_that_they_are_lost(self):
        copy, bring_back = self.ways()["folder"]
        server = self.serve()
        cloud = server.cloud()
        cloud.create_zone()
        kept = cloud.save("n-0")["recordChangeTag"]
        cloud.save("n-1")
        token = cloud.feed()[1]
        server = self.again(server, copy)
        cloud = server.cloud()
        saved = cloud.save("n-2")["recordChangeTag"]
        (deleted,) = cloud.modify(operation("forceDelete", "n-1")).json["records"]
        self.assertFalse(self.expired(cloud, token, acknowledgedChangeTags=[kept, saved, deleted["recordChangeTag"]]))
        server = self.again(server, bring_back)
        cloud = server.cloud()
        for count in (0, 15):
            cloud.save_all(f"o-{number}" for number in range(count))
            for lost in (saved, deleted["recordChangeTag"]):
                self.assertTrue(self.expired(cloud, token, acknowledgedChangeTags=[kept, lost]))
            self.assertFalse(self.expired(cloud, token, acknowledgedChangeTags=[kept]))

    def test_refuse_tokens_and_tags_of_what_was_lost(self):
        for way, (save, restore) in self.ways().items():
            with self.subTest(way=way):
                server = self.serve()
                cloud = server.cloud()
                cloud.create_zone()
                cloud.save_all(f"n-{number}" for number in range(10))
                early, database = cloud.feed()[1], cloud.database_changes()["syncToken"]
                server = self.again(server, save)
                cloud = server.cloud()
                cloud.save_all(f"m-{number}" for number in range(9))
                lost = cloud.save("n-0")["recordChangeTag"]
                late, late_database = cloud.feed()[1], cloud.database_changes()["syncToken"]
                server = self.again(server, restore)
                cloud = server.cloud()
                self.assertTrue(self.expired(cloud, late), "before the first change")
                cloud.save_all(f"o-{number}" for number in range(15))
                cloud.save("n-0")
                self.assertTrue(self.expired(cloud, late), "after as many changes")
                reply = cloud.call("changes/database", {"syncToken": late_database}).body.decode()
                self.assertIn("changeTokenExpired" if way == "folder" else '"zoneName":"Notes"', reply)
                self.assertTrue(cloud.database_changes(database)["zones"])
                saved = cloud.modify(operation("update", "n-0", tag=lost)).json["records"][0]
                self.assertEqual(saved["serverErrorCode"], "CONFLICT")
                if way == "folder":
                    changed = fold(cloud.call(
                        "changes/zone", {"zones": [{"zoneID": {"zoneName": "Notes"}, "syncToken": early}]}
                    ).json["zones"][0]["records"])
                    self.assertEqual(set(changed), {"n-0", *(f"o-{number}" for number in range(15))})
                else:
                    self.assertEqual([zone["zone"] for zone in self.restored["renewed"]], ["Notes"])
                    zone = self.restored["renewed"][0]
                    self.assertGreaterEqual(zone["knownSequence"] - zone["sequence"], 10)
                server.end()

    def test_keep_the_tokens_of_a_plain_restart(self):
        server = self.serve()
        cloud = server.cloud()
        cloud.create_zone()
        cloud.save("n-0")
        tokens = []
        for number in range(1, 5):
            tokens.append(server.cloud().feed()[1])
            server = self.again(server)
            server.cloud().save(f"n-{number}")
        cloud = self.keep(server.cloud())
        for count, token in enumerate(reversed(tokens), start=1):
            zones = [{"zoneID": {"zoneName": "Notes"}, "syncToken": token}]
            self.assertEqual(len(cloud.call("changes/zone", {"zones": zones}).succeeded()["zones"][0]["records"]), count)
        self.assertEqual(run_zonekit("check", server.data).returncode, 0)


class DocumentsAndRows(Restores):
    def test_refuse_cursors_positions_and_tags_of_what_was_lost(self):
        for way, (save, restore) in self.ways().items():
            with self.subTest(way=way):
                server = self.serve()

                def documents():
                    return self.keep(Documents(server.http, "mara"))

                documents().push(change("create", "weightLogs", "w", weight(70_000)))
                early = documents().feed()[1]
                server = self.again(server, save)
                documents().push(change("update", "weightLogs", "w", weight(71_000), at=5))
                documents().push(*(change("create", "weightLogs", f"x{n}", weight(1_000 + n)) for n in range(5)))
                late, position = documents().feed()[1], documents().status().json["token"]
                tag = documents().document("weightLogs", "x1")["tag"]
                server = self.again(server, restore)
                self.assertEqual(documents().pull(late).status, 410)
                documents().push(*(change("create", "weightLogs", f"y{n}", weight(2_000 + n)) for n in range(9)))
                refused = documents().pull(late)
                self.assertEqual((refused.status, refused.json["error"]), (410, "dataset_changed"))
                states = {feed["feed"]: feed["state"] for feed in documents().status(position).json["feeds"]}
                self.assertEqual(states["documents"], "reset")
                update = documents().push(change("update", "weightLogs", "w", weight(72_000), at=9, tag=tag)).json
                self.assertEqual(update["errors"][0]["code"], "dataset_changed")
                if way == "folder":
                    self.assertEqual(len(documents().feed(early)[0]), 9)
                server.end()

    def test_show_rows_a_new_life_where_what_a_client_knows_was_lost(self):
        for way, (save, restore) in self.ways().items():
            with self.subTest(way=way):
                server = self.serve()
                control = Auth(server.http, key=None)
                keys = control.ask("GET", "keys", headers={}, root="/zonekit/").json
                session = Auth(server.http, keys["anonKey"]).sign_up("mara@example.test").json

                def rows():
                    return Rows(self.keep(Auth(server.http, keys["anonKey"])), session["access_token"])

                def person(name):
                    return {"id": str(uuid.uuid4()), "name": name, "owner_id": session["user"]["id"]}

                def feed(after):
                    reply = rows().select("persons", f"updated_at=gt.{after}&order=updated_at.asc")
                    self.assertEqual(reply.status, 200, reply.body)
                    return reply.headers["zonekit-feed"].split(";")[0], reply.json

                def life_after(after):
                    """The life that each way to read on from a stamp is told, which is the same one."""
                    last = uuid.UUID(int=0)
                    told = {feed(after)[0]}
                    for keyset in (
                        f"or=(updated_at.gt.{after},and(updated_at.eq.{after},id.gt.{last}))&order=updated_at,id",
                        f"updated_at=gte.{after}&or=(updated_at.gt.{after},id.gt.{last})&order=updated_at,id",
                        f"and=(or(updated_at.gt.{after},and(updated_at.eq.{after},id.gt.{last})),name.neq.x)&order=updated_at.asc.nullsfirst,id",
                    ):
                        reply = rows().select("persons", keyset + "&limit=3")
                        self.assertEqual(reply.status, 200, reply.body)
                        told.add(reply.headers["zonekit-feed"].split(";")[0])
                    self.assertEqual(len(told), 1, told)
                    return told.pop()

                def newest():
                    return rows().select("persons", "order=updated_at.desc&limit=1").json[0]["updated_at"].replace("+", "%2B")

                self.assertEqual(rows().upsert("persons", [person("early")]).status, 201)
                early = newest()
                life = feed(early)[0]
                server = self.again(server, save)
                rows().upsert("persons", [person(f"lost {number}") for number in range(5)])
                late = newest()
                self.assertEqual(life_after(late), life)
                server = self.again(server, restore)
                rows().upsert("persons", [person(f"new {number}") for number in range(9)])
                self.assertNotEqual(life_after(late), life)
                stamps = [row["updated_at"] for row in feed(early)[1]]
                self.assertEqual(len(stamps), 9)
                self.assertGreater(min(stamps), late.replace("%2B", "+"), "a stamp is never given out twice")
                if way == "folder":
                    self.assertEqual(life_after(early), life, "nothing that the client knows was lost")
                server.end()


class Devices(Restores):
    def test_converge_with_what_they_have_after_their_cloud_went_back(self):
        stories = {
            "NannyAndMe": (["-c", 'profile name "Mia"', "-c", "log sleep"], ["-c", "log diaper both"], "actions"),
        }
        for way, (save, restore) in self.ways().items():
            for app, (before, after, _) in stories.items():
                with self.subTest(way=way, app=app):
                    server, home = self.serve(), self.folder()

                    def device(name, *arguments):
                        run = run_zonekit(
                            "device", name, "--server", f"http://{server.http}", "--push", server.push, "--user", "nanny",
                            *arguments, "-c", "sync", data=home,
                        )
                        self.assertEqual(run.returncode, 0, run.stderr)

                    def records():
                        cloud = server.cloud("nanny", container="iCloud.com.example.nannyandme")
                        return {record["recordName"] for record in self.keep(cloud).feed(app)[0] if not record["deleted"]}

                    device("A", *before)
                    server = self.again(server, save)
                    device("A", *after)
                    # What a device saved is behind its token only after the next fetch.
                    device("A")
                    known = records()
                    server = self.again(server, restore)
                    self.assertLess(records(), known)
                    device("B", "-c", "log feeding bottle volume 90")
                    device("A")
                    device("B")
                    self.assertLess(known, records())
                    self.assertEqual(len(records()), len(known) + 1)
                    server.end()
