"""What was answered survives: kill -9 under load, full and read-only disks, two servers, damaged files."""

import os
import random
import shutil
import signal
import socket
import subprocess

from clients import operation
from load import ZONES, Load, ZoneWriter
from support import Case, check_sqlite_files, eventually, fold, run_zonekit

ROUNDS = 6


class KillUnderLoad(Case):
    """`kill -9` at random moments while several connections write."""

    def test_every_acknowledged_write_survives_and_tokens_and_tags_go_on(self):
        data, rng, load = self.folder() / "data", random.Random(20), Load()
        server = self.serve(data)
        cloud = server.cloud()
        for zone in ZONES:
            cloud.create_zone(zone)
        token, known = cloud.zone_changes("Single")["syncToken"], {}
        database_token = cloud.database_changes()["syncToken"]
        tags_before = set()
        for number in range(ROUNDS):
            load.start(server, seed=number)
            wanted = rng.randrange(5, 150)
            eventually(lambda: load.acknowledged() >= wanted, f"{wanted} writes are acknowledged")
            server.kill()
            cloud.close()
            load.collect()
            check_sqlite_files(data)
            server = self.serve(data)
            cloud = self.keep(server.cloud())
            singles = load.check(cloud)
            new, token = cloud.feed("Single", token)
            known = fold(new, known)
            self.assertEqual(
                known, fold(singles.values()), "a token from before the crash leads to all that came after"
            )
            changed = cloud.database_changes(database_token)
            self.assertEqual({zone["zoneID"]["zoneName"] for zone in changed["zones"]}, set(ZONES))
            database_token = changed["syncToken"]
            tag = cloud.save("after-the-crash", zone="Single")["recordChangeTag"]
            self.assertNotIn(tag, load.tags | tags_before, "a tag never comes again")
            tags_before.add(tag)
            token, known = cloud.feed("Single", token)[1], {**known, "after-the-crash": tag}

    def test_zones_subscriptions_and_registrations_survive(self):
        data = self.folder() / "data"
        server = self.serve(data)
        for number in range(4):
            cloud = server.cloud()
            cloud.create_zone(f"Z{number}")
            cloud.subscribe(f"S{number}")
            token = server.cloud(client_id=f"phone-{number}").register(f"phone-{number}")
            if number:
                cloud.delete_zone(f"Z{number - 1}")
                cloud.modify_subscriptions(("delete", {"subscriptionID": f"S{number - 1}"}))
            server.kill()
            server = self.serve(data)
            cloud = self.keep(server.cloud())
            zones = [zone["zoneID"]["zoneName"] for zone in cloud.call("zones/list").json["zones"]]
            self.assertEqual(zones, ["_defaultZone", f"Z{number}"])
            subscriptions = [item["subscriptionID"] for item in cloud.call("subscriptions/list").json["subscriptions"]]
            self.assertEqual(subscriptions, [f"S{number}"])
            phone = self.keep(server.push_client(token=token, device="phone")).welcomed()
            cloud.save("n", zone=f"Z{number}")
            self.assertEqual(phone.next()["ck"]["met"]["zid"], f"Z{number}")

    def test_zones_that_come_and_go_when_the_server_dies_are_there_or_gone_as_answered(self):
        data, rng = self.folder() / "data", random.Random(4)
        for _ in range(5):
            server = self.serve(data)
            listed = [zone["zoneID"]["zoneName"] for zone in self.keep(server.cloud()).call("zones/list").json["zones"]]
            zones = ZoneWriter(server, set(listed[1:]), rng.random())
            zones.start()
            wanted = rng.randrange(3, 25)
            eventually(lambda: zones.answered >= wanted, f"{wanted} answers")
            server.kill()
            zones.join(20)
            self.assertIsNone(zones.failure)
            check_sqlite_files(data)
            server = self.serve(data)
            cloud = self.keep(server.cloud())
            listed = {zone["zoneID"]["zoneName"] for zone in cloud.call("zones/list").json["zones"]} - {"_defaultZone"}
            self.assertEqual(listed - {zones.pending}, zones.there - {zones.pending})
            changes = cloud.database_changes()["zones"]
            self.assertEqual({zone["zoneID"]["zoneName"] for zone in changes if not zone.get("deleted")}, listed)
            for zone in listed:
                self.assertLessEqual(
                    len(cloud.feed(zone)[0]), 1, "a zone that was created anew has nothing of the old one"
                )
            server.kill()

    def test_nothing_is_lost_by_a_clean_end_either(self):
        data = self.folder() / "data"
        server = self.serve(data)
        cloud = server.cloud()
        cloud.create_zone()
        tags = {f"n-{number}": cloud.save(f"n-{number}")["recordChangeTag"] for number in range(20)}
        token = cloud.feed()[1]
        self.assertEqual(server.end(signal.SIGINT), 0)
        check_sqlite_files(data)
        cloud = self.keep(self.serve(data).cloud())
        self.assertEqual(fold(cloud.feed()[0]), tags)
        self.assertEqual(cloud.feed(token=token), ([], token))

    def test_requests_that_were_sent_when_sigterm_came_are_answered_or_not_done(self):
        data = self.folder() / "data"
        server, load = self.serve(data), Load()
        cloud = server.cloud()
        for zone in ZONES:
            cloud.create_zone(zone)
        load.start(server, seed=99)
        eventually(lambda: load.acknowledged() > 30, "the load is under way")
        self.assertEqual(server.end(), 0)
        load.collect()
        load.check(self.keep(self.serve(data).cloud()))


