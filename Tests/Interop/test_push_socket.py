"""The push socket (the interface contract) and what comes over it (CloudKit Web Services, f.1 and f.3; j.7).

That something is not pushed is shown by what comes next: lines come in order, so a change that is surely pushed is made
after the one that must not be, and the first line that comes is of the second.
"""

import json
import shutil
import subprocess
import uuid

from clients import CONTAINER, PushClient, operation
from support import UUID, Case, ServerCase, eventually, run_zonekit

SILENT = {"shouldSendContentAvailable": True}


def zone_of(line):
    """The zone that a notification tells of."""
    subject = next(line["ck"][key] for key in ("met", "fet") if key in line["ck"])
    return subject["zid"]


class PushCase(ServerCase):
    def setUp(self):
        super().setUp()
        self.owner = self.cloud.create_zone()["zoneID"]["ownerRecordName"]

    def connect(self, **hello):
        return self.keep(PushClient(self.server.push, hello))

    def watch(self, device="d7", **more):
        return self.connect(user=self.user, device=device, **more).welcomed()

    def device(self, client_id):
        """The token of a registered device."""
        return self.client(client_id=client_id).register(client_id)

    def check_closed_with_a_reason(self, client, reason=None):
        line = client.next()
        self.assertIsNotNone(line, "closed without a reason")
        self.assertIn("error", line)
        self.assertTrue(line["error"]["reason"])
        if reason:
            self.assertEqual(line["error"]["reason"], reason)
        self.assertIsNone(client.next(), "the gateway closes after an error")


class Payload(PushCase):
    def check_envelope(self, line):
        self.assertEqual(line["aps"], {"content-available": 1})
        ck = line["ck"]
        self.assertEqual((ck["ce"], ck["cid"], ck["ckuserid"]), (2, CONTAINER, self.owner))
        self.assertRegex(ck["nid"], UUID)
        self.assertEqual(len({"met", "fet", "qry"} & set(ck)), 1)
        self.assertLessEqual(len(json.dumps(line, separators=(",", ":"))), 4096)

    def test_a_database_subscription_gives_met(self):
        self.cloud.subscribe("sub-db")
        phone = self.connect(token=self.device("phone"), device="phone").welcomed()
        self.cloud.save("n")
        line = phone.next()
        self.check_envelope(line)
        self.assertEqual(line["ck"]["met"], {"sid": "sub-db", "dbs": 1, "zid": "Notes", "zoid": self.owner})

    def test_a_zone_subscription_gives_fet_for_its_zone_only(self):
        self.cloud.create_zone("Other")
        self.cloud.subscribe("sub-zone", subscriptionType="zone", zoneID={"zoneName": "Notes"})
        phone = self.connect(token=self.device("phone"), device="phone").welcomed()
        self.cloud.save("n", zone="Other")
        self.cloud.save("n", zone="Notes")
        line = phone.next()
        self.check_envelope(line)
        self.assertEqual(line["ck"]["fet"], {"sid": "sub-zone", "dbs": 1, "zid": "Notes", "zoid": self.owner})

    def test_two_subscriptions_give_two_lines_with_one_notification_id(self):
        self.cloud.subscribe("one")
        self.cloud.subscribe("two", subscriptionType="zone", zoneID={"zoneName": "Notes"})
        phone = self.connect(token=self.device("phone"), device="phone").welcomed()
        self.cloud.save("n")
        lines = [phone.next(), phone.next()]
        self.assertEqual(len({line["ck"]["nid"] for line in lines}), 1)
        subscriptions = {line["ck"].get("met", line["ck"].get("fet"))["sid"] for line in lines}
        self.assertEqual(subscriptions, {"one", "two"})

    def test_a_subscription_that_shows_something_says_what(self):
        self.cloud.subscribe("loud", notificationInfo={"alertBody": "News", "soundName": "ping"})
        phone = self.connect(token=self.device("phone"), device="phone").welcomed()
        self.cloud.save("n")
        aps = phone.next()["aps"]
        self.assertIn("News", json.dumps(aps["alert"]))
        self.assertEqual(aps["sound"], "ping")

    def test_a_payload_that_is_too_long_is_pruned_to_4096_bytes(self):
        self.cloud.subscribe("s" * 200, notificationInfo={"alertBody": "x" * 6000, **SILENT})
        phone = self.connect(token=self.device("phone"), device="phone").welcomed()
        self.cloud.save("n")
        line = phone.next()
        self.assertLessEqual(len(json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode()), 4096)

    def test_every_change_has_a_notification_id_of_its_own(self):
        watcher = self.watch()
        ids = set()
        for number in range(20):
            self.cloud.save("n", {"a": number})
            ids.add(watcher.next()["ck"]["nid"])
        self.assertEqual(len(ids), 20)


