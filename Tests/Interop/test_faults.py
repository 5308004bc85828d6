"""Troubles on demand: /zonekit/faults lists, sets and clears what the cloud is to do wrong."""

import http.client
import json
import time

from clients import CONTAINER, ZONE, PushClient, operation
from support import Case, ServerCase, run_zonekit

PATH = "/zonekit/faults"


class Faults(ServerCase):
    def tearDown(self):
        self.cloud.close()
        self.cloud.request("DELETE", PATH)

    def setUp(self):
        super().setUp()
        self.cloud.create_zone()

    def plan(self, *faults):
        reply = self.cloud.request("PUT", PATH, json.dumps({"faults": list(faults)}))
        self.assertEqual(reply.status, 200, reply.json)

    def listed(self):
        reply = self.cloud.request("GET", PATH)
        self.assertEqual(reply.status, 200)
        return reply.json["faults"]

    def assert_no_answer(self, *operations):
        with self.assertRaises((http.client.RemoteDisconnected, ConnectionError)):
            self.cloud.modify(*operations)
        self.cloud.close()

    def test_a_plan_is_set_counted_and_cleared(self):
        fault = {"do": "refuse", "error": "serviceUnavailable", "on": ["lookupRecords"], "retryAfter": 2000, "times": 2}
        self.plan({**fault, "name": "outage"})
        for _ in range(2):
            reply = self.cloud.call("records/lookup", {"records": [{"recordName": "a"}]})
            self.assert_top_level_error(reply, 503, "TRY_AGAIN_LATER")
            self.assertEqual(reply.headers["retry-after"], "2")
        self.assertEqual(self.cloud.lookup("a")[0]["serverErrorCode"], "NOT_FOUND")
        (entry,) = self.listed()
        self.assertEqual((entry["name"], entry["hits"], entry["passed"]), ("outage", 2, 0))
        self.assertEqual(self.cloud.request("DELETE", PATH).json["faults"], [])
        self.assertEqual(self.listed(), [])

    def test_what_was_listed_can_be_set_again(self):
        self.plan({"do": "listZone", "listed": "Ghost", "user": self.user}, {"do": "staleFeed", "milliseconds": 5})
        before = self.listed()
        self.plan(*before)
        self.assertEqual(self.listed(), before)

    def test_a_full_cloud_takes_deletions(self):
        self.cloud.save("a")
        self.plan({"do": "refuseItems", "error": "quotaExceeded", "on": ["saveRecords"]})
        records = self.cloud.modify(
            operation("create", "b"), operation("forceDelete", "a"), operation("create", "c"), atomic=False
        ).succeeded()["records"]
        self.assert_item_error(records[0], "QUOTA_EXCEEDED")
        self.assertTrue(records[1]["deleted"])
        self.assert_item_error(records[2], "QUOTA_EXCEEDED")

    def test_a_request_is_lost_before_it_is_done(self):
        self.plan({"do": "loseRequest", "on": ["saveRecords"], "times": 1})
        self.assert_no_answer(operation("create", "a"))
        self.assertEqual(self.cloud.lookup("a")[0]["serverErrorCode"], "NOT_FOUND")

    def test_an_answer_is_lost_after_the_commit(self):
        self.plan({"do": "loseAnswer", "on": ["saveRecords"], "times": 1})
        self.assert_no_answer(operation("create", "a"))
        self.assert_saved(self.cloud.lookup("a")[0])

    def test_a_request_is_done_twice(self):
        self.plan({"do": "repeatRequest", "on": ["saveRecords"], "times": 1})
        (record,) = self.cloud.modify(operation("create", "a"), atomic=False).succeeded()["records"]
        self.assertIn(record["serverErrorCode"], ("CONFLICT", "EXISTS"))
        self.assert_saved(self.cloud.lookup("a")[0])

    def test_an_answer_comes_late_and_those_behind_it_keep_their_order(self):
        self.plan({"do": "delayAnswer", "milliseconds": 300, "on": ["listZones"], "times": 1})
        raw = self.keep(self.server.raw())
        started = time.monotonic()
        late = f"GET {self.cloud.path('zones/list')} HTTP/1.1\r\nHost: x\r\n\r\n"
        prompt = "GET /zonekit/faults HTTP/1.1\r\nHost: localhost\r\n\r\n"
        self.assertEqual(self.cloud.call("records/lookup", {"records": []}).status, 200)
        raw.send((late + prompt).encode())
        first, second = raw.response(), raw.response()
        self.assertGreaterEqual(time.monotonic() - started, 0.3)
        self.assertIn("zones", first.json)
        self.assertIn("faults", second.json)

    def test_one_user_suffers_and_another_does_not(self):
        self.plan({"do": "refuse", "error": "internalError", "user": self.user})
        self.assert_top_level_error(self.cloud.call("zones/list", method="GET"), 500, "INTERNAL_ERROR")
        other = self.client(self.user + "2")
        self.assertEqual(other.call("zones/list", method="GET").status, 200)

    def test_feeds_are_stale_stuck_and_haunted(self):
        self.cloud.save("a")
        self.plan({"do": "staleFeed", "milliseconds": 3_600_000, "on": ["fetchZoneChanges"], "times": 1})
        self.assertEqual(self.cloud.zone_changes()["records"], [])
        page = self.cloud.zone_changes()
        self.assertEqual([record["recordName"] for record in page["records"]], ["a"])
        self.plan({"do": "stuckToken", "times": 1}, {"do": "listZone", "listed": "Ghost"})
        stuck = self.cloud.zone_changes(token=page["syncToken"])
        self.assertEqual((stuck["syncToken"], stuck["moreComing"]), (page["syncToken"], True))
        zones = self.cloud.database_changes()["zones"]
        self.assertIn("Ghost", [zone["zoneID"]["zoneName"] for zone in zones])
        self.assertEqual(self.cloud.zone_changes("Ghost")["serverErrorCode"], "ZONE_NOT_FOUND")

    def administer(self, deed, **more):
        body = {"do": deed, "user": self.user, "container": CONTAINER, **more}
        return self.cloud.request("POST", "/zonekit/administration", json.dumps(body))

    def test_the_clouds_habits_are_set_and_set_back(self):
        self.cloud.save("a")
        self.cloud.delete("a")
        limits = {"firstFetchTombstones": "none", "visibleDelay": 0, "duplicateSubscriptionError": "internalError"}
        reply = self.cloud.request("PUT", PATH, json.dumps({"faults": [], "limits": limits}))
        self.assertEqual({key: reply.json["limits"][key] for key in limits}, limits)
        self.assertEqual(self.cloud.feed()[0], [])
        reply = self.cloud.request("PUT", PATH, json.dumps({"faults": [], "limits": {"firstFetchTombstones": "some"}}))
        self.assertIn("limits.firstFetchTombstones must be none, ownCreated or all", reply.json["reason"])
        self.cloud.request("DELETE", PATH)
        self.assertEqual([record["recordName"] for record in self.cloud.feed()[0]], ["a"])

    def test_an_administrator_expires_purges_and_drops(self):
        self.cloud.save_all(["a", "b"])
        self.cloud.subscribe("all")
        token = self.cloud.feed()[1]
        self.assertEqual(self.administer("expireZoneTokens", zone=ZONE).json, {"done": True})
        self.assertEqual(self.cloud.zone_changes(token=token)["nativeCode"], "changeTokenExpired")
        self.cloud.delete("a")
        self.administer("purgeTombstones", zone=ZONE).succeeded()
        self.assertEqual([record["recordName"] for record in self.cloud.feed()[0]], ["b"])
        self.administer("dropSubscription", subscription="all").succeeded()
        self.assertEqual(self.cloud.call("subscriptions/list").json["subscriptions"], [])
        self.administer("purgeZone", zone=ZONE).succeeded()
        self.assertEqual(self.cloud.zone_changes()["nativeCode"], "userDeletedZone")
        self.assert_top_level_error(self.administer("purgeZone", zone="None"), 404, "ZONE_NOT_FOUND")
        reply = self.administer("explode")
        self.assert_top_level_error(reply, 400, "BAD_REQUEST")
        self.assertIn("administration.do must be eraseRecords", reply.json["reason"])

    def test_what_is_no_plan_is_refused_and_the_old_one_stays(self):
        self.plan({"do": "loseAnswer", "user": "nobody"})
        before = self.listed()
        for body, words in [
            (b"{", "the body is no JSON"),
            (b"{}", "faults must be an array"),
            (b'{"faults":[{"do":"explode"}]}', "faults[0].do must be refuse"),
            (b'{"faults":[{"do":"refuse","error":"quotaExceeded","onn":[]}]}', "faults[0].onn is unknown"),
        ]:
            reply = self.cloud.request("PUT", PATH, body)
            self.assert_top_level_error(reply, 400, "BAD_REQUEST")
            self.assertIn(words, reply.json["reason"])
        reply = self.cloud.request("POST", PATH, b"{}")
        self.assertEqual((reply.status, reply.headers["allow"]), (405, "GET, PUT, DELETE"))
        self.assertEqual(self.listed(), before)


