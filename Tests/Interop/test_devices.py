"""Two devices and a cloud as processes (the runbook, N-01 to N-16). What a device holds is what it exports."""

import json
import os
import random
import signal

from devices import SOON, USER, World
from support import eventually, run_zonekit


class TwoDevices(World):
    def setUp(self):
        super().setUp()
        self.a, self.b = self.start("A"), self.start("B")
        self.a.say('profile name "Mia"')

    def test_a_logged_action_appears_on_the_other_device_within_seconds(self):
        self.a.say("log feeding bottle volume 120")
        action = self.sees("B", patience=SOON, category="feeding")
        self.assertEqual((action["feedingType"], action["bottleVolume"]), ("bottle", 120))
        self.assertEqual(self.agree("A", "B", count=1)[0]["name"], "Mia")

    def test_a_renamed_profile_appears_on_the_other_device_whoever_renames_it(self):
        for device, other, name in ((self.a, "B", "Mia Sophie"), (self.b, "A", "Zoë 👶")):
            eventually(lambda: self.content(device.name), f"{device.name} has a profile")
            device.say(f'profile name "{name}"')
            eventually(lambda: (self.content(other) or [{}])[0].get("name") == name, f"{other} sees {name}", SOON)
        self.agree("A", "B")

    def test_an_edit_and_a_deletion_travel(self):
        self.a.say("log diaper pee")
        action = self.sees("B", category="diaper")
        self.b.say(f'edit {action["id"]} placename "Grandma\'s house"')
        self.sees("A", patience=SOON, placename="Grandma's house")
        self.a.say(f"delete {action['id']}")
        eventually(lambda: self.content("B") and not self.actions("B"), "the action is gone on B", SOON)
        self.agree("A", "B", count=0)

    def test_what_one_device_starts_the_other_can_stop(self):
        self.a.say("start sleep")
        running = self.sees("B", category="sleep")
        self.assertNotIn("endDate", running)
        self.b.say("stop sleep")
        stopped = eventually(
            lambda: "endDate" in self.action("A", category="sleep") and self.action("A", category="sleep"),
            "the sleep has ended on A",
            SOON,
        )
        self.assertEqual(stopped["id"], running["id"])

    def test_edits_made_offline_travel_once_there_is_a_link(self):
        self.agree("A", "B", count=0)
        self.b.say("offline", "log sleep at -3h until -2h", "log diaper poo")
        self.a.say("log feeding meal")
        self.sees("B", category="diaper")
        eventually(lambda: len(self.actions("A")) == 1, "A has its own action")
        self.assertEqual(len(self.actions("B")), 2, "B is offline")
        self.b.say("online")
        self.agree("A", "B", count=3, patience=SOON)

    def test_of_two_edits_of_one_action_the_newer_wins_on_both(self):
        self.a.say("log feeding bottle volume 100")
        action = self.sees("B", category="feeding")
        for device in (self.a, self.b):
            device.say("offline")
        self.a.say(f"edit {action['id']} bottleVolume 110")
        self.sees("A", bottleVolume=110)
        self.b.say(f"edit {action['id']} bottleVolume 130")
        self.sees("B", bottleVolume=130)
        self.b.say("online")
        self.a.say("online")
        self.sees("A", patience=SOON, bottleVolume=130)
        self.agree("A", "B", count=1)

    def test_a_deletion_beats_an_edit(self):
        self.a.say("log feeding bottle volume 100")
        action = self.sees("B", category="feeding")
        for device in (self.a, self.b):
            device.say("offline")
        self.a.say(f"delete {action['id']}")
        eventually(lambda: not self.actions("A"), "the action is gone on A")
        self.b.say(f"edit {action['id']} bottleVolume 130")
        self.sees("B", bottleVolume=130)
        self.a.say("online")
        self.settled("A")
        self.b.say("online")
        self.agree("A", "B", count=0, patience=SOON)

    def test_two_sleeps_started_apart_are_both_kept_and_the_earlier_one_ended(self):
        self.agree("A", "B", count=0)
        for device in (self.a, self.b):
            device.say("offline")
        self.a.say("start sleep at -30m")
        self.b.say("start sleep at -10m")
        self.sees("A", category="sleep")
        self.sees("B", category="sleep")
        self.a.say("online")
        self.b.say("online")

        def one_runs():
            actions = sorted(self.agree("A", "B", count=2)[1].values(), key=lambda action: action["startDate"])
            self.assertEqual(["endDate" in action for action in actions], [True, False])
            self.assertEqual(actions[0]["endDate"], actions[1]["startDate"])
            return True

        eventually(one_runs, "the earlier sleep ends where the later starts")

    def test_an_edit_that_changes_nothing_is_not_sent(self):
        self.a.say("log feeding bottle volume 120")
        action = self.sees("B", category="feeding")
        cloud = self.cloud()
        before = cloud.lookup(action["id"], zone="NannyAndMe")[0]
        for device in (self.a, self.b):
            device.say(f"edit {action['id']} bottleVolume 120")
        self.a.say("log diaper pee")
        self.b.say("log diaper poo")
        self.agree("A", "B", count=3)
        self.settled("A", "B")
        self.assertEqual(cloud.lookup(action["id"], zone="NannyAndMe")[0], before)

    def test_there_is_no_ping_pong_after_all_agree(self):
        for number in range(5):
            self.a.say(f"log feeding bottle volume {100 + number}")
            self.b.say(f"log diaper pee at -{number + 1}m")
        self.agree("A", "B", count=10)
        self.settled("A", "B")
        cloud = self.cloud()
        token = cloud.feed("NannyAndMe")[1]
        self.a.say("sync", "log diaper both")
        self.b.say("sync", "background", "foreground")
        self.agree("A", "B", count=11)
        self.settled("A", "B")
        self.assertEqual(len(cloud.feed("NannyAndMe", token)[0]), 1, "only the one new action was written")

    def test_a_device_in_the_background_catches_up_in_the_foreground(self):
        self.agree("A", "B", count=0)
        self.b.say("background")
        self.a.say("log feeding meal", "log diaper pee")
        self.settled("A")
        self.b.say("foreground")
        self.agree("A", "B", count=2, patience=SOON)

    def test_wrong_commands_are_answered_and_the_device_goes_on(self):
        for number, command in enumerate(
            (
                "fly",
                "log",
                "log diaper",
                "edit",
                "stop nothing",
                "delete nowhere",
                'profile name "',
                "log sleep at yesterday",
                "\u0000\u0001",
            )
        ):
            before = len([event for event in self.a.heard() if "error" in str(event).lower()])
            self.a.say(command)
            eventually(
                lambda: (
                    len([event for event in self.a.heard() if "error" in str(event).lower()]) > before
                    or self.a.log().count("\n") > number
                ),
                f"an error for {command!r}",
            )
        self.a.say("log diaper pee")
        self.sees("A", category="diaper")
        self.assertTrue(self.a.is_running())

    def test_accounts_are_apart(self):
        stranger = self.start("C", user="somebody-else")
        stranger.say('profile name "Otto"', "log sleep at -2h until -1h")
        self.a.say("log diaper pee")
        self.agree("A", "B", count=1)
        self.settled("C", user="somebody-else")
        self.assertEqual((self.content("C")[0]["name"], len(self.actions("C"))), ("Otto", 1))
        self.assertEqual(self.content("B")[0]["name"], "Mia")