class WhoIsTold(PushCase):
    def test_the_device_that_made_the_change_is_left_out(self):
        self.cloud.subscribe()
        self.cloud.create_zone("Other")
        phone = self.connect(token=self.device("phone"), device="phone").welcomed()
        tablet = self.connect(token=self.device("tablet"), device="tablet").welcomed()
        self.client(client_id="phone").save("n", zone="Notes")
        self.client(client_id="tablet").save("n", zone="Other")
        self.assertEqual(zone_of(phone.next()), "Other")
        self.assertEqual(zone_of(tablet.next()), "Notes")

    def test_the_origin_may_be_named_in_the_body(self):
        self.cloud.subscribe()
        self.cloud.create_zone("Other")
        phone = self.connect(token=self.device("phone"), device="phone").welcomed()
        self.cloud.modify(operation("create", "n"), clientId="phone").succeeded()
        self.cloud.save("n", zone="Other")
        self.assertEqual(zone_of(phone.next()), "Other")

    def test_a_change_of_nobody_in_particular_is_told_to_all(self):
        self.cloud.subscribe()
        clients = [self.connect(token=self.device(name), device=name).welcomed() for name in ("phone", "tablet")]
        self.cloud.save("n")
        for client in clients:
            self.assertEqual(zone_of(client.next()), "Notes")

    def test_many_changes_of_one_request_make_one_notification(self):
        self.cloud.create_zone("Other")
        watcher = self.watch()
        self.cloud.modify(*[operation("create", f"n-{number}") for number in range(100)]).succeeded()
        self.cloud.save("n", zone="Other")
        self.assertEqual([zone_of(watcher.next()), zone_of(watcher.next())], ["Notes", "Other"])

    def test_a_failed_batch_makes_none(self):
        self.cloud.create_zone("Other")
        self.cloud.save("there")
        watcher = self.watch()
        self.assertEqual(self.cloud.modify(operation("create", "new"), operation("create", "there")).status, 400)
        self.assertEqual(self.cloud.modify(operation("create", "there"), atomic=False).status, 200)
        self.cloud.save("n", zone="Other")
        self.assertEqual(zone_of(watcher.next()), "Other")

    def test_reading_makes_none(self):
        self.cloud.create_zone("Other")
        self.cloud.save("n")
        watcher = self.watch()
        self.cloud.feed()
        self.cloud.lookup("n")
        self.cloud.database_changes()
        self.cloud.save("n", zone="Other")
        self.assertEqual(zone_of(watcher.next()), "Other")

    def test_deleting_a_zone_is_told(self):
        self.cloud.create_zone("Other")
        watcher = self.watch()
        self.cloud.delete_zone("Other")
        self.assertEqual(zone_of(watcher.next()), "Other")

    def test_without_a_subscription_a_registered_device_hears_nothing(self):
        self.cloud.create_zone("Other")
        phone = self.connect(token=self.device("phone"), device="phone").welcomed()
        self.cloud.save("n")
        self.cloud.subscribe("mute", notificationInfo=None)
        self.cloud.save("n")
        self.cloud.subscribe()
        self.cloud.save("n", zone="Other")
        self.assertEqual(zone_of(phone.next()), "Other")

    def test_a_deleted_subscription_fires_no_more(self):
        self.cloud.create_zone("Other")
        self.cloud.subscribe("gone")
        phone = self.connect(token=self.device("phone"), device="phone").welcomed()
        self.cloud.modify_subscriptions(("delete", {"subscriptionID": "gone"}))
        self.cloud.save("n")
        self.cloud.subscribe()
        self.cloud.save("n", zone="Other")
        self.assertEqual(zone_of(phone.next()), "Other")

    def test_one_that_fires_once_goes_with_its_first_notification(self):
        self.cloud.subscribe("once", firesOnce=True)
        phone = self.connect(token=self.device("phone"), device="phone").welcomed()
        self.cloud.save("n")
        self.assertEqual(phone.next()["ck"]["met"]["sid"], "once")
        self.assertEqual(self.cloud.call("subscriptions/list").json["subscriptions"], [])

    def test_other_accounts_containers_and_environments_are_not_told(self):
        clients = [
            self.client("a neighbour"),
            self.client(environment="production"),
            self.client(container="iCloud.com.example.other"),
        ]
        watcher = self.watch(container=CONTAINER, environment="development")
        for client in clients:
            client.create_zone("Elsewhere")
            client.save("n", zone="Elsewhere")
        self.cloud.save("n")
        self.assertEqual(zone_of(watcher.next()), "Notes")

    def test_200_watchers_are_all_told(self):
        watchers = [self.watch(device=f"d{number}") for number in range(200)]
        self.cloud.save("n")
        self.assertEqual(len({watcher.next()["ck"]["nid"] for watcher in watchers}), 1)