class FaultsOfPushes(ServerCase):
    """Pushes to foreign clients of the push socket are lost, doubled, late or swapped on a running server."""

    def setUp(self):
        super().setUp()
        self.cloud.create_zone()
        self.cloud.subscribe()
        self.tokens = []
        self.phone = self.device("phone")
        self.tablet = self.device("tablet")

    def tearDown(self):
        self.cloud.request("DELETE", PATH)
        # The tests share a server, and a name is that of each device that uses it.
        for token in self.tokens:
            body = {"do": "endPushToken", "token": token, "user": self.user, "container": CONTAINER}
            self.cloud.request("POST", "/zonekit/administration", json.dumps(body)).succeeded()

    def register(self, client_id):
        self.tokens.append(self.client(client_id=client_id).register(client_id))
        return self.tokens[-1]

    def device(self, name):
        token = self.register(f"id-{name}")
        return self.keep(PushClient(self.server.push, {"token": token, "device": name})).welcomed()

    def put(self, *faults):
        return self.cloud.request("PUT", PATH, json.dumps({"faults": list(faults)}))

    def plan(self, *faults):
        reply = self.put(*faults)
        self.assertEqual(reply.status, 200, reply.json)
        return reply.json["faults"]

    def hits(self):
        return [fault["hits"] for fault in self.cloud.request("GET", PATH).json["faults"]]

    def change(self, by=None, zone=ZONE):
        """A change of a record, and the ID that its notification has at a device without faults."""
        (self.client(client_id=by) if by else self.cloud).save("n", {"a": time.monotonic()}, zone=zone)

    def ids(self, client, count):
        return [client.next()["ck"]["nid"] for _ in range(count)]

    def test_a_push_is_lost_for_its_receiver_alone(self):
        self.plan({"do": "dropPush", "receiver": "phone", "times": 1})
        self.change()
        self.change()
        lost, heard = self.ids(self.tablet, 2)
        self.assertEqual(self.ids(self.phone, 1), [heard])
        self.assertNotEqual(lost, heard)
        self.assertEqual(self.hits(), [1])
        status = self.cloud.request("GET", "/zonekit/status").json["cloud"]
        self.assertGreaterEqual(status["pushes"]["disturbed"], 1)

    def test_a_receiver_is_named_by_its_device_id_or_as_device_too(self):
        for member, value in (("receiver", "id-phone"), ("device", "phone")):
            (listed,) = self.plan({"do": "dropPush", member: value, "times": 1})
            self.assertEqual((listed["receiver"], "note" in listed), (value, False))
            self.change()
            self.change()
            self.assertEqual(self.ids(self.phone, 1), self.ids(self.tablet, 2)[1:])

    def test_an_author_is_not_a_receiver(self):
        self.plan({"do": "dropPush", "author": "phone"})
        self.change(by="id-tablet")
        self.change(by="id-phone")
        self.change()
        first, second = self.ids(self.phone, 2)
        self.assertEqual(self.ids(self.tablet, 1), [second])
        self.assertNotEqual(first, second)
        self.assertEqual(self.hits(), [1])

    def test_pushes_come_twice_late_and_behind_the_next(self):
        self.plan({"do": "doublePush", "receiver": "phone", "times": 1})
        self.change()
        self.assertEqual(len(set(self.ids(self.phone, 2))), 1)
        self.plan({"do": "swapPushes", "receiver": "phone", "times": 1})
        self.change()
        self.change()
        self.assertEqual(self.ids(self.phone, 2), self.ids(self.tablet, 3)[:0:-1])
        self.plan({"do": "delayPush", "milliseconds": 150, "receiver": "phone", "times": 1})
        self.change()
        self.change()
        self.assertEqual(self.ids(self.phone, 2), self.ids(self.tablet, 2)[::-1])

    def test_a_swapped_push_goes_when_the_plan_is_cleared(self):
        self.plan({"do": "swapPushes", "receiver": "phone"})
        self.change()
        expected = self.ids(self.tablet, 1)
        self.cloud.request("DELETE", PATH)
        self.assertEqual(self.ids(self.phone, 1), expected)

    def test_a_stored_push_meets_its_fault_when_the_device_connects(self):
        token = self.register("id-watch")
        self.change()
        self.plan({"do": "dropPush", "receiver": "id-watch", "times": 1})
        watch = self.keep(PushClient(self.server.push, {"token": token, "device": "watch"}))
        self.assertEqual(watch.next()["welcome"]["stored"], 1)
        self.change()
        self.assertEqual(self.ids(watch, 1), self.ids(self.tablet, 2)[1:])

    def test_zone_subscription_and_account_narrow_a_fault_down(self):
        self.cloud.create_zone("Other")
        self.assertEqual(self.ids(self.phone, 1), self.ids(self.tablet, 1))
        self.plan(
            {"do": "dropPush", "zone": "Nowhere"}, {"do": "dropPush", "user": "nobody"},
            {"do": "dropPush", "zone": "Other", "subscription": "all", "user": self.user, "receiver": "phone"})
        self.change(zone="Other")
        self.change()
        self.assertEqual(self.ids(self.phone, 1), self.ids(self.tablet, 2)[1:])
        self.assertEqual(self.hits(), [0, 0, 1])

    def test_a_fault_that_can_hit_nothing_is_refused_or_says_so(self):
        reply = self.put({"do": "dropPush", "on": ["saveRecords"]})
        self.assert_top_level_error(reply, 400, "BAD_REQUEST")
        self.assertIn("dropPush applies to push, changeEvent", reply.json["reason"])
        notes = [fault.get("note") for fault in self.plan(
            {"do": "dropPush", "receiver": "Q"}, {"do": "loseAnswer", "device": "Q"},
            {"do": "dropPush", "subscription": "none"}, {"do": "muteSubscriptions"}, {"do": "dropPush"})]
        self.assertIn("no device Q is known", notes[0])
        self.assertIn("no device Q is known", notes[1])
        self.assertIn("no subscription none", notes[2])
        self.assertIn("acts on subscriptions that are saved from now on", notes[3])
        self.assertIsNone(notes[4])
        notes = [fault.get("note") for fault in self.plan(
            {"do": "dropPush", "zone": "Nope"}, {"do": "dropPush", "user": "nobody"}, {"do": "omitRecords", "records": ["nope"]},
            {"do": "dropEvent", "receiver": "phone"}, {"do": "dropEvent", "table": "persons"},
            {"do": "dropPush", "zone": ZONE, "user": self.user, "receiver": "phone", "subscription": "all"})]
        for note, words in zip(notes, (
            "no zone Nope", "no account nobody", "no record nope", "phone gets notifications", "changes of persons make no events",
        )):
            self.assertIn(words, note or "")
        self.assertIsNone(notes[5])
        self.assert_top_level_error(self.put({"do": "dropPush", "times": 0}), 400, "BAD_REQUEST")

    def test_a_muted_subscription_makes_no_push(self):
        body = {"do": "muteSubscription", "subscription": "all", "user": self.user, "container": CONTAINER}
        self.cloud.request("POST", "/zonekit/administration", json.dumps(body)).succeeded()
        self.change()
        self.cloud.subscribe("loud")
        self.change()
        self.assertEqual(self.phone.next()["ck"]["met"]["sid"], "loud")

    def fault(self, *words):
        return run_zonekit("fault", *words, "--server", f"http://{self.server.http}", data=self.server.data)

    def test_faults_are_made_listed_and_cleared_in_the_words_of_scenarios(self):
        made = self.fault("add", "drop the next push to phone")
        self.assertEqual((made.returncode, made.stderr), (0, ""))
        self.assertIn("drop the next push to phone", made.stdout)
        made = self.fault("add", "delay every push from phone to tablet by 3s in zone Notes in 30% of cases", "--json")
        fault = json.loads(made.stdout)["fault"]
        self.assertEqual(
            {key: fault[key] for key in ("do", "receiver", "author", "zone", "perMille", "milliseconds")},
            {"do": "delayPush", "receiver": "tablet", "author": "phone", "zone": "Notes", "perMille": 300, "milliseconds": 3000})
        self.change()
        self.change()
        self.assertEqual(self.ids(self.phone, 1), self.ids(self.tablet, 2)[1:])
        lines = [json.loads(line) for line in self.fault("list", "--json").stdout.splitlines()]
        self.assertEqual([line["hits"] for line in lines], [1, 0])
        self.assertIn("drop the next push to phone", self.fault("list").stdout)
        self.assertEqual(self.fault("add", "pushes to phone flow again").returncode, 0)
        self.assertEqual(len(self.cloud.request("GET", PATH).json["faults"]), 1)
        cleared = self.fault("clear")
        self.assertEqual((cleared.returncode, cleared.stdout), (0, "removed 1 fault\n"))
        self.assertEqual(self.fault("list").stdout, "no faults\n")

    def test_a_request_of_a_named_device_has_faults_too(self):
        self.assertEqual(self.fault("add", "the cloud answers the next save of phone with quotaExceeded").returncode, 0)
        self.cloud.save("a")
        reply = self.client(client_id="id-phone").modify(operation("create", "b"))
        self.assertEqual(reply.json.get("serverErrorCode"), "QUOTA_EXCEEDED", reply.json)

    def test_a_sentence_that_is_none_is_refused_with_the_devices(self):
        for sentence, words in (
            ("drop the next push to Q", "expected a device (phone, tablet)"), ("drop the next pish to phone", "did you mean push"),
            ("wait 2s", "no sentence about faults of a server"),
        ):
            refused = self.fault("add", sentence)
            self.assertEqual(refused.returncode, 2, sentence)
            self.assertIn(words, refused.stderr)
        self.assertEqual(self.fault("add").returncode, 2)
        self.assertEqual(run_zonekit("fault", "list", data="/nonexistent/folder").returncode, 3)

    def push(self, receiver, payload, *words):
        return run_zonekit(
            "push", receiver, "-", "--server", f"http://{self.server.http}", *words, data=self.server.data,
            stdin=json.dumps(payload))

    def test_a_payload_by_hand_reaches_a_foreign_client_as_it_is(self):
        payload = {"aps": {"content-available": 1}, "mine": [1, {"x": None}]}
        token = self.register("id-watch")
        for name in ("phone", "id-phone"):
            done = self.push(name, payload)
            self.assertEqual((done.returncode, done.stdout), (0, "delivered to phone\n"), done.stderr)
            self.assertEqual(self.phone.next(), payload)
        stored = self.push(token, payload, "--json")
        self.assertEqual(json.loads(stored.stdout)["outcome"], "stored")
        watch = self.keep(PushClient(self.server.push, {"token": token, "device": "watch"}))
        watch.next()
        self.assertEqual(watch.next(), payload)
        unknown = self.push("nobody", payload)
        self.assertEqual(unknown.returncode, 2)
        self.assertIn("no device or push token nobody", unknown.stderr)
        self.plan({"do": "dropPush", "receiver": "phone", "times": 1})
        lost = self.push("phone", payload)
        self.assertEqual(lost.returncode, 1)
        self.assertIn("not delivered to phone: a fault", lost.stdout)


class StrictServer(Case):
    def test_takes_no_faults(self):
        server = self.serve(None, "--auth", "strict")
        cloud = self.keep(server.cloud())
        for method in ("GET", "PUT", "DELETE"):
            reply = cloud.request(method, PATH, b'{"faults":[]}')
            self.assert_top_level_error(reply, 403, "ACCESS_DENIED")
            self.assertIn("--auth open", reply.json["reason"])
        self.assert_top_level_error(cloud.request("POST", "/zonekit/administration", b"{}"), 403, "ACCESS_DENIED")