class OneOwner(Case):
    def test_a_second_server_on_a_folder_is_refused_with_the_pid_of_the_first(self):
        server = self.serve()
        run = run_zonekit("serve", "--http", "127.0.0.1:0", "--push", "127.0.0.1:0", data=server.data, timeout=20)
        self.assertEqual(run.returncode, 3, run.stderr)
        self.assertRegex(run.stderr, rf"\b{server.pid}\b")
        self.assertEqual(run.stdout, "")
        self.assertEqual(self.keep(server.cloud()).call("zones/list").status, 200, "the first goes on")

    def test_the_lock_of_a_killed_server_binds_nobody(self):
        server = self.serve()
        server.kill()
        self.serve(server.data)

    def test_a_port_in_use_is_named(self):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
            for options in (
                ("--http", f"127.0.0.1:{port}", "--push", "127.0.0.1:0"),
                ("--push", f"127.0.0.1:{port}", "--http", "127.0.0.1:0"),
            ):
                run = run_zonekit("serve", *options, data=self.folder() / "data", timeout=20)
                self.assertEqual((run.returncode, run.stdout), (3, ""), run.stderr)
                self.assertIn(str(port), run.stderr)

    def test_a_unix_socket_in_use_is_named_and_a_dead_one_replaced(self):
        folder = self.folder()
        server = self.serve(folder / "data", http=f"unix:{folder}/http")
        run = run_zonekit(
            "serve", "--http", f"unix:{folder}/http", "--push", "127.0.0.1:0", data=folder / "other", timeout=20
        )
        self.assertEqual(run.returncode, 3, run.stderr)
        self.assertIn(f"{folder}/http", run.stderr)
        self.assertEqual(self.keep(server.cloud()).call("zones/list").status, 200)
        server.kill()
        again = self.serve(folder / "data", http=f"unix:{folder}/http")
        self.assertEqual(self.keep(again.cloud()).call("zones/list").status, 200)

    def test_a_data_folder_that_is_a_file_is_named(self):
        path = self.folder() / "file"
        path.write_text("not a folder")
        run = run_zonekit("serve", "--http", "127.0.0.1:0", "--push", "127.0.0.1:0", data=path, timeout=20)
        self.assertIn(run.returncode, (2, 3), run.stderr)
        self.assertIn(str(path), run.stderr)
        self.assertEqual(path.read_text(), "not a folder")