class StoreAndForward(PushCase):
    def setUp(self):
        super().setUp()
        self.cloud.subscribe()
        for name in ("A", "B", "C"):
            self.cloud.create_zone(name)
        self.token = self.device("phone")

    def test_one_notification_waits_for_a_device_that_is_away_and_it_is_the_newest(self):
        for zone in ("A", "B"):
            self.cloud.save("n", zone=zone)
        phone = self.connect(token=self.token, device="phone").welcomed()
        self.assertEqual(zone_of(phone.next()), "B")
        self.cloud.save("n", zone="C")
        self.assertEqual(zone_of(phone.next()), "C")

    def test_what_was_delivered_does_not_come_again(self):
        self.cloud.save("n", zone="A")
        first = self.connect(token=self.token, device="phone").welcomed()
        self.assertEqual(zone_of(first.next()), "A")
        first.close()
        second = self.connect(token=self.token, device="phone").welcomed()
        self.cloud.save("n", zone="B")
        self.assertEqual(zone_of(second.next()), "B")

    def test_a_device_that_goes_away_has_the_next_change_stored(self):
        phone = self.connect(token=self.token, device="phone").welcomed()
        self.cloud.save("n", zone="A")
        self.assertEqual(zone_of(phone.next()), "A")
        phone.close()

        # When the gateway has seen the connection's end is its own affair: a line written before that is lost, as with
        # APNs. So changes go on until one of them was stored.
        def stored():
            self.cloud.save("n", {"at": str(uuid.uuid4())}, zone="B")
            again = self.connect(token=self.token, device="phone").welcomed()
            self.cloud.save("n", {"at": str(uuid.uuid4())}, zone="C")
            found = zone_of(again.next())
            again.close()
            return found == "B"

        eventually(stored, "a change made while the device is away waits for it")


class Options(Case):
    """What `serve` can be told about the push service."""

    def test_a_newer_token_ends_the_older_one_also_over_a_restart(self):
        data = self.folder() / "data"
        server = self.serve(data, "--push-retire-tokens", "--push-slot", "oldest", "--push-burst", "50")
        phone = self.keep(server.cloud(client_id="phone"))
        phone.create_zone("A")
        phone.create_zone("B")
        phone.subscribe()
        old, new = phone.register("phone"), phone.register("phone")
        self.assertNotEqual(old, new)
        refused = self.keep(server.push_client(token=old, device="phone")).next()
        self.assertEqual(refused["error"]["reason"], "Unregistered")
        self.assertEqual(server.end(), 0)
        server = self.serve(data, "--push-retire-tokens", "--push-slot", "oldest", "--push-burst", "50")
        refused = self.keep(server.push_client(token=old, device="phone")).next()
        self.assertIn(refused["error"]["reason"], ("Unregistered", "BadDeviceToken"))
        other = self.keep(server.cloud(client_id="tablet"))
        for zone in ("A", "B"):
            other.save("n", zone=zone)
        welcomed = self.keep(server.push_client(token=new, device="phone")).welcomed()
        self.assertEqual(zone_of(welcomed.next()), "A")

    def test_a_slot_policy_that_is_none_is_refused(self):
        run = run_zonekit("serve", "--push-slot", "best", data=self.folder() / "data")
        self.assertEqual(run.returncode, 2)
        self.assertIn("--push-slot takes newest, oldest or random, not best", run.stderr)


