"""Damaged, replaced and removed files of the cloud: the damage stays where it is, and nothing is served as if it were whole."""

import json
import os
import shutil
import sqlite3
import urllib.request

from clients import connect, operation
from support import Case, fold, run_zonekit


def run(path, statements):
    connection = sqlite3.connect(path)
    connection.executescript(statements)
    connection.close()


def flip(path, position, mask=0xFF):
    content = bytearray(path.read_bytes())
    content[position] ^= mask
    path.write_bytes(content)


def replace_with(make):
    def damage(path):
        path.unlink()
        make(path)

    return damage


# What can happen to the file of a zone so that it cannot be opened.
DAMAGES = {
    "empty": lambda path: path.write_bytes(b""),
    "oneByte": lambda path: path.write_bytes(b"S"),
    "text": lambda path: path.write_text("this is no database\n" * 500),
    "random": lambda path: path.write_bytes(os.urandom(8192)),
    "zeros": lambda path: path.write_bytes(bytes(16384)),
    "cutHeader": lambda path: os.truncate(path, 50),
    "cutPage": lambda path: os.truncate(path, 3000),
    "cutFile": lambda path: os.truncate(path, 4096),
    "magic": lambda path: flip(path, 3),
    "pageSize": lambda path: flip(path, 16),
    "schema": lambda path: flip(path, 100),
    "foreign": replace_with(lambda path: run(path, "CREATE TABLE a(b)")),
    "newer": lambda path: run(path, "PRAGMA user_version = 999"),
    "noHeader": lambda path: run(path, "DELETE FROM zone"),
    "noTable": lambda path: run(path, "DROP TABLE zone"),
    "folder": replace_with(os.mkdir),
    "fifo": replace_with(os.mkfifo),
    "loop": replace_with(lambda path: path.symlink_to(path.name)),
}


