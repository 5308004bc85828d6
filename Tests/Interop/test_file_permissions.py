"""Files and folders of the cloud that the server may not read or write: an error of their zone or account, and of nothing else."""

import json
import os
import urllib.request

from clients import operation
from support import Case, Server, run_zonekit

# Root may read and write every file, unless these capabilities are taken away (capabilities(7)).
AS_OWNER = ("setpriv", "--bounding-set=-dac_override,-dac_read_search") if os.geteuid() == 0 else ()


class FilePermissions(Case):
    def start(self, data):
        server = Server(data, prefix=AS_OWNER)
        self.addCleanup(server.close)
        return server

    def forbid(self, path, mode):
        """Takes permissions away until the end of the test, which removes the folder."""
        path.chmod(mode)
        self.addCleanup(lambda: path.chmod(0o700))

    def filled(self, *zones, users=("nanny",)):
        """A data directory of a server that has ended, with a record in each of those zones of each account."""
        server = self.serve()
        for user in users:
            cloud = self.keep(server.cloud(user))
            for zone in zones:
                cloud.create_zone(zone)
                cloud.save("n", zone=zone)
        self.assertEqual(server.end(), 0)
        return server.data

    def place(self, data, user, name="."):
        return next(data.glob(f"cloud/*/development/{user}")) / "private" / name

    def assert_unreadable(self, cloud, zone, path):
        zone_id = {"zoneName": zone}
        for reply in (
            cloud.modify(operation("forceUpdate", "new"), zone=zone),
            cloud.call("records/lookup", {"records": [{"recordName": "n"}], "zoneID": zone_id}),
            cloud.call("changes/zone", {"zones": [{"zoneID": zone_id}]}),
        ):
            error = reply.json.get("zones", [reply.json])[0]
            self.assertEqual(error.get("serverErrorCode"), "TRY_AGAIN_LATER", reply.json)
            self.assertIn(str(path), error["reason"])
            self.assertIn("Permission denied", error["reason"])
            self.assertGreater(error["retryAfter"], 0)

    def unreadable(self, server):
        """The file of each account and zone that the status lists."""
        with urllib.request.urlopen(f"http://{server.http}/zonekit/status", timeout=10) as reply:
            entries = json.load(reply)["cloud"]["unreadable"]
        return {(entry["user"], entry["zone"]): entry["file"] for entry in entries}

    def checked(self, data, prefix=AS_OWNER):
        """The files that `zonekit check` reports, and its exit code."""
        run = run_zonekit("check", data, "--json", prefix=prefix)
        return {json.loads(line).get("file") for line in run.stdout.splitlines()} - {None}, run.returncode

    def test_a_zone_file_without_permissions_is_an_error_of_its_zone(self):
        data = self.filled("Good", "Hidden", "ReadOnly")
        self.assertEqual(self.checked(data), (set(), 0))
        paths = {zone: self.place(data, "nanny", f"zones/{zone}.zone") for zone in ("Hidden", "ReadOnly")}
        self.forbid(paths["Hidden"], 0o000)
        self.forbid(paths["ReadOnly"], 0o444)
        for prefix in (AS_OWNER, ()):  # root can read the files, and the check reports that their owner cannot
            self.assertEqual(self.checked(data, prefix), (set(map(str, paths.values())), 1))
        server = self.start(data)
        cloud = self.keep(server.cloud("nanny"))
        for zone, path in paths.items():
            with self.subTest(zone=zone):
                self.assert_unreadable(cloud, zone, path)
        cloud.save("new", zone="Good")
        self.assertEqual(len(cloud.feed("Good")[0]), 2)
        cloud.create_zone("New")
        listed = {change["zoneID"]["zoneName"] for change in cloud.database_changes()["zones"]}
        self.assertEqual(listed, {"Good", "Hidden", "ReadOnly", "New"})
        self.assertEqual(self.unreadable(server), {("nanny", zone): str(path) for zone, path in paths.items()})
        for zone, path in paths.items():
            path.chmod(0o600)
            cloud.save("new", zone=zone)
            self.assertEqual(len(cloud.feed(zone)[0]), 2)
        self.assertEqual(self.unreadable(server), {})

    def test_a_database_file_or_folder_without_permissions_is_an_error_of_its_account(self):
        places = {
            "readOnlyFile": ("database.sqlite", 0o444), "hiddenFile": ("database.sqlite", 0o000),
            "readOnlyZones": ("zones", 0o500), "hiddenZones": ("zones", 0o000),
            "readOnlyFolder": (".", 0o500), "hiddenFolder": (".", 0o000), "hiddenAccount": ("..", 0o000),
        }
        data = self.filled("Notes", users=("good", *places))
        paths = {user: self.place(data, user, name) for user, (name, _) in places.items()}
        for user, (_, mode) in places.items():
            self.forbid(paths[user], mode)
        server = self.start(data)
        for user in places:
            with self.subTest(user=user):
                cloud = self.keep(server.cloud(user))
                self.assert_unreadable(cloud, "Notes", f"/{user}/private")
        self.keep(server.cloud("good")).save("new")
        self.assertEqual({user for user, _ in self.unreadable(server)}, set(places))
        found, code = self.checked(data)
        self.assertEqual(code, 1)
        for user in places:
            self.assertTrue(any(f"/{user}/private" in path for path in found), (user, found))
        self.assertFalse(any("/good/" in path for path in found), found)
        for user, path in paths.items():
            path.chmod(0o700)
            self.keep(server.cloud(user)).save("new")
        self.assertEqual(self.unreadable(server), {})
