"""Troubles on demand: /zonekit/faults lists, sets and clears what the cloud is to do wrong."""

import http.client
import json
import time

from clients import CONTAINER, ZONE, operation
from support import Case, ServerCase

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


class StrictServer(Case):
    def test_takes_no_faults(self):
        server = self.serve(None, "--auth", "strict")
        cloud = self.keep(server.cloud())
        for method in ("GET", "PUT", "DELETE"):
            reply = cloud.request(method, PATH, b'{"faults":[]}')
            self.assert_top_level_error(reply, 403, "ACCESS_DENIED")
            self.assertIn("--auth open", reply.json["reason"])
        self.assert_top_level_error(cloud.request("POST", "/zonekit/administration", b"{}"), 403, "ACCESS_DENIED")
