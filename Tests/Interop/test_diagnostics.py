"""The diagnostics dump, field by field, `diff`, and pushes delivered by hand (the interface contract)."""

import json
import re
import socket
import uuid

from devices import SOON, World
from support import eventually, run_zonekit

TIME = re.compile(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")
STATES = {"idle", "debouncing", "fetching", "sending", "backingOff", "offline", "signedOut", "notRunning"}


def time_or_nothing(value):
    return value is None or bool(TIME.match(value))


def count(value):
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def count_or_nothing(value):
    return value is None or count(value)


def text(value):
    return isinstance(value, str)


def text_or_nothing(value):
    return value is None or text(value)


def anything(value):
    return True


# The contract's shape of the dump: what each member must be. A list holds the shape of its elements.
DEVICE = {
    "name": text,
    "user": text_or_nothing,
    "state": lambda value: value in STATES,
    "push": {
        "lastReceivedAt": time_or_nothing,
        "lastNotificationID": text_or_nothing,
        "lastSentAt": time_or_nothing,
        "lastHandledAt": time_or_nothing,
        "lastLedToChangeAt": time_or_nothing,
        "received": count,
        "duplicates": count,
        "unknownSubscription": count,
        "withoutID": count,
        "drought": anything,
    },
    "fetch": {
        "lastStartedAt": time_or_nothing,
        "lastFinishedAt": time_or_nothing,
        "lastReason": text_or_nothing,
        "lastResult": text_or_nothing,
        "records": count,
        "pages": count,
        "tokenAge": anything,
    },
    "send": {
        "lastAt": time_or_nothing,
        "pending": count,
        "oldestPendingAt": time_or_nothing,
        "quarantined": [{"record": text, "reason": text}],
        "retryAfter": anything,
    },
    "subscription": {
        "id": text_or_nothing,
        "state": lambda value: value in {"unknown", "pending", "active", "failed"},
        "origin": lambda value: value in {"found", "created", "replaced", None},
        "verifiedAt": time_or_nothing,
        "error": anything,
    },
    "conflicts": {
        "total": count,
        "storm": anything,
        "last": [
            {"record": text, "at": time_or_nothing, "winner": text, "rule": text, "local": anything, "server": anything}
        ],
    },
    "clock": {"offset": anything},
    "counts": anything,
}
DUMP = {
    "generatedAt": time_or_nothing,
    "zonekit": anything,
    "devices": [DEVICE],
    "cloud": {
        "zones": [
            {"name": text, "records": count, "tombstones": count, "sequence": count, "lastCommitAt": time_or_nothing}
        ],
        "subscriptions": anything,
        "registrations": anything,
        "pushes": {
            "made": count_or_nothing,
            "excludedOrigin": count_or_nothing,
            "coalesced": count_or_nothing,
            "delivered": count_or_nothing,
            "stored": count_or_nothing,
            "discarded": anything,
        },
    },
    "traces": [
        {
            "change": text,
            "device": text,
            "committedAt": time_or_nothing,
            "notifiedAt": time_or_nothing,
            "receivedAt": time_or_nothing,
            "fetchedAt": time_or_nothing,
            "mergedAt": time_or_nothing,
            "on": text,
        }
    ],
}


def faults(value, shape, place=""):
    """Where a value is not of a shape: sentences. Members beside those of the contract are welcome."""
    if callable(shape):
        return [] if shape(value) else [f"{place} is {value!r}"]
    if isinstance(shape, list):
        if not isinstance(value, list):
            return [f"{place} is no list"]
        return [fault for number, item in enumerate(value) for fault in faults(item, shape[0], f"{place}[{number}]")]
    if not isinstance(value, dict):
        return [f"{place} is no object: {value!r}"]
    missing = [f"{place}.{name} is missing" for name in shape if name not in value]
    return missing + [
        fault for name in shape if name in value for fault in faults(value[name], shape[name], f"{place}.{name}")
    ]


class Dump(World):
    def setUp(self):
        super().setUp()
        self.start("A").say('profile name "Mia"', "log diaper pee")
        # Two that look at the same moment both find nothing and both create the one subscription.
        self.settled("A")
        self.start("B")
        self.agree("A", "B", count=1)
        self.devices["A"].say("log feeding meal")
        self.agree("A", "B", count=2)
        self.settled("A", "B")

    def check_shape(self, dump):
        self.assertEqual(faults(dump, DUMP), [])
        self.assertEqual(sorted(device["name"] for device in dump["devices"]), ["A", "B"])

    def test_a_running_system_has_every_field(self):
        dump = self.diagnostics()
        self.check_shape(dump)
        self.assertEqual([zone["name"] for zone in dump["cloud"]["zones"]], ["NannyAndMe"])
        self.assertEqual(dump["cloud"]["zones"][0]["records"], 3)
        self.assertEqual((dump["cloud"]["running"], count(dump["cloud"]["pushes"]["made"])), (True, True))
        self.assertNotIn("server is not running", self.verb("diagnostics"))

    def test_a_stopped_system_has_every_field(self):
        self.stop()
        dump = self.diagnostics()
        self.check_shape(dump)
        self.assertEqual([(device["state"], device["running"]) for device in dump["devices"]], [("notRunning", False)] * 2)
        self.assertEqual((dump["cloud"]["running"], dump["cloud"]["pushes"]["made"]), (False, None))
        said = self.verb("diagnostics")
        self.assertIn("device A, user nanny, not running", said)
        self.assertIn("cloud, the server is not running", said)
        self.assertNotIn("made 0", said)

    def test_it_tells_what_the_devices_did(self):
        def told():
            a, b = self.diagnosed("A"), self.diagnosed("B")
            self.assertEqual((a["state"], b["state"]), ("idle", "idle"))
            self.assertEqual((a["user"], a["send"]["pending"]), ("nanny", 0))
            self.assertEqual((a["counts"], b["counts"]), ({"BabyAction": 2, "Profile": 1},) * 2)
            self.assertRegex(a["send"]["lastAt"], TIME)
            self.assertGreaterEqual(b["push"]["received"], 1)
            for member in ("lastReceivedAt", "lastSentAt", "lastHandledAt", "lastLedToChangeAt"):
                self.assertRegex(b["push"][member] or "", TIME, member)
            self.assertTrue(b["push"]["lastNotificationID"])
            self.assertRegex(b["fetch"]["lastFinishedAt"], TIME)
            return True

        eventually(told, "the dump tells what happened")

    def test_one_subscription_is_created_by_one_device_and_found_by_the_other(self):
        subscriptions = [self.diagnosed(name)["subscription"] for name in ("A", "B")]
        self.assertEqual([item["state"] for item in subscriptions], ["active", "active"])
        self.assertEqual(sorted(item["origin"] for item in subscriptions), ["created", "found"])
        self.assertEqual(len({item["id"] for item in subscriptions}), 1)
        self.assertEqual(len(self.cloud().call("subscriptions/list").json["subscriptions"]), 1)

    def test_a_push_advances_the_time_stamp(self):
        before = self.diagnosed("B")["push"]
        self.devices["A"].say("log diaper both")
        self.agree("A", "B", count=3)
        after = eventually(
            lambda: (now := self.diagnosed("B")["push"])["received"] > before["received"] and now, "B was pushed"
        )
        self.assertGreater(after["lastReceivedAt"], before["lastReceivedAt"])

    def test_a_change_can_be_traced_from_the_commit_to_the_merge(self):
        traces = eventually(
            lambda: [trace for trace in self.diagnostics()["traces"] if trace["mergedAt"]], "a change has been traced"
        )
        for trace in traces:
            stations = [trace[name] for name in ("committedAt", "notifiedAt", "receivedAt", "fetchedAt", "mergedAt")]
            times = [time for time in stations if time]
            self.assertEqual(times, sorted(times), trace)
        self.assertTrue(
            any(all(trace[name] for name in ("committedAt", "receivedAt", "mergedAt")) for trace in traces), traces
        )

    def test_one_device_can_be_asked_for_and_the_dump_written_to_a_file(self):
        dump = self.diagnostics("--device", "B")
        self.assertEqual([device["name"] for device in dump["devices"]], ["B"])
        path = self.folder() / "dump.json"
        self.verb("diagnostics", "--json", "--out", path)
        self.check_shape(json.loads(path.read_text(encoding="utf-8")))
        run = run_zonekit("diagnostics", "--device", "Nobody", data=self.data)
        self.assertIn(run.returncode, (2, 3))
        self.assertIn("Nobody", run.stderr)

    def test_the_text_says_the_same(self):
        said = self.verb("diagnostics")
        for word in ("A", "B", "NannyAndMe", "received", "pending", "active", "ago"):
            self.assertRegex(said, rf"\b{word}\b")
        self.assertNotRegex(said, r"\x1b\[")

    def test_a_folder_that_does_not_exist_is_named(self):
        run = run_zonekit("diagnostics", "--json", data=self.folder() / "nothing")
        self.assertEqual(run.returncode, 2, run.stderr)
        self.assertIn("there is no folder", run.stderr)


class Diff(World):
    def setUp(self):
        super().setUp()
        self.start("A").say('profile name "Mia"', "log diaper pee")
        self.start("B")
        self.agree("A", "B", count=1)
        self.settled("A", "B")

    def test_equal_devices_have_no_difference(self):
        self.verb("diff", "A", "B", expect=0)
        self.stop()
        self.verb("diff", "A", "B", expect=0)

    def test_a_difference_is_named_and_explained(self):
        self.devices["B"].say("offline", "log feeding bottle volume 90")
        action = self.sees("B", category="feeding")
        said = self.verb("diff", "A", "B", expect=1)
        self.assertIn(action["id"][:8], said)
        self.assertRegex(said.lower(), "sent|pending|offline|waits", "the event that explains it")
        lines = [
            json.loads(line) for line in self.verb("diff", "A", "B", "--json", expect=1).splitlines() if line.strip()
        ]
        self.assertIn(action["id"], json.dumps(lines))
        self.devices["B"].say("online")
        eventually(
            lambda: run_zonekit("diff", "A", "B", data=self.data).returncode == 0,
            "there is no difference any more",
            SOON,
        )

    def test_an_unknown_device_is_named(self):
        run = run_zonekit("diff", "A", "Nobody", data=self.data)
        self.assertIn(run.returncode, (2, 3))
        self.assertIn("Nobody", run.stderr)


class PushSockets(World):
    """What is said about a device that no push reaches."""

    def setUp(self):
        super().setUp()
        self.start("A").say('profile name "Mia"')
        self.settled("A")
        # B registers its token with the server, and finds nothing where it connects for pushes.
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            push, self.server.push = self.server.push, f"127.0.0.1:{taken.getsockname()[1]}"
            self.start("B")
            self.server.push = push
            self.agree("A", "B", count=0)
            self.settled("B")
            eventually(lambda: self.diagnosed("B")["push"]["socket"]["reason"] == "connection refused", "B is refused")

    def test_a_device_shows_its_socket_and_the_difference_where_its_push_is(self):
        connected = self.diagnosed("A")["push"]["socket"]
        self.assertEqual((connected["connected"], connected["reason"]), (True, None))
        refused = self.diagnosed("B")["push"]["socket"]
        self.assertFalse(refused["connected"])
        self.assertRegex(refused["since"], TIME)
        said = self.verb("diagnostics")
        self.assertRegex(said, r"push socket +connected since")
        self.assertRegex(said, r"push socket +not connected since .*, connection refused")
        self.devices["A"].say("log diaper pee")
        self.settled("A")
        receivers = eventually(
            lambda: [one for one in self.diagnostics()["cloud"]["receivers"] if one["waiting"]], "a push waits at the service")
        self.assertEqual([(one["device"], one["connected"]) for one in receivers], [(self.device_id("B"), False)])
        said = self.verb("diff", "A", "B", expect=1)
        self.assertRegex(said, "the push waits at the service: B is not connected since .*, connection refused")
        self.assertEqual(self.devices["B"].quit(), 0)
        self.assertIn("it is not running, and the push waits at the service", self.verb("diff", "A", "B", expect=1))

    def device_id(self, name):
        return next(event["deviceID"] for event in self.devices[name].heard() if event["event"] == "launched")


class PushByHand(World):
    def setUp(self):
        super().setUp()
        self.device = self.start("B")
        self.device.say('profile name "Mia"')
        eventually(lambda: self.diagnosed("B")["subscription"]["state"] == "active", "B has its subscription")
        self.settled("B")
        self.before = eventually(lambda: self.diagnosed("B")["state"] == "idle" and self.diagnosed("B"), "B is at rest")

    def payload(self, **more):
        subscription = self.before["subscription"]["id"]
        ck = {
            "ce": 2,
            "cid": "iCloud.com.example.nannyandme",
            "nid": str(uuid.uuid4()).upper(),
            "met": {"sid": subscription, "dbs": 1, "zid": "NannyAndMe", "zoid": "_defaultOwner"},
        }
        path = self.folder() / "payload.json"
        path.write_text(json.dumps({"aps": {"content-available": 1}, "ck": ck | more}, indent=2))
        return path

    def received(self, more, member="received"):
        wanted = self.before["push"][member] + more
        return eventually(
            lambda: (push := self.diagnosed("B")["push"])[member] == wanted and push, f"{member} is {wanted}"
        )

    def test_a_payload_is_received_from_a_file_and_from_standard_input(self):
        path = self.payload()
        self.verb("push", "B", path)
        push = self.received(1)
        self.assertEqual(push["lastNotificationID"], json.loads(path.read_text())["ck"]["nid"])
        self.verb("push", "B", "-", stdin=self.payload().read_text())
        self.received(2)

    def test_the_same_notification_twice_gives_one_fetch(self):
        path = self.payload()
        self.verb("push", "B", path)
        self.received(1)
        started = eventually(
            lambda: (
                self.diagnosed("B")["fetch"]["lastStartedAt"] != self.before["fetch"]["lastStartedAt"]
                and self.diagnosed("B")["state"] == "idle"
                and self.diagnosed("B")["fetch"]["lastStartedAt"]
            ),
            "the push led to a fetch",
        )
        self.verb("push", "B", path)
        self.received(1, "duplicates")
        self.device.say("log diaper pee")
        self.sees("B", category="diaper")
        self.assertTrue(started)

    def test_a_push_without_an_id_and_one_of_an_unknown_subscription_are_counted(self):
        self.verb("push", "B", self.payload(nid=None))
        self.received(1, "withoutID")
        self.verb(
            "push", "B", self.payload(met={"sid": "unknown", "dbs": 1, "zid": "NannyAndMe", "zoid": "_defaultOwner"})
        )
        self.received(1, "unknownSubscription")

    def test_bad_payloads_and_absent_devices_are_refused(self):
        path = self.folder() / "bad.json"
        for content in ("", "{", "[]", "7", '{"a":1}x'):
            path.write_text(content)
            run = run_zonekit("push", "B", path, data=self.data)
            self.assertEqual(run.returncode, 2, f"{content!r}: {run.stdout}{run.stderr}")
        run = run_zonekit("push", "B", "/nowhere/payload.json", data=self.data)
        self.assertIn(run.returncode, (2, 3))
        run = run_zonekit("push", "Nobody", self.payload(), data=self.data)
        self.assertIn(run.returncode, (2, 3))
        self.assertIn("Nobody", run.stderr)
        self.assertEqual(self.device.quit(), 0)
        self.assertEqual(self.server.end(), 0)
        run = run_zonekit("push", "B", self.payload(), data=self.data)
        self.assertEqual(run.returncode, 3, run.stdout)
        self.assertIn("device B is not running", run.stderr)

    def test_a_payload_for_a_stopped_device_is_stored_at_the_running_server(self):
        self.assertEqual(self.device.quit(), 0)
        eventually(lambda: not self.diagnostics()["cloud"]["receivers"][0]["connected"], "B is gone")
        self.assertEqual(self.verb("push", "B", self.payload()), "stored for B, which is not connected\n")
        self.start("B")
        self.received(1)
