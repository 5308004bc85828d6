"""What is done to a device's and the cloud's files by hand: import, export, erase, resets, snapshots."""

import json

from devices import SOON, World, share_file
from support import check_sqlite_files, eventually, run_zonekit

ZONE = "NannyAndMe"


class Sharing(World):
    def test_an_imported_file_reaches_the_other_device_and_comes_out_as_it_went_in(self):
        path, share = share_file(self.folder())
        self.verb("import", path, "--device", "A")
        profile, actions = self.content("A")
        self.assertEqual(profile, share["profile"])
        wanted = [*share["actions"]["history"], *share["actions"]["activeActions"].values()]
        self.assertEqual(actions, {action["id"]: {"updatedAt": share["exportedAt"], **action} for action in wanted})
        self.start("A")
        self.start("B")
        self.assertEqual(self.agree("A", "B", count=60), (profile, actions))

    def test_importing_the_same_file_again_changes_nothing_and_sends_nothing(self):
        path, _ = share_file(self.folder())
        first = json.loads(self.verb("import", path, "--device", "A", "--json").splitlines()[-1])
        self.start("A")
        self.settled("A")
        before = self.content("A")
        token = self.cloud().feed(ZONE)[1]
        self.stop_devices()
        again = json.loads(self.verb("import", path, "--device", "A", "--json").splitlines()[-1])
        self.assertNotEqual(first, again)
        for key in ("added", "updated", "unchanged", "refused"):
            self.assertIn(key, again)
        self.assertFalse(again["added"], again)
        self.assertFalse(again["updated"], again)
        self.assertEqual(self.content("A"), before)
        self.assertEqual(self.diagnosed("A")["send"]["pending"], 0)
        self.start("A").say("sync", "log diaper pee")
        self.sees("A", diaperType="pee")
        self.settled("A")
        self.assertEqual(len(self.cloud().feed(ZONE, token)[0]), 1, "nothing but the new action was sent")

    def test_what_was_exported_can_be_imported_elsewhere(self):
        path, _ = share_file(self.folder())
        self.verb("import", path, "--device", "A")
        copy = self.folder() / "copy.json"
        copy.write_text(self.verb("export", "--device", "A"), encoding="utf-8")
        self.verb("import", copy, "--device", "B")
        self.assertEqual(self.content("B"), self.content("A"))

    def test_an_import_merges_and_the_newer_action_wins(self):
        folder = self.folder()
        path, share = share_file(folder, count=3)
        self.verb("import", path, "--device", "A")
        changed = share["actions"]["history"]
        changed[0] |= {"placename": "newer", "updatedAt": "2036-01-01T00:00:00Z"}
        changed[1] |= {"placename": "older", "updatedAt": "2001-01-01T00:00:00Z"}
        path.write_text(json.dumps(share), encoding="utf-8")
        self.verb("import", path, "--device", "A")
        actions = self.actions("A")
        self.assertEqual(actions[changed[0]["id"]]["placename"], "newer")
        self.assertNotEqual(actions[changed[1]["id"]].get("placename"), "older")

    def test_a_malformed_file_is_refused_as_a_whole(self):
        path, share = share_file(self.folder(), count=5)
        good = path.read_bytes()
        no_profile = json.dumps({key: value for key, value in share.items() if key != "profile"})
        newer = json.dumps(share | {"version": 2})
        for content, says in (
            (good[:-20], r"\S"),
            (b"", r"\S"),
            (b"[]", r"\S"),
            (b"\xff\xfe", r"\S"),
            (no_profile.encode(), "profile"),
            (newer.encode(), "version"),
        ):
            with self.subTest(content=content[:40]):
                path.write_bytes(content)
                run = run_zonekit("import", path, "--device", "A", data=self.data)
                self.assertEqual(run.returncode, 2, run.stdout + run.stderr)
                self.assertRegex(run.stderr, says)
                self.assertIsNone(self.exported("A"), "nothing of a malformed file is taken in")

    def test_an_action_that_makes_no_sense_is_refused_with_its_place(self):
        path, share = share_file(self.folder(), count=5)
        share["actions"]["history"][2]["startDate"] = "yesterday"
        path.write_text(json.dumps(share), encoding="utf-8")
        run = run_zonekit("import", path, "--device", "A", data=self.data)
        self.assertRegex(run.stdout + run.stderr, "history/2/startDate")
        taken = self.actions("A")
        self.assertEqual(len(taken), 4 if run.returncode == 0 else 0)

    def test_unknown_keys_are_reported_and_kept_out(self):
        path, share = share_file(self.folder(), count=3)
        share["profile"]["favouriteColour"] = "green"
        share["actions"]["history"][0]["mood"] = "sunny"
        path.write_text(json.dumps(share), encoding="utf-8")
        run = run_zonekit("import", path, "--device", "A", data=self.data)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertRegex(run.stdout + run.stderr, "favouriteColour")
        self.assertRegex(run.stdout + run.stderr, "mood")
        self.assertNotIn("sunny", json.dumps(self.exported("A")))

    def test_missing_files_and_devices_are_named(self):
        run = run_zonekit("import", "/nowhere/share.json", "--device", "A", data=self.data)
        self.assertIn(run.returncode, (2, 3), run.stderr)
        self.assertIn("/nowhere/share.json", run.stderr)
        run = run_zonekit("export", "--device", "Nobody", data=self.data)
        self.assertIn(run.returncode, (2, 3), run.stderr)
        self.assertIn("Nobody", run.stderr)

    def test_a_running_device_is_exported_and_not_imported_into(self):
        path, _ = share_file(self.folder())
        device = self.start("A")
        device.say('profile name "Mia"')
        eventually(lambda: self.content("A"), "A has a profile")
        self.check_refused_while_running(device.pid, "import", path, "--device", "A")
        self.assertEqual(self.actions("A"), {})