class Alone(World):
    """Devices without a server, or with one that comes and goes."""

    def run_device(self, name, *commands, stdin=None, server="127.0.0.1:1", push="127.0.0.1:1", expect=0):
        arguments = ["device", name, "--server", f"http://{server}", "--push", push, "--user", USER, "--linger", "1"]
        for command in commands:
            arguments += ["-c", command]
        run = run_zonekit(*arguments, data=self.data, stdin=stdin or "")
        self.assertEqual(run.returncode, expect, run.stderr)
        return run.stdout

    def test_a_device_works_without_a_server_and_sends_later(self):
        self.run_device("A", 'profile name "Mia"', "log feeding bottle volume 120", expect=3)
        self.assertEqual(self.content("A")[0]["name"], "Mia")
        self.assertEqual(self.diagnosed("A")["send"]["pending"], 2)
        server = self.start_server()
        self.run_device("A", "sync", server=server.http, push=server.push)
        self.assertEqual(self.diagnosed("A")["send"]["pending"], 0)
        self.start("B")
        self.agree("A", "B", count=1)

    def test_commands_may_come_by_option_or_by_standard_input(self):
        server = self.start_server()
        self.run_device("A", 'profile name "Mia"', "log diaper pee", server=server.http, push=server.push)
        self.run_device("B", stdin="sync\nlog diaper poo\n", server=server.http, push=server.push)
        self.assertEqual(self.diagnosed("A")["send"]["pending"], 0, "what was pending was sent before the end")
        self.start("A")
        self.agree("A", "B", count=2)

    def test_a_device_sends_what_it_has_once_the_server_is_back(self):
        self.start("A").say('profile name "Mia"')
        self.start("B")
        self.agree("A", "B", count=0)
        self.server.kill()
        self.devices["A"].say("log diaper pee")
        self.sees("A", category="diaper")
        self.start_server()
        self.devices["B"].say("log diaper poo")
        self.agree("A", "B", count=2, patience=30)

    def test_one_device_has_one_process(self):
        device = self.start("A")
        eventually(lambda: (self.data / "devices" / "A" / "device.sqlite").exists(), "the device's file is there")
        run = run_zonekit("device", "A", "-c", "status", data=self.data)
        self.assertEqual(run.returncode, 3, run.stdout)
        self.assertRegex(run.stderr, rf"\b{device.pid}\b")
        self.assertTrue(device.is_running())

    def test_sigterm_and_sigint_end_a_device_cleanly(self):
        for with_signal in (signal.SIGTERM, signal.SIGINT):
            device = self.start("A")
            device.say('profile name "Mia"', "log diaper pee")
            self.sees("A", category="diaper")
            device.process.send_signal(with_signal)
            self.assertEqual(device.wait(), 0, device.log())
            self.devices["A"] = self.start("A")
            self.devices["A"].say(f"delete {self.action('A', category='diaper')['id']}")
            eventually(lambda: not self.actions("A"), "the action is gone")
            self.assertEqual(self.devices["A"].quit(), 0)

    def test_device_names_cannot_leave_the_data_folder(self):
        for name in ("../outside", "a/b", ".", "..", "", "x" * 300, "a\nb"):
            run = run_zonekit("device", name, "-c", "status", "--linger", "0", data=self.data, timeout=30)
            if run.returncode == 0:
                found = [path for path in self.data.rglob("device.sqlite")]
                self.assertTrue(found)
                self.assertTrue(all(path.parents[1] == self.data / "devices" for path in found), found)
            else:
                self.assertEqual(run.returncode, 2, run.stderr)
        self.assertEqual([path.name for path in self.data.parent.iterdir()], ["world"] if self.data.exists() else [])

    def test_the_events_of_a_device_read_as_text_too(self):
        text = self.run_device("A", 'profile name "Mia"', "log diaper pee", "list", "status", expect=3)
        self.assertIn("diaper", text)
        self.assertFalse(text.lstrip().startswith("{"))