class Disks(Case):
    """A small file system in memory, filled up or made read-only; needs root."""

    def test_a_full_disk_is_an_error_that_keeps_every_promise_and_heals(self):
        disk = self.mount("12m")
        server = self.serve(disk / "data")
        cloud = self.keep(server.cloud())
        cloud.create_zone()
        filler = disk / "filler"
        kept = {f"n-{number}": cloud.save(f"n-{number}")["recordChangeTag"] for number in range(5)}
        filler.write_bytes(b"x" * max(0, shutil.disk_usage(disk).free - 400_000))
        refused = None
        for number in range(5, 200):
            reply = cloud.modify(operation("create", f"n-{number}", {"text": "x" * 20_000}))
            if reply.status != 200:
                refused = reply
                break
            kept[f"n-{number}"] = reply.json["records"][0]["recordChangeTag"]
        self.assertIsNotNone(refused, "the disk never filled up")
        self.assertIn(
            (refused.status, refused.json["serverErrorCode"]),
            [(503, "TRY_AGAIN_LATER"), (413, "QUOTA_EXCEEDED"), (500, "INTERNAL_ERROR")],
        )
        self.assertRegex(refused.json["reason"].lower(), "full|space")
        self.assertTrue(server.is_running(), server.log())
        self.assertEqual(fold(cloud.feed()[0]), kept, "reading goes on, and nothing that was refused is there")
        filler.unlink()
        kept["healed"] = eventually(lambda: cloud.save("healed"), "writing goes on once there is room")[
            "recordChangeTag"
        ]
        server.kill()
        check_sqlite_files(disk / "data")
        self.assertEqual(fold(self.keep(self.serve(disk / "data").cloud()).feed()[0]), kept)

    def test_a_disk_that_is_full_from_the_start_is_named(self):
        disk = self.mount("64k")
        (disk / "filler").write_bytes(b"x" * shutil.disk_usage(disk).free)
        run = run_zonekit("serve", "--http", "127.0.0.1:0", "--push", "127.0.0.1:0", data=disk / "data", timeout=20)
        self.assertEqual(run.returncode, 3, run.stderr)
        self.assertIn(str(disk), run.stderr)

    def test_a_read_only_folder_is_named(self):
        disk = self.mount("1m")
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        run = run_zonekit("serve", "--http", "127.0.0.1:0", "--push", "127.0.0.1:0", data=disk / "data", timeout=20)
        self.assertEqual(run.returncode, 3, run.stderr)
        self.assertIn(str(disk), run.stderr)
        self.assertRegex(run.stderr.lower(), "read-only|permission|cannot")


class DamagedFiles(Case):
    def damage(self, spoil):
        """A server over a folder with one spoilt and one good zone."""
        server = self.serve()
        cloud = server.cloud()
        for zone in ("Bad", "Good"):
            cloud.create_zone(zone)
            cloud.save_all((f"n-{number}" for number in range(50)), zone=zone)
        self.assertEqual(server.end(), 0)
        spoil(next(server.data.glob("cloud/**/Bad.zone")))
        return server.data

    def check_damage_is_contained(self, data):
        """Either the server says which file is damaged and does not start, or it serves every other zone."""
        try:
            server = self.serve(data)
        except AssertionError as error:
            self.assertRegex(str(error), r"(?s)exit code 3.*Bad\.zone")
            return
        cloud = self.keep(server.cloud())
        reply = cloud.modify(operation("forceUpdate", "n"), zone="Bad")
        if reply.status != 200:
            self.assertIn(reply.status, (404, 500, 503))
            self.assertTrue(reply.json["reason"])
        cloud.save("after", zone="Good")
        self.assertEqual(len(cloud.feed("Good")[0]), 51)
        self.assertTrue(server.is_running(), server.log())

    def test_a_zone_file_full_of_garbage_is_named_or_contained(self):
        self.check_damage_is_contained(self.damage(lambda path: path.write_bytes(os.urandom(8192))))

    def test_a_truncated_zone_file_is_named_or_contained(self):
        self.check_damage_is_contained(self.damage(lambda path: os.truncate(path, 3000)))

    def test_a_garbled_page_is_named_or_contained(self):
        def spoil(path):
            content = bytearray(path.read_bytes())
            content[4096:] = bytes(len(content) - 4096)
            path.write_bytes(content)

        self.check_damage_is_contained(self.damage(spoil))

    def test_a_zone_file_that_vanished_is_not_a_crash(self):
        self.check_damage_is_contained(self.damage(lambda path: path.unlink()))

    def test_a_damaged_database_file_is_named(self):
        server = self.serve()
        cloud = server.cloud()
        cloud.create_zone()
        self.assertEqual(server.end(), 0)
        path = next(server.data.glob("cloud/**/database.sqlite"))
        path.write_bytes(os.urandom(8192))
        try:
            again = self.serve(server.data)
        except AssertionError as error:
            self.assertRegex(str(error), r"(?s)exit code 3.*database\.sqlite")
            return
        reply = self.keep(again.cloud()).call("zones/list")
        self.assertIn(reply.status, (200, 500, 503))
        if reply.status != 200:
            self.assertRegex(reply.json["reason"], "damage|database")