class WorldWithHistory(World):
    """A and B agree on a profile and three actions; all is stopped and in good order."""

    def setUp(self):
        super().setUp()
        self.start("A").say('profile name "Mia"', "log diaper pee", "log feeding meal", "log sleep at -3h until -2h")
        self.start("B")
        self.before = self.agree("A", "B", count=3)
        self.settled("A", "B")

    def backups(self):
        return sorted((self.data / "backups").rglob("*.sqlite")) if (self.data / "backups").exists() else []

    def check_dry_run(self, *arguments):
        """Says what would go, and nothing goes."""
        files = {path: path.read_bytes() for path in self.data.rglob("*.sqlite")}
        said = self.verb(*arguments, "--dry-run")
        self.assertTrue(said.strip())
        for path, content in files.items():
            self.assertEqual(path.read_bytes(), content, f"a dry run changed {path}")
        self.assertEqual(self.backups(), [])

    def check_asks_first(self, *arguments):
        """Without --yes, and with nobody to ask, nothing is done."""
        run = run_zonekit(*arguments, data=self.data)
        self.assertEqual(run.returncode, 2, run.stdout + run.stderr)
        self.assertIn("--yes", run.stderr)

    def check_backup_is_printed(self, said):
        self.assertTrue(self.backups(), "a backup is made first")
        self.assertRegex(said, str(self.data / "backups"))
        check_sqlite_files(self.data / "backups")