class Hello(PushCase):
    def test_an_unknown_token_is_refused(self):
        self.check_closed_with_a_reason(self.connect(token="bm9ib2R5", device="phone"), "BadDeviceToken")

    def test_the_newer_connection_of_a_token_wins(self):
        self.cloud.subscribe()
        token = self.device("phone")
        older = self.connect(token=token, device="phone").welcomed()
        newer = self.connect(token=token, device="phone").welcomed()
        self.check_closed_with_a_reason(older)
        self.cloud.save("n")
        self.assertEqual(zone_of(newer.next()), "Notes")

    def test_input_after_the_hello_ends_the_connection(self):
        watcher = self.watch()
        watcher.say(b'{"hello":{"user":"x","device":"y"}}\n')
        self.check_closed_with_a_reason(watcher)

    def test_lines_that_are_no_hello_are_refused(self):
        for line in (
            b"hello\n",
            b"{}\n",
            b"[]\n",
            b'{"hello":7}\n',
            b'{"hello":{}}\n',
            b'{"hello":{"token":7}}\n',
            b"\xff\xfe\n",
            b'{"hello":{"user":""}}\n',
            b"GET / HTTP/1.1\r\n",
            b"[" * 5000 + b"\n",
        ):
            with self.subTest(line=line[:30]):
                client = self.keep(PushClient(self.server.push))
                client.say(line)
                self.check_closed_with_a_reason(client)

    def test_a_line_of_more_than_8_kib_is_refused(self):
        for tail in (b"\n", b""):
            client = self.keep(PushClient(self.server.push))
            client.say(b'{"hello":{"user":"' + b"x" * 9000 + tail)
            self.check_closed_with_a_reason(client)

    def test_a_hello_may_come_byte_by_byte(self):
        client = self.keep(PushClient(self.server.push))
        for byte in json.dumps({"hello": {"user": self.user, "device": "d"}}).encode() + b"\r\n":
            client.say(bytes([byte]))
        client.welcomed()

    def test_half_a_hello_and_then_nothing_is_no_matter(self):
        for content in (b"", b"{", b'{"hello":{"user":"u","device":"d"}}'):
            client = PushClient(self.server.push)
            client.say(content)
            client.close()
        self.watch()

    def test_anyone_can_watch_with_nc(self):
        program = shutil.which("nc")
        if not program:
            self.skipTest("there is no nc (Debian: netcat-openbsd)")
        host, _, port = self.server.push.rpartition(":")
        watcher = subprocess.Popen([program, host, port], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.addCleanup(watcher.communicate)
        self.addCleanup(watcher.kill)
        watcher.stdin.write(json.dumps({"hello": {"user": self.user, "device": "d7"}}).encode() + b"\n")
        watcher.stdin.flush()
        self.assertIn("welcome", json.loads(watcher.stdout.readline()))
        self.cloud.save("n")
        self.assertEqual(zone_of(json.loads(watcher.stdout.readline())), "Notes")

    def test_a_watcher_that_reads_nothing_keeps_nobody_waiting(self):
        deaf, watcher = self.watch("deaf"), self.watch("attentive")
        for number in range(300):
            self.cloud.save("n", {"a": number})
            self.assertEqual(zone_of(watcher.next()), "Notes")
        self.assertIn("ck", deaf.next())


class StrictMode(Case):
    def test_watching_without_a_token_is_refused(self):
        server = self.serve(None, "--auth", "strict")
        client = self.keep(server.push_client(user="nanny", device="d"))
        line = client.next()
        self.assertTrue(line["error"]["reason"])
        self.assertIsNone(client.next())

