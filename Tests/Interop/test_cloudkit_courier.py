"""CloudKit Web Services: query subscriptions and the web courier (b.8, f.1 to f.3; j.7)."""

import threading
import socket
import struct
import urllib.parse

from support import ServerCase, eventually


class Courier(ServerCase):
    def setUp(self):
        super().setUp()
        self.cloud.create_zone()
        created = self.cloud.device_call("tokens/create", {"apnsEnvironment": "development"}).json
        self.url = created["webcourierURL"]
        registered = self.cloud.device_call(
            "tokens/register", {"apnsEnvironment": "development", "apnsToken": created["apnsToken"]}
        )
        self.assertEqual(registered.status, 200)

    def poll(self, cloud=None):
        parts = urllib.parse.urlsplit(self.url)
        return (cloud or self.cloud).request("GET", f"{parts.path}?{parts.query}")

    def watch(self, name="q", fires_on=("create", "update", "delete"), zone="Notes", info=None, **query):
        query = {"recordType": "Note", **query}
        saved = self.cloud.modify_subscriptions(("create", {
            "subscriptionID": name, "subscriptionType": "query", "query": query, "firesOn": list(fires_on),
            "notificationInfo": info or {"shouldSendContentAvailable": True},
            **({"zoneID": {"zoneName": zone}} if zone else {}),
        }))[0]
        self.assertNotIn("serverErrorCode", saved)
        return saved

    def test_a_subscription_comes_back_as_it_was_saved(self):
        saved = self.watch(filterBy=[{"comparator": "EQUALS", "fieldName": "count", "fieldValue": {"value": 3}}])
        self.assertEqual(saved["subscriptionType"], "query")
        self.assertEqual(saved["firesOn"], ["create", "update", "delete"])
        self.assertEqual(saved["query"]["filterBy"][0]["comparator"], "EQUALS")
        self.assertEqual(self.cloud.call("subscriptions/list").json["subscriptions"], [saved])

    def test_each_record_makes_a_push_with_what_happened_to_it(self):
        self.watch(info={"alertBody": "Note changed", "soundName": "default", "shouldBadge": True,
                         "additionalFields": ["title"]})
        self.cloud.save("n-1", {"title": "Milk"})
        push = self.poll().json
        self.assertEqual(push["aps"], {"alert": "Note changed", "sound": "default", "badge": 1})
        self.assertEqual(push["ck"]["ce"], 2)
        query = push["ck"]["qry"]
        self.assertEqual((query["sid"], query["rid"], query["zid"], query["dbs"], query["fo"], query["af"]),
                         ("q", "n-1", "Notes", 1, 1, {"title": "Milk"}))
        self.cloud.save("n-1", {"title": "Bread"})
        self.cloud.delete("n-1")
        self.assertEqual([self.poll().json["ck"]["qry"]["fo"] for _ in range(2)], [2, 3])

    def test_two_subscriptions_make_two_frames_of_one_change(self):
        self.watch("a")
        self.watch("b")
        self.cloud.save("n", {"title": "x"})
        first, second = self.poll().json["ck"], self.poll().json["ck"]
        self.assertEqual(first["nid"], second["nid"])
        self.assertEqual({first["qry"]["sid"], second["qry"]["sid"]}, {"a", "b"})

    def test_zone_and_database_subscriptions_have_their_own_bodies(self):
        self.cloud.subscribe("all")
        self.cloud.subscribe("zone", subscriptionType="zone", zoneID={"zoneName": "Notes"})
        self.cloud.save("n")
        bodies = [self.poll().json["ck"] for _ in range(2)]
        self.assertEqual({next(key for key in ("qry", "fet", "met") if key in body) for body in bodies}, {"fet", "met"})

    def test_polls_get_pushes_in_their_order_and_one_each(self):
        self.watch()
        for number in range(5):
            self.cloud.save(f"n-{number}")
        self.assertEqual([self.poll().json["ck"]["qry"]["rid"] for _ in range(5)], [f"n-{number}" for number in range(5)])

    def test_a_poll_waits_for_a_push(self):
        self.watch()
        other = self.client("somebody")
        answers = []
        waiting = threading.Thread(target=lambda: answers.append(self.poll(other)))
        waiting.start()
        self.cloud.save("n")
        waiting.join(10)
        self.assertEqual([answer.json["ck"]["qry"]["rid"] for answer in answers], ["n"])
        self.assertEqual(answers[0].headers["content-type"], "application/json")

    def open_connections(self):
        lines = self.cloud.request("GET", "/metrics").body.decode().splitlines()
        return next(float(line.split()[1]) for line in lines if line.startswith('zonekit_connections{use="http"}'))

    def test_what_a_poll_did_not_wait_for_is_kept(self):
        self.watch()
        impatient = self.client("somebody")
        before = self.open_connections()
        parts = urllib.parse.urlsplit(self.url)
        impatient._connection.request("GET", f"{parts.path}?{parts.query}")
        eventually(lambda: self.open_connections() > before, "the server has the poll")
        # The connection is reset. A client that only ends its own side may still wait for the answer.
        impatient._connection.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        impatient.close()
        eventually(lambda: self.open_connections() <= before, "the server notices that the client is gone")
        self.cloud.save("n")
        self.assertEqual(self.poll().json["ck"]["qry"]["rid"], "n")

    def test_a_filter_decides_and_a_default_zone_counts(self):
        self.watch(zone="_defaultZone",
                   filterBy=[{"comparator": "GREATER_THAN", "fieldName": "count", "fieldValue": {"value": 5}}])
        self.cloud.save("small", {"count": 1}, zone="_defaultZone")
        self.cloud.save("big", {"count": 9}, zone="_defaultZone")
        self.assertEqual(self.poll().json["ck"]["qry"]["rid"], "big")

    def test_fires_once(self):
        self.cloud.modify_subscriptions(("create", {
            "subscriptionID": "once", "subscriptionType": "query", "query": {"recordType": "Note"},
            "firesOn": ["create"], "firesOnce": True, "notificationInfo": {"alertBody": "x"}}))
        self.cloud.save("a")
        self.assertEqual(self.poll().json["ck"]["qry"]["rid"], "a")
        self.assertEqual(self.cloud.call("subscriptions/list").json["subscriptions"], [])

    def test_unknown_tokens_and_other_methods_are_refused(self):
        self.assertEqual(self.cloud.request("GET", "/aps?tok=nobody&ttl=43200").status, 410)
        self.assertEqual(self.cloud.request("GET", "/aps").status, 400)
        refused = self.cloud.request("POST", "/aps?tok=x", b"{}")
        self.assertEqual((refused.status, refused.headers["allow"]), (405, "GET"))

    def test_a_subscription_that_is_not_possible_is_refused(self):
        for subscription in [
            {"subscriptionType": "query", "firesOn": ["create"]},
            {"subscriptionType": "query", "query": {"recordType": "Note"}},
            {"subscriptionType": "query", "query": {"recordType": "Note"}, "firesOn": ["burn"]},
            {"subscriptionType": "query", "query": {"recordType": "Note"}, "firesOn": []},
        ]:
            refused = self.cloud.modify_subscriptions(("create", {"subscriptionID": "x", **subscription}))[0]
            self.assertEqual((refused["subscriptionID"], refused["serverErrorCode"]), ("x", "BAD_REQUEST"))