class Resets(WorldWithHistory):
    def test_a_local_reset_empties_one_device_which_fills_from_the_cloud(self):
        self.stop_devices()
        token = self.cloud().feed(ZONE)[1]
        self.check_dry_run("reset", "local", "B")
        self.check_asks_first("reset", "local", "B")
        self.check_backup_is_printed(self.verb("reset", "local", "B", "--yes"))
        self.assertIsNone(self.content("B"))
        self.assertEqual(self.content("A"), self.before)
        self.restart("A", "B")
        self.assertEqual(self.agree("A", "B", count=3, patience=SOON * 2), self.before)
        self.assertEqual(self.cloud().feed(ZONE, token)[0], [], "the cloud is untouched")

    def test_a_running_device_resets_itself(self):
        before = self.device_id("B")
        token = self.cloud().feed(ZONE)[1]
        self.check_dry_run("reset", "local", "B")
        self.check_asks_first("reset", "local", "B")
        said = self.verb("reset", "local", "B", "--yes")
        self.assertRegex(said, r"^reset local B\n  device B  4 records  \d positions  0 edits not sent, to the journal\n")
        self.check_backup_is_printed(said)
        self.devices["B"].hears(lambda event: event.get("fact") == "reset", "is reset")
        self.assertEqual(self.agree("A", "B", count=3, patience=SOON * 2), self.before)
        self.assertEqual(self.cloud().feed(ZONE, token)[0], [], "the cloud is untouched")
        eventually(lambda: self.registrations() == [("A", False), ("B", False)], "B's new token replaces the old one")
        self.assertEqual((self.device_id("B"), self.devices["B"].is_running()), (before, True))
        self.devices["A"].say("log diaper both")
        self.agree("A", "B", count=4, patience=SOON)

    def test_a_running_device_keeps_what_was_not_sent_only_where_that_is_wanted(self):
        self.does("B", "offline")
        self.does("B", "log diaper both")
        self.assertIn("1 edit not sent, kept", self.verb("reset", "local", "B", "--yes", "--keep-pending", "--no-backup"))
        self.does("B", "online")
        self.agree("A", "B", count=4, patience=SOON * 2)
        self.does("B", "offline")
        self.does("B", "log diaper both")
        self.assertIn("1 edit not sent, to the journal", self.verb("reset", "local", "B", "--yes", "--no-backup"))
        self.does("B", "online")
        self.agree("A", "B", count=4, patience=SOON * 2)
        self.assertEqual(self.backups(), [])

    def test_a_running_device_resets_its_tokens(self):
        self.assertIn("records kept", self.verb("reset", "tokens", "B", "--yes"))
        self.devices["B"].hears(lambda event: event.get("fact") == "reset", "is reset")
        self.assertEqual(self.agree("A", "B", count=3, patience=SOON * 2), self.before)

    def test_a_device_whose_app_does_not_run_refuses_and_keeps_its_store(self):
        self.devices["B"].quit()
        self.start("B", "--life")
        self.agree("A", "B", count=3)
        self.does("B", "forcequit")
        run = run_zonekit("reset", "local", "B", "--yes", data=self.data)
        self.assertEqual(run.returncode, 3)
        self.assertIn("the app of B is ended; foreground opens it", run.stderr)
        self.assertEqual((self.content("B"), self.backups()), (self.before, []))

    def registrations(self):
        """The name of the device of each registration of a push token, and whether it has another token by now."""
        return sorted((entry["name"], entry["replaced"]) for entry in self.diagnostics()["cloud"]["registrations"])

    def device_id(self, name):
        return self.devices[name].hears(lambda event: event["event"] == "launched", "launched")["deviceID"]

    def test_a_local_reset_keeps_the_device_id_and_leaves_one_registration(self):
        before = self.device_id("B")
        eventually(lambda: self.registrations() == [("A", False), ("B", False)], "both are registered")
        self.stop_devices()
        self.verb("reset", "local", "B", "--yes")
        self.assertEqual(self.registrations(), [("A", False), ("B", True)])
        self.restart("A", "B")
        self.assertEqual(self.agree("A", "B", count=3, patience=SOON * 2), self.before)
        self.assertEqual(self.device_id("B"), before)
        eventually(lambda: self.registrations() == [("A", False), ("B", False)], "B's new token replaces the old one")
        self.assertNotIn("cloneDetected", [event["event"] for event in self.devices["B"].heard()])
        self.devices["A"].say("log diaper both")
        self.agree("A", "B", count=4, patience=SOON)

    def test_no_backup_is_made_where_none_is_wanted(self):
        self.stop_devices()
        self.verb("reset", "local", "B", "--yes", "--no-backup")
        self.assertEqual(self.backups(), [])
        self.assertIsNone(self.content("B"))

    def test_a_local_reset_can_keep_what_was_not_sent(self):
        self.devices["B"].say("offline", "log diaper both")
        self.sees("B", diaperType="both")
        self.stop()
        self.verb("reset", "local", "B", "--yes", "--keep-pending")
        self.restart("A", "B")
        self.agree("A", "B", count=4, patience=SOON * 2)

    def test_a_local_reset_loses_what_was_not_sent_otherwise(self):
        self.devices["B"].say("offline", "log diaper both")
        self.sees("B", diaperType="both")
        self.stop()
        self.verb("reset", "local", "B", "--yes")
        self.restart("A", "B")
        self.assertEqual(self.agree("A", "B", count=3, patience=SOON * 2), self.before)

    def test_reset_tokens_makes_a_device_fetch_everything_again(self):
        self.stop_devices()
        self.check_dry_run("reset", "tokens", "B")
        self.verb("reset", "tokens", "B", "--yes")
        self.assertEqual(self.content("B"), self.before, "its records stay")
        self.restart("A", "B")
        self.devices["B"].hears(lambda event: event.get("records") == 4, "four records were fetched again")
        self.devices["A"].say("log diaper both")
        self.agree("A", "B", count=4, patience=SOON * 2)

    def test_resetting_a_zone_leaves_tombstones_for_every_device(self):
        self.check_refused_while_running(self.server.pid, "reset", "zone", ZONE, "--yes")
        token = self.cloud().feed(ZONE)[1]
        self.stop()
        self.check_dry_run("reset", "zone", ZONE)
        self.check_asks_first("reset", "zone", ZONE)
        self.check_backup_is_printed(self.verb("reset", "zone", ZONE, "--yes"))
        self.restart("A", "B")
        records = self.cloud().feed(ZONE, token)[0]
        self.assertEqual(
            [record["deleted"] for record in records], [True] * 4, "ordinary deletions, which a token leads to"
        )
        for name in ("A", "B"):
            eventually(lambda: not self.actions(name), f"the actions are gone on {name}")
        self.devices["A"].say('profile name "Otto"', "log diaper pee")
        self.assertEqual(self.agree("A", "B", count=1)[0]["name"], "Otto")

    def test_resetting_the_cloud_leaves_no_tester_a_gap(self):
        self.stop()
        self.check_dry_run("reset", "cloud")
        self.check_backup_is_printed(self.verb("reset", "cloud", "--yes"))
        self.restart("A", "B")
        for name in ("A", "B"):
            eventually(lambda: not self.actions(name), f"the actions are gone on {name}")
        self.devices["B"].say('profile name "Otto"', "log diaper pee")
        self.agree("A", "B", count=1)

    def test_resetting_all_starts_the_world_anew(self):
        self.stop()
        self.check_dry_run("reset", "all")
        self.check_asks_first("reset", "all")
        self.check_backup_is_printed(self.verb("reset", "all", "--yes"))
        self.assertEqual((self.content("A"), self.content("B")), (None, None))
        self.restart("A", "B")
        self.devices["A"].say('profile name "Otto"', "log diaper pee")
        self.assertEqual(self.agree("A", "B", count=1)[0]["name"], "Otto")

    def test_unknown_targets_are_named(self):
        self.stop()
        for arguments in (("local", "Nobody"), ("tokens", "Nobody"), ("zone", "Nowhere"), ("everything",)):
            run = run_zonekit("reset", *arguments, "--yes", data=self.data)
            self.assertIn(run.returncode, (2, 3), run.stdout)
            self.assertIn(arguments[-1], run.stderr)
        self.assertEqual(self.content("B"), self.before)