class KillDevices(World):
    """kill -9 of devices at random moments: nothing that a device showed is lost, and all agree soon after."""

    ROUNDS = 6

    def test_killed_devices_agree_within_seconds_of_their_return(self):
        rng = random.Random(11)
        self.start("A").say('profile name "Mia"')
        self.start("B")
        self.agree("A", "B", count=0)
        shown = {}
        for number in range(self.ROUNDS):
            for name in ("A", "B"):
                device = self.devices[name]
                device.say(*[f"log diaper pee at -{number * 20 + part + 1}m" for part in range(rng.randint(1, 8))])
            victim = rng.choice(["A", "B"])
            wanted = len(shown) + rng.randint(0, 3)
            eventually(lambda: len(self.actions(victim)) >= wanted, f"{victim} has {wanted} actions")
            self.devices[victim].kill()
            shown |= self.actions(victim)
            if rng.random() < 0.4:
                self.server.kill()
                self.start_server()
            self.start(victim)
        self.check_agreement(shown)

    def check_agreement(self, shown):
        for device in list(self.devices.values()):
            device.say("sync")
        content = self.agree("A", "B", patience=30 if not self.server else SOON * 2)
        self.assertLessEqual(set(shown), set(content[1]), "what a device showed before its death is still there")
        self.settled("A", "B")
        known = {record["recordName"] for record in self.cloud().feed("NannyAndMe")[0] if not record["deleted"]}
        self.assertLessEqual(set(content[1]), known)

    def test_a_device_killed_while_it_takes_in_a_large_feed_goes_on(self):
        self.start("A").say('profile name "Mia"', *[f"log diaper pee at -{number}m" for number in range(1, 301)])
        eventually(lambda: len(self.actions("A")) == 300, "A has logged everything", 30)
        self.settled("A")
        names = [f"B{number}" for number in range(5)]
        for number, name in enumerate(names):
            device = self.start(name)
            wanted = number + 1
            eventually(lambda: len(device.heard()) >= wanted, f"{name} has told {wanted} events")
            device.kill()
        for name in names:
            self.start(name)
        self.agree("A", *names, count=300)


class Demo(World):
    def check(self, steps, *words):
        """A story converges after that many steps."""
        run = run_zonekit("demo", *words, "--json", data=self.data, timeout=120)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        lines = [json.loads(line) for line in run.stdout.splitlines()]
        self.assertEqual((lines[-1]["event"], lines[-1]["converged"]), ("demo", True), run.stdout)
        self.assertTrue(all(line["held"] for line in lines[:-1]))
        self.assertEqual(len(lines) - 1, steps)

    def test_a_demo_fails_when_what_it_shows_does_not_happen(self):
        for folder in ("Scenarios", "Demos"):
            os.makedirs(os.path.join(self.data, folder))
        with open(os.path.join(self.data, "Demos", "demo-NannyAndMe.scenario"), "w", encoding="utf-8") as file:
            file.write(
                'scenario "demo-NannyAndMe"\napp NannyAndMe\ndevice A signed in as nanny\n\nnote "first"\n'
                'expect A is running\nnote "second"\nexpect A records 7\nnote "third"\n')
        run = run_zonekit(
            "demo", "--json", data=self.data, timeout=60,
            environment={"ZONEKIT_SCENARIOS": os.path.join(self.data, "Scenarios")})
        lines = [json.loads(line) for line in run.stdout.splitlines()]
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
        self.assertEqual([line["held"] for line in lines[:-1]], [True, False], run.stdout)
        self.assertIn("second", lines[1]["title"])
        self.assertEqual((lines[-1]["event"], lines[-1]["converged"]), ("demo", False), run.stdout)

    def test_the_demo_of_documents_converges_and_says_so(self):
        self.check(17, "--app", "diet-log")

    def test_the_demo_over_tables_converges_and_says_so(self):
        self.check(16, "swiss-coin")

    def test_the_demo_converges_and_says_so(self):
        self.check(12)
