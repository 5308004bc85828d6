"""What can be done to a device at its prompt beside the app's commands: clocks, accounts, commands during a sync."""

import datetime
import signal
import unittest

from devices import World
from support import eventually

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


if __name__ == "__main__":
    unittest.main()