class Erasing(WorldWithHistory):
    def test_an_erased_device_knows_nothing_and_comes_back_as_a_new_one(self):
        self.check_refused_while_running(self.devices["B"].pid, "erase", "B", "--yes")
        self.stop_devices()
        token = self.cloud().feed(ZONE)[1]
        self.check_asks_first("erase", "B")
        self.assertEqual(self.content("B"), self.before)
        self.verb("erase", "B", "--yes")
        self.assertIsNone(self.content("B"))
        self.assertEqual([entry["name"] for entry in self.diagnostics()["cloud"]["registrations"]], ["A"])
        self.restart("A", "B")
        self.assertEqual(self.agree("A", "B", count=3, patience=SOON * 2), self.before)
        self.assertEqual(self.cloud().feed(ZONE, token)[0], [], "the cloud is untouched")
        self.devices["A"].say("log diaper both")
        self.agree("A", "B", count=4, patience=SOON)

    def test_the_token_of_an_erased_device_ends_while_no_server_runs_too(self):
        self.stop()
        self.verb("erase", "B", "--yes")
        self.assertEqual([entry["name"] for entry in self.diagnostics()["cloud"]["registrations"]], ["A"])

    def test_an_unknown_device_is_named(self):
        run = run_zonekit("erase", "Nobody", "--yes", data=self.data)
        self.assertIn(run.returncode, (2, 3), run.stdout)
        self.assertIn("Nobody", run.stderr)


