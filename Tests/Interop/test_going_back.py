"""Going back to a snapshot while the server and the devices of the folder run: they close their stores for that time."""

import fcntl
import json
import random
import signal
import struct
import subprocess

from devices import SOON, World
from support import PATIENCE, Server, check_sqlite_files, database, eventually, run_zonekit, zonekit
import test_live_view

OFD_SETLK = 37


class Worlds(World):
    def setUp(self):
        super().setUp()
        self.start("A").say('profile name "Mia"', "log diaper pee")
        self.settled("A")
        self.start("B")
        self.before = self.agree("A", "B", count=1)
        self.verb("snapshot", "save", "one")

    def change(self):
        """A and B have one action more than the snapshot."""
        self.does("A", "log diaper poo")
        # Devices that met a dead server try again later.
        return self.agree("A", "B", count=2, patience=PATIENCE * 3)

    def check_lives_on(self):
        """What the devices hold now is synced by the same processes, with pushes."""
        count = len(self.actions("A"))
        self.does("A", "log diaper both")
        self.agree("A", "B", count=count + 1, patience=SOON * 2)
        self.assertTrue(self.server.is_running())


class GoingBack(Worlds):
    def test_server_and_devices_become_what_they_were_and_go_on(self):
        self.change()
        self.devices["B"].say("offline")
        said = self.verb("snapshot", "restore", "one")
        self.assertRegex(said, r"(?s)restored one\nzone NannyAndMe of nanny went back from 3 to 2.*\nbackup: ")
        for name in "AB":
            self.assertEqual(self.content(name), self.before)
            self.devices[name].hears(lambda event: event["event"] == "standAside", "stands aside")
            self.assertTrue(self.devices[name].is_running(), self.devices[name].log())
        self.assertEqual(self.keep(self.server.cloud()).request("GET", "/zonekit/status").status, 200)
        check_sqlite_files(self.data)
        self.does("B", "online")
        self.check_lives_on()
        (backup,) = (self.data / "backups").iterdir()
        with database(backup / "devices" / "A" / "device.sqlite") as file:
            self.assertEqual(file.execute("PRAGMA integrity_check").fetchone()[0], "ok")

    def test_a_fault_plan_and_the_addresses_stay(self):
        self.change()
        self.verb("fault", "add", "drop the next push to B")
        before = [self.verb("status", "--json"), self.verb("fault", "list")]
        self.verb("snapshot", "restore", "one")
        self.assertEqual([self.verb("status", "--json"), self.verb("fault", "list")], before)

    def test_a_device_that_the_snapshot_does_not_have_ends_and_says_why(self):
        self.start("C")
        self.agree("A", "C", count=1)
        self.verb("snapshot", "restore", "one")
        self.assertEqual(self.devices["C"].wait(), 3)
        self.assertIn("device C is not in the state that was restored", self.devices["C"].log())
        self.assertEqual(sorted(path.name for path in (self.data / "devices").iterdir()), ["A", "B"])
        self.check_lives_on()

    def test_a_process_that_cannot_make_way_is_named_and_nothing_changes(self):
        after = self.change()
        self.devices["B"].quit()
        with open(self.data / "devices" / "B" / "owner.lock", "r+") as held:
            fcntl.fcntl(held, OFD_SETLK, struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, 0, 0, 0))
            run = run_zonekit("snapshot", "restore", "one", data=self.data)
        self.assertEqual(run.returncode, 3)
        self.assertIn("devices/B is in use by", run.stderr)
        self.assertEqual((self.content("A"), self.content("B")), (after, after))
        eventually(lambda: self.verb("status"), "the server goes on")
        self.start("B")
        self.check_lives_on()

    def test_nobody_else_makes_a_server_or_a_device_close_its_store(self):
        cloud = self.keep(self.server.cloud())
        reply = cloud.request("POST", "/zonekit/administration", json.dumps({"do": "standAside"}))
        self.assertEqual((reply.status, reply.json["reason"]), (400, "nobody replaces the state of this data directory"))
        self.check_lives_on()

    def test_a_strict_server_goes_back_too(self):
        self.stop()
        self.server = Server(self.data, "--auth", "strict")
        self.addCleanup(self.server.close)
        self.verb("snapshot", "restore", "one")
        self.assertTrue(self.server.is_running())
        self.assertEqual(self.server.end(), 0)

    def test_tables_and_their_channels_go_back(self):
        self.start("S", "--app", "swiss-coin", "--eager", user=None)
        self.does("S", "signup mara@example.test secret1")
        joined = lambda: self.diagnosed("S")["realtime"]["connected"]
        eventually(joined, "S has joined its channel")
        self.verb("snapshot", "save", "signed-in")
        self.verb("snapshot", "restore", "signed-in")
        eventually(joined, "S has joined its channel again")
        self.assertEqual(self.diagnosed("S")["session"]["email"], "mara@example.test")
        self.check_lives_on()

    def test_a_guest_of_exec_goes_back(self):
        script = (
            '"$ZK" device A -c "log diaper pee" && "$ZK" snapshot save s && "$ZK" device A -c "log diaper poo"'
            ' && "$ZK" snapshot restore s && "$ZK" device A -c list')
        run = run_zonekit("exec", "--", "sh", "-c", script, environment={"ZK": zonekit()})
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("restored s", run.stdout)
        self.assertNotIn("poo", run.stdout.partition("restored s")[2])


class Killed(Worlds):
    """`kill -9` at any moment leaves one of the two states, and the others go on with it."""

    def restore(self):
        return subprocess.Popen(
            [zonekit(), "snapshot", "restore", "one", "--data", str(self.data)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def check_one_of(self, *states):
        eventually(lambda: self.verb("status"), "the server serves")
        found = eventually(lambda: (self.content("A"), self.content("B")), "both can be read")
        self.assertIn(found, [(state, state) for state in states])

    def test_of_the_one_who_restores(self):
        draw = random.Random(7)
        for _ in range(12):
            after = self.change() if len(self.actions("A")) == 1 else self.content("A")
            run = self.restore()
            try:
                run.wait(draw.uniform(0.005, 0.25))
            except subprocess.TimeoutExpired:
                run.send_signal(signal.SIGKILL)
            run.communicate()
            self.check_one_of(self.before, after)
        self.check_lives_on()

    def test_of_the_server(self):
        after = self.change()
        draw = random.Random(8)
        for _ in range(4):
            run = self.restore()
            try:
                run.wait(draw.uniform(0.02, 0.2))
            except subprocess.TimeoutExpired:
                pass
            self.server.kill()
            run.communicate(timeout=PATIENCE * 2)
            self.start_server()
            self.check_one_of(self.before, after)
            after = self.change() if len(self.actions("A")) == 1 else self.content("A")
        self.check_lives_on()


class OfThePage(test_live_view.LiveViewWorld):
    def test_its_own_server_goes_back_and_answers(self):
        self.pair()
        self.verb("snapshot", "save", "one")
        self.does("A", "log diaper poo")
        self.agree("A", "B", count=2)
        view = self.view()
        status, answer = self.act("snapshot", "restore", "one")
        self.assertEqual(status, 200, answer)
        self.assertIn("restored one", answer["said"])
        again = self.view()
        again.shows("A and B hold the same 2 records")
        self.assertTrue(all(device.is_running() for device in self.devices.values()))
        self.does("A", "log diaper both")
        again.shows("A and B hold the same 3 records")
        del view

