"""What can be done to a device at its prompt beside the app's commands: clocks, accounts, commands during a sync."""

import datetime
import json
import signal
import socket
import threading
import unittest

from devices import Device, World
from support import Server, eventually

HOUR = 3600.0


def seconds(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


class Troubles(World):
    def told(self, device, command, **wanted):
        """The event that a command leads to, and the answer that says it is done."""
        heard = len(device.heard())
        device.say(command)

        def answer():
            return next((event for event in device.heard()[heard:] if event.get("command") == command), None)

        done = eventually(answer, f"{device.name} answers {command}")
        found = [
            event for event in device.events[heard:] if all(event.get(key) == value for key, value in wanted.items())
        ]
        self.assertTrue(found, f"{command} led to {device.events[heard:]}")
        self.assertEqual(done["event"], "answer")
        return found[0]

    def ahead(self, device, command):
        """How far the clock is ahead of the machine's once that was said, in seconds."""
        event = self.told(device, command, event="clock")
        return seconds(event["clock"]) - seconds(event["at"])

    def test_every_command_is_answered_once_it_is_done(self):
        device = self.start("A")
        for command in ("sync", "offline", "online", "background", "foreground", "clock real", "account nanny"):
            self.told(device, command, event="answer")

    def test_a_clock_is_set_ahead_and_back_and_right(self):
        device = self.start("A", "--clock-offset", "60000")
        self.assertAlmostEqual(self.ahead(device, "clock +1h"), HOUR + 60, delta=0.5)
        self.assertAlmostEqual(self.ahead(device, "clock -30m"), HOUR / 2 + 60, delta=0.5)
        self.assertAlmostEqual(self.ahead(device, "clock +250ms"), HOUR / 2 + 60.25, delta=0.2)
        self.assertAlmostEqual(self.ahead(device, "clock real"), 0, delta=0.5)

    def test_a_clock_that_stands_is_moved_and_runs_again_when_it_is_right(self):
        device = self.start("A")
        told = self.told(device, "clock 2030-01-01T00:00:00Z", event="clock")
        self.assertEqual(told["clock"], "2030-01-01T00:00:00.000Z")
        told = self.told(device, "clock +1h", event="clock")
        self.assertEqual(told["clock"], "2030-01-01T01:00:00.000Z")
        self.assertAlmostEqual(self.ahead(device, "clock real"), 0, delta=0.5)

    def test_a_clock_that_drifts_twice_as_fast_gains_what_passes(self):
        device = self.start("A", "--clock-drift", "1000000")
        first = self.ahead(device, "clock +0s")
        eventually(lambda: self.ahead(device, "clock +0s") > first + 0.05, "the clock has gained")
        gained = self.ahead(device, "clock drift 0")
        self.assertAlmostEqual(self.ahead(device, "clock +0s"), gained, delta=0.02)

    def test_a_device_is_in_the_time_zone_that_it_is_given_and_moves_to_another(self):
        device = self.start("A", "--timezone", "Asia/Kathmandu")
        self.told(device, "clock 2027-01-15T20:00:00Z", event="clock")
        self.told(device, "log diaper pee at 00:30", event="answer")
        shown = self.told(device, "list", event="answer")
        self.assertEqual(shown["actions"][0]["startDate"], "2027-01-15T18:45:00Z")
        self.assertEqual(self.told(device, "status", event="answer")["status"]["timezone"], "Asia/Kathmandu")
        told = self.told(device, "timezone America/New_York", event="timezone")
        self.assertEqual(told["timezone"], "America/New_York")
        self.told(device, "log diaper poo at 23:30", event="answer")
        shown = self.told(device, "list", event="answer")
        self.assertIn("2027-01-16T04:30:00Z", [action["startDate"] for action in shown["actions"]])

    def test_wrong_time_zones_are_refused_with_what_would_be_right(self):
        device = self.start("A")
        for command, answer in (
            ("timezone", "takes one word"),
            ("timezone Europe/Zurick", "did you mean Europe/Zurich"),
            ("timezone ../../etc/passwd", "is no time zone"),
        ):
            device.say(command)
            event = device.hears(lambda event: event.get("command") == command, f"an answer to {command}")
            self.assertEqual(event["event"], "error", command)
            self.assertRegex(event["message"], answer)

    def test_wrong_clocks_are_refused_with_what_would_be_right(self):
        device = self.start("A")
        for command in ("clock", "clock soon", "clock +", "clock +1x", "clock drift", "clock drift 1000001", "account"):
            device.say(command)
            event = device.hears(lambda event: event.get("command") == command, f"an answer to {command}")
            self.assertEqual(event["event"], "error", command)
            self.assertRegex(event["message"], "clock|account")

    def test_another_account_sees_nothing_of_the_first_and_nobody_sees_nothing(self):
        device = self.start("A")
        device.say("log diaper pee")
        self.sees("A", category="diaper")
        self.settled("A")
        changed = self.told(device, "account other", event="accountChanged")
        self.assertEqual((changed["from"], changed["to"], changed["discarded"]), ("nanny", "other", 0))
        self.assertEqual(self.told(device, "list", event="answer")["actions"], [])
        changed = self.told(device, "account none", event="accountChanged")
        self.assertIsNone(changed["to"])
        device.say("log diaper pee")
        refused = device.hears(lambda event: event["event"] == "error", "a refusal")
        self.assertIn("no account is signed in", refused["message"])
        self.told(device, "account nanny", event="accountChanged")
        self.sees("A", category="diaper")

    def test_a_device_started_signed_out_asks_the_cloud_nothing(self):
        device = self.start("A", "--signed-out")
        device.hears(lambda event: event["event"] == "launched" and event["user"] == "nobody", "it launches for nobody")
        self.told(device, "sync", event="answer")
        self.assertEqual([event for event in device.heard() if event["event"] == "syncStarted"], [])

    def test_an_eager_device_takes_commands_while_its_server_keeps_silent(self):
        self.start_server()
        self.server.process.send_signal(signal.SIGSTOP)
        try:
            device = self.start("A", "--eager")
            device.hears(lambda event: event["event"] == "launched", "it launches")
            self.told(device, "log diaper pee", event="answer")
            self.assertEqual([event for event in device.heard() if event["event"].startswith("syncF")], [])
        finally:
            self.server.process.send_signal(signal.SIGCONT)
        self.settled("A")

    # The operating system between the push service and the app

    def living(self):
        """A device that writes and a living one that hears of it, both at rest."""
        writer = self.start("A")
        writer.hears(lambda event: event["event"] == "subscription", "a subscription")
        living = self.start("B", "--life", "--eager")
        living.hears(lambda event: event["event"] == "subscription", "a subscription")
        # The first action of an account makes a profile too; what follows is one push each.
        writer.say('profile name "Mia"')
        eventually(lambda: (self.content("B") or [{}])[0].get("name") == "Mia", "B shows the profile")
        self.agree("A", "B", count=0)
        self.settled("A")
        living.hears(lambda event: event["event"] == "push", "the push of the profile")
        return writer, living

    def next_event(self, device, heard, *names):
        def found():
            return next((event for event in device.heard()[heard:] if event["event"] in names), None)

        return eventually(found, f"{device.name} tells of {names}")

    def test_a_device_that_saves_power_gets_its_push_when_it_does_so_no_longer(self):
        writer, living = self.living()
        self.told(living, "background", event="life")
        self.told(living, "lowpower on", event="answer")
        heard = len(living.heard())
        writer.say("log diaper pee")
        held = self.next_event(living, heard, "pushHeld", "push")
        self.assertEqual((held["event"], held["reason"]), ("pushHeld", "low power"))
        self.assertEqual(self.actions("B"), {})
        living.say("lowpower off")
        self.assertEqual(self.next_event(living, heard, "push")["id"], held["id"])
        self.sees("B", category="diaper")

    def test_the_fourth_push_of_an_hour_waits_until_the_app_is_opened(self):
        writer, living = self.living()
        self.told(living, "background", event="life")
        for number in range(1, 5):
            heard = len(living.heard())
            writer.say(f"log feeding bottle volume {number}")
            event = self.next_event(living, heard, "pushHeld", "push")
            self.assertEqual((event["event"], event.get("reason")), ("push", None) if number < 4 else ("pushHeld", "budget spent"))
            if number < 4:
                self.sees("B", bottleVolume=number)
        living.say("foreground")
        self.sees("B", bottleVolume=4)

    def test_a_force_quit_app_hears_nothing_and_can_do_nothing_until_it_is_opened(self):
        writer, living = self.living()
        self.told(living, "forcequit", event="answer")
        heard = len(living.heard())
        writer.say("log diaper poo")
        self.assertEqual(self.next_event(living, heard, "pushDiscarded", "push")["reason"], "force-quit")
        living.say("log diaper pee")
        refused = living.hears(lambda event: event.get("command") == "log diaper pee", "an answer")
        self.assertEqual(refused["event"], "error")
        self.assertIn("foreground", refused["message"])
        self.assertEqual(self.actions("B"), {})
        self.told(living, "foreground", event="launched")
        self.sees("B", category="diaper")
        self.told(living, "log diaper pee", event="answer")
        self.agree("A", "B", count=2)

    def test_a_device_without_a_life_says_how_to_get_one(self):
        device = self.start("A")
        device.say("lowpower on")
        refused = device.hears(lambda event: event.get("command") == "lowpower on", "an answer")
        self.assertIn("--life", refused["message"])


class PushServiceTroubles(World):
    """A push service that is not the cloud's, or that is out of order, does not make a device send requests."""

    def device(self, push):
        self.start_server()
        device = Device(self.data, "A", self.server.http, push)
        self.addCleanup(device.close)
        self.devices["A"] = device
        return device

    def count(self, device, fact):
        return sum(event.get("fact") == fact for event in device.heard())

    def test_the_push_service_of_another_server_refuses_each_token_and_is_asked_ever_later(self):
        other = Server(self.folder() / "other")
        self.addCleanup(other.close)
        device = self.device(other.push)
        refused = device.hears(
            lambda event: event.get("fact") == "pushTokenRefused" and event["retryInMilliseconds"] > 0,
            "the push service does not know the token, and a pause",
        )
        self.assertGreaterEqual(refused["retryInMilliseconds"], 2_000)
        self.assertEqual(self.count(device, "pushTokenRefused"), 2)
        self.assertLessEqual(self.server.cloud().request("GET", "/zonekit/status").json["requests"], 20)

    def fake(self, lines):
        """A push service that answers each hello with those lines and ends the connection."""
        listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listener.close)

        def serve():
            while True:
                try:
                    stream, _ = listener.accept()
                except OSError:
                    return
                with stream:
                    try:
                        stream.recv(4096)
                        stream.sendall(lines)
                    except OSError:
                        pass

        threading.Thread(target=serve, daemon=True).start()
        return "127.0.0.1:%d" % listener.getsockname()[1]

    def test_a_repeated_welcome_means_nothing(self):
        push = {"aps": {"content-available": 1}, "ck": {"ce": 2, "nid": "N", "ckuserid": "_x", "met": {"sid": "other"}}}
        lines = b'{"welcome":{}}\n' * 5_000 + json.dumps(push).encode() + b"\n"
        device = self.device(self.fake(lines))
        device.hears(lambda event: event["event"] in ("push", "pushIgnored"), "the line after the welcomes")
        wanted = [event for event in device.events if event.get("fact") == "syncRequested"]
        self.assertLess(len(wanted), 20)

    def test_errors_of_the_push_service_make_no_requests(self):
        device = self.device(self.fake(b'{"error":{"reason":"InternalServerError"}}\n' * 5_000))
        device.hears(lambda event: event.get("fact") == "syncFinished", "a sync")
        device.say("log diaper pee")
        self.sees("A", category="diaper")
        self.settled("A")
        self.assertLessEqual(self.server.cloud().request("GET", "/zonekit/status").json["requests"], 25)


if __name__ == "__main__":
    unittest.main()