class Purges(WorldWithHistory):
    def purged(self, *words):
        return [json.loads(line) for line in self.verb("purge", "--json", *words).splitlines()]

    def test_old_tombstones_are_forgotten_in_the_files_of_a_stopped_server(self):
        self.check_purge()

    def test_old_tombstones_are_forgotten_by_a_running_server(self):
        self.check_purge(self.start_server)

    def check_purge(self, start=lambda: None):
        self.stop()
        self.verb("reset", "zone", "NannyAndMe", "--yes", "--no-backup")
        refused = run_zonekit("purge", "--tombstones", "0s", data=self.data)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("add --yes", refused.stderr)
        (zone,) = [report for report in self.purged("--tombstones", "0s", "--dry-run") if report["zone"] == "NannyAndMe"]
        self.assertGreater(zone["tombstones"], 0)
        self.assertEqual([report["tombstones"] for report in self.purged("--yes") if report["zone"] == "NannyAndMe"], [0])
        start()
        (done,) = [report for report in self.purged("--tombstones", "0s", "--yes") if report["zone"] == "NannyAndMe"]
        self.assertEqual((done["user"], done["tombstones"]), ("nanny", zone["tombstones"]))
        self.assertEqual(sum(report["tombstones"] for report in self.purged("--tombstones", "0s", "--dry-run")), 0)
        self.verb("purge", "--user", "nobody", "--dry-run", expect=2)


class Snapshots(WorldWithHistory):
    def test_a_snapshot_brings_back_the_whole_world(self):
        self.stop()
        self.verb("snapshot", "save", "three")
        self.assertIn("three", self.verb("snapshot", "list"))
        self.restart("A", "B")
        self.devices["A"].say("log diaper both")
        self.agree("A", "B", count=4)
        self.stop()
        self.verb("snapshot", "restore", "three")
        self.assertEqual((self.content("A"), self.content("B")), (self.before, self.before))
        check_sqlite_files(self.data)
        self.restart("A", "B")
        self.assertEqual(self.agree("A", "B", count=3), self.before)
        self.devices["B"].say("log diaper both")
        self.agree("A", "B", count=4)

    def test_names_cannot_leave_the_data_folder(self):
        self.stop()
        for name in ("../outside", "a/b", "..", "", "x" * 300):
            run = run_zonekit("snapshot", "save", name, data=self.data)
            if run.returncode == 0:
                self.assertIn(name, self.verb("snapshot", "list"))
            else:
                self.assertEqual(run.returncode, 2, f"{name[:20]!r}: {run.stdout}{run.stderr}")
        self.assertEqual([path.name for path in self.data.parent.iterdir()], ["world"])
        for path in self.data.rglob("*.sqlite"):
            self.assertIn(path.relative_to(self.data).parts[0], ("cloud", "devices", "snapshots"))
        self.assertEqual(self.content("A"), self.before)

    def test_a_snapshot_that_is_not_there_is_named(self):
        self.stop()
        run = run_zonekit("snapshot", "restore", "nowhere", data=self.data)
        self.assertIn(run.returncode, (2, 3), run.stdout)
        self.assertIn("nowhere", run.stderr)
        self.assertEqual(self.content("A"), self.before)