class DamagedZones(Case):
    def zone_file(self, server, zone):
        return next(server.data.glob(f"cloud/*/development/*/private/zones/{zone}.zone"))

    def status(self, server):
        with urllib.request.urlopen(f"http://{server.http}/zonekit/status", timeout=10) as reply:
            return json.load(reply)["cloud"]

    def assert_unreadable(self, cloud, zone, path):
        reply = cloud.modify(operation("forceUpdate", "new"), zone=zone)
        self.assertEqual(reply.status, 503, (zone, reply.json))
        self.assertIn(str(path), reply.json["reason"])
        self.assertGreater(reply.json["retryAfter"], 0)

    def test_each_damaged_file_is_an_error_of_its_zone_and_of_nothing_else(self):
        server = self.serve()
        cloud = server.cloud()
        for zone in ("Good", *DAMAGES):
            cloud.create_zone(zone)
            cloud.save_all((f"n-{number}" for number in range(5)), zone=zone)
        before = {change["zoneID"]["zoneName"] for change in cloud.database_changes()["zones"]}
        self.assertEqual(server.end(), 0)
        paths, copies = {}, {}
        for zone, damage in DAMAGES.items():
            paths[zone] = path = self.zone_file(server, zone)
            copies[zone] = path.with_suffix(".copy")
            shutil.copy(path, copies[zone])
            damage(path)
        server = self.serve(server.data)
        cloud = self.keep(server.cloud())
        for zone, path in paths.items():
            with self.subTest(zone=zone):
                self.assert_unreadable(cloud, zone, path)
        self.assertEqual({change["zoneID"]["zoneName"] for change in cloud.database_changes()["zones"]}, before)
        cloud.save("new", zone="Good")
        self.assertEqual(len(cloud.feed("Good")[0]), 6)
        together = cloud.call(
            "changes/zone", {"zones": [{"zoneID": {"zoneName": zone}} for zone in ("random", "Good")]}
        ).succeeded()["zones"]
        self.assert_item_error(together[0], "TRY_AGAIN_LATER", key="zoneID")
        self.assertEqual(len(together[1]["records"]), 6)
        listed = {entry["zone"]: entry["file"] for entry in self.status(server)["unreadable"]}
        self.assertEqual(listed, {zone: str(path) for zone, path in paths.items()})
        for zone, path in paths.items():
            with self.subTest(restored=zone):
                if path.is_dir() and not path.is_symlink():
                    path.rmdir()
                os.replace(copies[zone], path)
                cloud.save("new", zone=zone)
                self.assertEqual(len(cloud.feed(zone)[0]), 6)
        self.assertEqual(self.status(server)["unreadable"], [])

    def test_a_damaged_database_file_is_an_error_of_its_account_only(self):
        for damage in ("random", "cutPage", "noTable"):
            with self.subTest(damage=damage):
                server = self.serve()
                for user in ("a", "b"):
                    server.cloud(user).create_zone()
                    server.cloud(user).subscribe()
                self.assertEqual(server.end(), 0)
                path = next(server.data.glob("cloud/*/development/a/private/database.sqlite"))
                copy = path.with_suffix(".copy")
                shutil.copy(path, copy)
                if damage == "noTable":
                    run(path, "DROP TABLE subscriptions")
                else:
                    DAMAGES[damage](path)
                server = self.serve(server.data)
                self.assert_unreadable(self.keep(server.cloud("a")), "Notes", path)
                self.keep(server.cloud("b")).save("n")
                entry = self.status(server)["unreadable"][0]
                self.assertEqual((entry["user"], entry["zone"], entry["file"]), ("a", None, str(path)))
                os.replace(copy, path)
                self.keep(server.cloud("a")).save("n")

    def test_a_zone_file_that_is_removed_takes_no_writes(self):
        server = self.serve()
        cloud = self.keep(server.cloud())
        cloud.create_zone()
        cloud.save("a")
        path = self.zone_file(server, "Notes")
        saved = path.with_suffix(".saved")
        os.replace(path, saved)
        self.assert_unreadable(cloud, "Notes", path)
        self.assert_unreadable(cloud, "Notes", path)

    def test_a_zone_that_went_back_starts_a_new_incarnation(self):
        server = self.serve()
        cloud = server.cloud()
        cloud.create_zone()
        cloud.save_all(f"n-{number}" for number in range(10))
        self.assertEqual(server.end(), 0)
        path = self.zone_file(server, "Notes")
        copy = path.with_suffix(".copy")
        shutil.copy(path, copy)
        server = self.serve(server.data)
        cloud = server.cloud()
        kept = fold(cloud.feed()[0])
        cloud.save_all(f"m-{number}" for number in range(10))
        late = cloud.feed()[1]
        database = cloud.database_changes()["syncToken"]
        self.assertEqual(server.end(), 0)
        os.replace(copy, path)
        server = self.serve(server.data)
        cloud = self.keep(server.cloud())
        cloud.save_all(f"o-{number}" for number in range(20))
        page = cloud.call("changes/zone", {"zones": [{"zoneID": {"zoneName": "Notes"}, "syncToken": late}]})
        self.assertIn("changeTokenExpired", page.body.decode(), "the token knows changes that the zone does not have")
        changed = cloud.database_changes(database)["zones"]
        self.assertEqual([change["zoneID"]["zoneName"] for change in changed], ["Notes"])
        found = fold(cloud.feed()[0])
        self.assertEqual({name: found[name] for name in kept}, kept)
        self.assertEqual(len(found), 30)
        entry = self.status(server)["renewed"][0]
        self.assertEqual((entry["zone"], entry["sequence"]), ("Notes", 10))
        self.assertGreater(entry["knownSequence"], 20, "each start skips sequences")

    def test_a_zone_that_loses_the_end_of_its_wal_starts_a_new_incarnation(self):
        server = self.serve()
        cloud = server.cloud()
        cloud.create_zone()
        cloud.save("first")
        cloud.save("last")
        late = cloud.feed()[1]
        server.kill()
        path = self.zone_file(server, "Notes")
        wal = path.with_name(path.name + "-wal")
        flip(wal, wal.stat().st_size - 2000)
        server = self.serve(server.data)
        cloud = self.keep(server.cloud())
        page = cloud.call("changes/zone", {"zones": [{"zoneID": {"zoneName": "Notes"}, "syncToken": late}]})
        self.assertIn("changeTokenExpired", page.body.decode())
        self.assertEqual(list(fold(cloud.feed()[0])), ["first"])
        self.assertEqual([entry["zone"] for entry in self.status(server)["renewed"]], ["Notes"])

    def test_check_finds_what_repair_mends(self):
        server = self.serve()
        cloud = server.cloud()
        for zone in ("Good", "noHeader", "zeros"):
            cloud.create_zone(zone)
            cloud.save_all((f"n-{number}" for number in range(5)), zone=zone)
        self.assertEqual(run_zonekit("check", server.data).returncode, 0, "beside a running server")
        refused = run_zonekit("repair", server.data)
        self.assertEqual(refused.returncode, 3)
        self.assertIn(str(server.pid), refused.stderr)
        self.assertEqual(server.end(), 0)
        paths = [self.zone_file(server, zone) for zone in ("noHeader", "zeros")]
        for path in paths:
            DAMAGES[path.stem](path)
        check = run_zonekit("check", server.data, "--json")
        self.assertEqual(check.returncode, 1)
        lines = [json.loads(line) for line in check.stdout.splitlines()]
        self.assertEqual({line["file"] for line in lines[:-1]}, set(map(str, paths)))
        repair = run_zonekit("repair", server.data, "--json")
        self.assertEqual(repair.returncode, 0, repair.stdout + repair.stderr)
        self.assertEqual(json.loads(repair.stdout.splitlines()[-1])["repaired"], 2)
        self.assertEqual(run_zonekit("check", server.data).returncode, 0)
        cloud = self.keep(self.serve(server.data).cloud())
        self.assertEqual([len(cloud.feed(zone)[0]) for zone in ("Good", "noHeader", "zeros")], [5, 5, 0])
        self.assertEqual(run_zonekit("check", self.folder()).returncode, 2)

    def test_a_file_without_its_last_page_keeps_what_sqlite_can_read(self):
        server = self.serve()
        cloud = server.cloud()
        cloud.create_zone()
        for start in range(0, 2000, 200):
            names = (f"n-{number}" for number in range(start, start + 200))
            cloud.save_all(names, {"text": "t" * 60})
        self.assertEqual(server.end(), 0)
        path = self.zone_file(server, "Notes")
        os.truncate(path, path.stat().st_size - 4096)
        connection = sqlite3.connect(f"file:{path}?immutable=1", uri=True)
        connection.execute("PRAGMA writable_schema = ON")
        readable = set()
        with self.assertRaises(sqlite3.DatabaseError):
            for name, in connection.execute("SELECT name FROM records ORDER BY seq"):
                readable.add(name)
        connection.close()
        self.assertGreater(len(readable), 1900)
        self.assertEqual(run_zonekit("repair", server.data).returncode, 0)
        cloud = self.keep(self.serve(server.data).cloud())
        self.assertLessEqual(readable, {record["recordName"] for record in cloud.feed()[0]})

    def test_a_file_of_another_zone_or_user_is_never_taken_for_a_zone(self):
        server = self.serve()
        for user in ("victim", "other"):
            cloud = server.cloud(user)
            for zone in ("Victim", "Other"):
                cloud.create_zone(zone)
                cloud.save(f"{user}-{zone}", zone=zone)
        self.assertEqual(server.end(), 0)

        def path(user, zone):
            return next(server.data.glob(f"cloud/*/development/{user}/private/zones/{zone}.zone"))

        def swap(first, second):
            spare = first.with_suffix(".spare")
            for source, target in ((first, spare), (second, first), (spare, second)):
                os.replace(source, target)

        swap(path("victim", "Victim"), path("victim", "Other"))
        swap(path("other", "Victim"), path("victim", "Victim"))
        shutil.copy(path("other", "Other"), path("other", "Other").with_name("Copy.zone"))
        check = run_zonekit("check", server.data).stdout
        self.assertIn("belongs to the private database of other", check)
        running = self.serve(server.data)
        self.assertEqual(self.keep(running.cloud("victim")).modify(operation("forceUpdate", "x"), zone="Victim").status, 503)
        self.assertEqual(running.end(), 0)
        repair = run_zonekit("repair", server.data)
        self.assertEqual(repair.returncode, 0, repair.stdout + repair.stderr)
        self.assertIn("set aside, because it belongs to zone Other", repair.stdout)
        self.assertEqual(run_zonekit("check", server.data).returncode, 0)
        server = self.serve(server.data)
        for user in ("victim", "other"):
            for zone in ("Victim", "Other"):
                records = self.keep(server.cloud(user)).feed(zone)[0]
                self.assertEqual([record["recordName"] for record in records], [f"{user}-{zone}"])

    def test_a_shortened_wal_index_does_not_end_the_server(self):
        server = self.serve()
        cloud = self.keep(server.cloud())
        cloud.create_zone()
        for number in range(3):
            cloud.save(f"a-{number}")
            for index in server.data.glob("cloud/**/*-shm"):
                os.truncate(index, 0)
        self.assertEqual(len(cloud.feed()[0]), 3)
        self.assertEqual(server.end(), 0)
        self.assertEqual(len(self.keep(self.serve(server.data).cloud()).feed()[0]), 3)

    def test_names_of_255_characters_are_stored(self):
        server = self.serve()
        zone, user = "Zoné-日" + "z" * 249, "u" * 255
        cloud = server.cloud(user)
        cloud.create_zone(zone)
        cloud.save("n", zone=zone)
        server.kill()
        cloud = self.keep(self.serve(server.data).cloud(user))
        self.assertEqual(len(cloud.feed(zone)[0]), 1)

    def test_files_and_folders_are_for_their_owner_only(self):
        server = self.serve()
        cloud = self.keep(server.cloud())
        cloud.create_zone()
        cloud.save("n")
        for path in (server.data, *server.data.rglob("*")):
            self.assertEqual(path.stat().st_mode & 0o077, 0, path)

    def test_connections_do_not_take_the_file_handles_of_zones(self):
        server = self.serve(prefix=("prlimit", "--nofile=64:64"))
        clouds = [self.keep(server.cloud(f"user{number}")) for number in range(8)]
        for cloud in clouds:
            cloud.create_zone()
        idle = [self.keep(connect(server.http)) for _ in range(60)]
        self.assertEqual(len(idle), 60)
        for cloud in clouds:
            cloud.save("n")

    def test_many_zones_are_written_in_one_turn_with_few_file_handles(self):
        server = self.serve(prefix=("prlimit", "--nofile=48:48"))
        raw = self.keep(server.raw())
        body = json.dumps({"operations": [{"operationType": "create", "zone": {"zoneID": {"zoneName": "Z"}}}]})
        requests = ""
        for number in range(20):
            path = self.keep(server.cloud(f"user{number}")).path("zones/modify")
            requests += f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n\r\n{body}"
        raw.send(requests.encode())
        self.assertEqual([raw.response().status for _ in range(20)], [200] * 20)

    def test_a_flipped_bit_in_a_record_is_not_served(self):
        server = self.serve()
        cloud = server.cloud()
        for zone in ("Bad", "Good"):
            cloud.create_zone(zone)
            cloud.save("n", {"text": "precious content"}, zone=zone)
        self.assertEqual(server.end(), 0)
        path = self.zone_file(server, "Bad")
        content = path.read_bytes()
        flip(path, content.index(b"precious"), 0x01)
        self.assertIn("checksum", run_zonekit("check", server.data).stdout)
        server = self.serve(server.data)
        cloud = self.keep(server.cloud())
        reply = cloud.call("records/lookup", {"records": [{"recordName": "n"}], "zoneID": {"zoneName": "Bad"}})
        self.assertEqual(reply.status, 503, reply.json)
        self.assertIn(str(path), reply.json["reason"])
        self.assertEqual([entry["zone"] for entry in self.status(server)["unreadable"]], ["Bad"])
        self.assertEqual(len(cloud.feed("Good")[0]), 1)
        self.assertEqual(server.end(), 0)
        self.assertEqual(run_zonekit("repair", server.data).returncode, 0)
        self.assertEqual(self.keep(self.serve(server.data).cloud()).feed("Bad")[0], [])

    def test_devices_offer_what_a_restored_zone_lacks(self):
        server = self.serve()

        def device(*commands):
            arguments = [word for command in commands for word in ("-c", command)]
            run = run_zonekit(
                "device", "A", "--server", f"http://{server.http}", "--push", server.push, "--user", "nanny",
                *arguments, data=server.data,
            )
            self.assertEqual(run.returncode, 0, run.stderr)

        def actions():
            cloud = server.cloud("nanny", container="iCloud.com.example.nannyandme")
            records = self.keep(cloud).feed("NannyAndMe")[0]
            return {record["recordName"] for record in records if not record["deleted"]}

        device('profile name "Mia"', "log sleep", "sync")
        early = actions()
        self.assertEqual(server.end(), 0)
        path = self.zone_file(server, "NannyAndMe")
        copy = path.with_suffix(".copy")
        shutil.copy(path, copy)
        server = self.serve(server.data)
        device("log diaper both", "log diaper both", "sync")
        late = actions()
        self.assertEqual(len(late), len(early) + 2)
        self.assertEqual(server.end(), 0)
        os.replace(copy, path)
        server = self.serve(server.data)
        self.assertEqual(actions(), early)
        device("sync", "list")
        self.assertEqual(actions(), late)
