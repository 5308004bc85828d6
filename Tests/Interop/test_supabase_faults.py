"""Faults on demand of a Supabase-style service: requests, sessions, objects, sockets and events."""

import http.client
import json
import time
import uuid

from realtime_socket import RealtimeSocket, Refused
from supabase_http import Auth, AuthCase, part
from support import run_zonekit

REMINDERS = {"event": "*", "schema": "public", "table": "reminders"}


class FaultCase(AuthCase):
    def setUp(self):
        super().setUp()
        self.session = self.auth.sign_up(self.email).json
        self.token, self.me = self.session["access_token"], self.session["user"]["id"]
        self.addCleanup(self.control, "DELETE")

    def control(self, method, body=None):
        client = Auth(self.server.http, key=None)
        try:
            return client.ask(method, "faults", body, headers={}, root="/zonekit/")
        finally:
            client.close()

    def plan(self, *faults):
        """Sets faults; each hits once unless it says otherwise."""
        reply = self.control("PUT", {"faults": [{"times": 1, **fault} for fault in faults]})
        self.assertEqual(reply.status, 200, reply.body)

    def rest(self, method, path, body=None, prefer=None, **headers):
        fields = {"Prefer": prefer, **headers} if prefer else headers
        return self.auth.ask(method, path, body, bearer=self.token, headers=fields, root="/rest/v1/")

    def put(self, name="Ben", **more):
        row = {"id": str(uuid.uuid4()), "name": name, **more}
        return row, lambda: self.rest("POST", "persons", row, "return=representation,resolution=merge-duplicates")

    def names(self):
        return sorted(row["name"] for row in self.rest("GET", "persons?select=name").json)

    def assert_cut(self, work):
        with self.assertRaises((http.client.RemoteDisconnected, ConnectionResetError)):
            work()
        self.auth.close()


class Requests(FaultCase):
    def test_a_request_is_refused_with_any_status_and_code(self):
        self.plan({"do": "refuse", "on": ["upsertRows"], "table": "persons", "status": 503, "code": "53100", "message": "full", "retryAfter": 7})
        _, put = self.put()
        reply = put()
        self.assertEqual((reply.status, reply.json["code"], reply.json["message"], reply.headers["retry-after"]), (503, "53100", "full", "7"))
        self.assertEqual((self.names(), put().status), ([], 201))

    def test_a_row_is_refused_by_its_name(self):
        row, put = self.put()
        self.plan({"do": "refuseItems", "code": "23503", "records": [f"persons/{row['id']}"], "times": 9})
        self.assertEqual(self.put("Eva")[1]().status, 201)
        reply = put()
        self.assertEqual((reply.status, reply.json["code"]), (409, "23503"))
        self.assertEqual(self.names(), ["Eva"])

    def test_requests_and_answers_are_lost(self):
        self.plan({"do": "loseRequest", "on": ["upsertRows"]})
        self.assert_cut(self.put("lost")[1])
        self.plan({"do": "loseAnswer", "on": ["upsertRows"], "user": self.email})
        self.assert_cut(self.put("kept")[1])
        self.assertEqual(self.names(), ["kept"])

    def test_a_request_is_repeated_and_its_answer_late(self):
        self.plan({"do": "repeatRequest", "on": ["upsertRows"]}, {"do": "delayAnswer", "on": ["upsertRows"], "milliseconds": 200})
        began = time.monotonic()
        reply = self.put()[1]()
        self.assertGreaterEqual(time.monotonic() - began, 0.2)
        self.assertIn("same=1", reply.headers["zonekit-verdicts"])

    def test_rows_are_stale_left_out_or_doubled(self):
        row, put = self.put("Ben")
        put()
        self.plan({"do": "staleRows", "milliseconds": 60000, "times": 2})
        stale = self.rest("GET", "persons")
        self.assertEqual(stale.json, [])
        self.assertLess(int(stale.headers["zonekit-feed"].split(";")[1]), time.time() * 1000 - 50000)
        for word, count in (("omitRows", 0), ("doubleRows", 2)):
            self.plan({"do": word, "on": ["readRows"], "records": [f"persons/{row['id']}"]})
            self.assertEqual(len(self.rest("GET", "persons").json), count)
        self.assertEqual(self.names(), ["Ben"])

    def test_stamps_are_cut(self):
        self.plan({"do": "restamp", "milliseconds": 3600000})
        reply = self.put(edited_at="2999-01-01T00:00:00Z")[1]()
        self.assertLess(reply.json[0]["edited_at"], reply.json[0]["updated_at"])

    def test_a_device_is_named_by_its_client_or_its_rows(self):
        self.plan({"do": "refuse", "status": 500, "code": "x", "device": "D7", "times": 9})
        self.assertEqual(self.put()[1]().status, 201)
        self.assertEqual(self.put(changed_by="D7:1")[1]().status, 500)
        self.assertEqual(self.rest("GET", "persons", **{"X-Client-Info": "test device=D7"}).status, 500)

    def test_functions_and_objects_have_faults_too(self):
        def call():
            return self.auth.ask("POST", "calculate-balance", {"person_id": self.me}, bearer=self.token, root="/functions/v1/")

        def upload():
            fields = {"apikey": self.auth.key, "Authorization": f"Bearer {self.token}", "Content-Type": "image/png"}
            return self.auth.ask_raw("PUT", f"/storage/v1/object/photos/{self.me}/a.png", b"x", fields)

        self.plan({"do": "refuse", "on": ["callFunction"], "status": 503, "message": "away"})
        self.assertEqual((call().status, call().status), (503, 404))
        self.plan({"do": "refuse", "on": ["putObject"], "records": [f"photos/{self.me}/a.png"], "status": 403, "code": "Unauthorized"})
        reply = upload()
        self.assertEqual((reply.status, reply.json["statusCode"], reply.json["error"]), (400, "403", "Unauthorized"))
        self.assertEqual(upload().status, 200)
        self.plan({"do": "loseAnswer", "on": ["putObject"]})
        self.assert_cut(upload)

    def test_a_bad_plan_is_refused_and_changes_nothing(self):
        self.plan({"do": "refuse", "status": 500, "code": "x", "on": ["readRows"]})
        for fault, words in (
            ({"do": "omitRows", "on": ["heartbeat"]}, "omitRows applies to readRows"), ({"do": "dropEvent", "on": ["readRows"]}, "dropEvent applies to changeEvent"),
            ({"do": "fly"}, "cutSocket"), ({"do": "refuse", "status": 99}, "from 400 to 599"), ({"do": "deafJoin"}, "must say how long"),
            ({"do": "omitRows", "on": ["rows"]}, "which is not one of"),
        ):
            reply = self.control("PUT", {"faults": [fault]})
            self.assertEqual(reply.status, 400, reply.body)
            self.assertIn(words, reply.json["reason"])
        self.assertEqual(self.rest("GET", "persons").status, 500)
        self.assertEqual(self.control("GET").json["faults"][0]["hits"], 1)


class Sessions(FaultCase):
    def test_tokens_expire_or_are_judged_by_another_clock(self):
        for fault in ({"do": "expireTokens"}, {"do": "skewTokens", "milliseconds": 3700000}):
            self.plan({**fault, "on": ["readRows"], "user": self.me})
            reply = self.rest("GET", "persons")
            self.assertEqual((reply.status, reply.json["code"]), (401, "PGRST303"))
            self.assertEqual(self.rest("GET", "persons").status, 200)
            self.plan({**fault, "on": ["readUser"]})
            self.assertEqual(self.auth.ask("GET", "user", bearer=self.token).json["code"], "bad_jwt")
            self.assertEqual(self.auth.ask("GET", "user", bearer=self.token).status, 200)

    def test_a_refresh_is_refused_or_loses_its_new_token(self):
        self.plan({"do": "endSession", "user": self.email})
        self.assertEqual(self.auth.refresh(self.session["refresh_token"]).json["code"], "session_not_found")
        self.plan({"do": "loseAnswer", "on": ["refreshSession"]})
        self.assert_cut(lambda: self.auth.refresh(self.session["refresh_token"]))
        self.assertEqual(self.auth.refresh(self.session["refresh_token"]).status, 200)

    def test_a_sign_in_is_refused(self):
        self.plan({"do": "refuse", "on": ["signIn"], "user": self.email, "status": 429, "code": "over_request_rate_limit", "message": "slow", "retryAfter": 3})
        reply = self.auth.sign_in(self.email)
        self.assert_error(reply, 429, "over_request_rate_limit", "slow")
        self.assertEqual((reply.headers["retry-after"], self.auth.sign_in(self.email).status), ("3", 200))


class Sockets(FaultCase):
    def open(self):
        return self.keep(RealtimeSocket(self.server.http, self.keys["anonKey"]))

    def joined(self):
        socket = self.open()
        socket.join("realtime:a", [REMINDERS], self.token)
        return socket

    def remind(self, message):
        self.assertEqual(self.rest("POST", "reminders", {"message": message}).status, 201)

    def heard(self, socket):
        return socket.receive()[4]["data"]["record"]["message"]

    def test_a_socket_is_refused_before_the_upgrade(self):
        self.plan({"do": "refuse", "on": ["openSocket"], "status": 503, "message": "later"})
        with self.assertRaises(Refused) as caught:
            self.open()
        self.assertEqual(caught.exception.status, 503)
        self.joined()

    def test_joins_are_refused_silent_or_deaf(self):
        self.plan({"do": "refuseJoin", "reason": "no room"}, {"do": "silentJoin", "after": 1}, {"do": "deafJoin", "milliseconds": 3600000, "after": 2})
        socket = self.open()
        reply, _ = socket.join("realtime:a", [REMINDERS], self.token)
        self.assertEqual(reply, {"status": "error", "response": {"reason": "no room"}})
        socket.send("realtime:b", "phx_join", {"access_token": self.token, "config": {"postgres_changes": []}}, join_ref="2")
        reply, _ = socket.join("realtime:c", [REMINDERS], self.token)
        self.assertEqual(reply["status"], "ok", "the silent join got no reply")
        socket.join("realtime:d", [REMINDERS], self.token)
        self.remind("pay")
        self.assertEqual(socket.receive()[2], "realtime:d")

    def test_a_heartbeat_gets_no_reply_or_ends_the_socket(self):
        self.plan({"do": "muteHeartbeat"}, {"do": "cutSocket", "code": 4001, "on": ["heartbeat"], "after": 1})
        socket = self.open()
        socket.send("phoenix", "heartbeat", {}, ref="1")
        socket.send("phoenix", "heartbeat", {}, ref="2")
        self.assertEqual(socket.receive_close(), 4001)

    def test_events_are_lost_doubled_swapped_late_and_cut(self):
        socket = self.joined()
        self.plan({"do": "dropEvent"})
        for message in ("lost", "heard"):
            self.remind(message)
        self.assertEqual(self.heard(socket), "heard")
        self.plan({"do": "doubleEvent", "table": "reminders"})
        self.remind("twice")
        self.assertEqual([self.heard(socket), self.heard(socket)], ["twice", "twice"])
        self.plan({"do": "swapEvents"})
        self.remind("first")
        self.remind("second")
        self.assertEqual([self.heard(socket), self.heard(socket)], ["second", "first"])
        self.plan({"do": "delayEvent", "milliseconds": 150})
        self.remind("late")
        self.remind("early")
        self.assertEqual([self.heard(socket), self.heard(socket)], ["early", "late"])
        self.plan({"do": "cutEvent"})
        self.remind("x" * 100)
        data = socket.receive()[4]["data"]
        self.assertEqual((data["errors"], "message" in data["record"]), (["Error 413: Payload Too Large"], False))

    def test_an_event_is_lost_for_one_receiver_or_one_author(self):
        phone, tablet = (
            self.keep(RealtimeSocket(self.server.http, self.keys["anonKey"], headers={"X-Client-Info": f"x device={name}"}))
            for name in ("phone", "tablet"))
        for socket in (phone, tablet):
            socket.join("realtime:a", [REMINDERS], self.token)
        self.plan({"do": "dropPush", "receiver": "phone", "table": "reminders"})
        self.remind("one")
        self.remind("two")
        self.assertEqual([self.heard(phone), self.heard(tablet), self.heard(tablet)], ["two", "one", "two"])
        self.plan({"do": "dropEvent", "author": "phone", "times": 2})
        for message, author in (("three", "phone:1"), ("four", "tablet:1")):
            self.assertEqual(self.rest("POST", "reminders", {"message": message, "changed_by": author}).status, 201)
        self.assertEqual([self.heard(phone), self.heard(tablet)], ["four", "four"])
        channels = self.server_status()["channels"]
        self.assertEqual(sorted(channel["name"] for channel in channels), ["phone", "tablet"])
        self.assertEqual([channel["account"] for channel in channels], [self.email, self.email])

    def by_hand(self, receiver, payload):
        return run_zonekit(
            "push", receiver, "-", "--server", f"http://{self.server.http}", data=self.server.data, stdin=json.dumps(payload))

    def test_a_payload_by_hand_reaches_a_socket_on_its_channels(self):
        phone = self.keep(
            RealtimeSocket(self.server.http, self.keys["anonKey"], headers={"X-Client-Info": "x device=fo1"}))
        browser = self.keep(RealtimeSocket(self.server.http, self.keys["anonKey"], device="tab"))
        refused = self.by_hand("fo1", {"aps": {}})
        self.assertEqual(refused.returncode, 2)
        self.assertIn("fo1 has a realtime socket and has not joined a channel", refused.stderr)
        for socket, name, topic in ((phone, "fo1", "realtime:a"), (browser, "tab", "realtime:b")):
            socket.join(topic, [REMINDERS], self.token)
            said = {"aps": {"content-available": 1}, "mine": 7}
            done = self.by_hand(name, said)
            self.assertEqual((done.returncode, done.stdout), (0, f"delivered to {name}\n"), done.stderr)
            self.assertEqual(socket.receive()[2:], (topic, "broadcast", {"type": "broadcast", "event": "push", "payload": said}))
            message = {"topic": topic, "event": "postgres_changes", "payload": {"ids": [1], "data": {"type": "INSERT"}}}
            self.assertEqual(self.by_hand(name, message).returncode, 0)
            self.assertEqual(socket.receive()[2:], (topic, "postgres_changes", message["payload"]))
        elsewhere = self.by_hand("fo1", {"topic": "realtime:b", "event": "x", "payload": 1})
        self.assertEqual(elsewhere.returncode, 2)
        self.assertIn("has not joined realtime:b", elsewhere.stderr)
        self.assertIn("there are fo1, tab", self.by_hand("nobody", {"aps": {}}).stderr)

    def test_live_events_tell_of_sockets_joins_and_changes_by_e_mail_address(self):
        raw = self.keep(self.server.raw())
        raw.send(b"GET /zonekit/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        self.joined()
        self.remind("told")
        kinds = ("socketOpened", "channelJoined", "changeSent")
        heard = b""
        while not all(f"event: {kind}".encode() in heard for kind in kinds):
            piece = raw.stream.recv(65536)
            self.assertTrue(piece, heard)
            heard += piece
        facts = [json.loads(line[6:]) for line in heard.decode().splitlines() if line.startswith("data: {")]
        joined = next(fact for fact in facts if fact["event"] == "channelJoined")
        self.assertEqual((joined["account"], joined["channel"], joined["entries"]), (self.email, "realtime:a", 1))
        change = next(fact for fact in facts if fact["event"] == "changeSent")
        self.assertEqual((change["table"], change["change"], change["channels"]), ("reminders", "insert", 1))
        commits = [fact for fact in facts if fact["event"] == "committed" and fact.get("zone") == "SwissCoin"]
        self.assertIn(self.email, [fact.get("account") for fact in commits])

    def test_the_status_counts_requests_of_each_protocol(self):
        before = self.requests()
        self.remind("counted")
        self.rest("GET", "reminders")
        after = self.requests()
        self.assertEqual(after["requestsByProtocol"]["tables"], before["requestsByProtocol"]["tables"] + 2)
        self.assertEqual(after["requests"], before["requests"] + 2)

    def requests(self):
        return self.keep(self.server.cloud()).request("GET", "/zonekit/status").json

    def server_status(self):
        return self.keep(self.server.cloud()).request("GET", "/zonekit/status").json["cloud"]

    def test_an_event_cuts_its_socket_without_a_word(self):
        socket = self.joined()
        self.plan({"do": "cutSocket", "on": ["changeEvent"]})
        self.remind("last")
        with self.assertRaises((EOFError, ConnectionResetError)):
            while True:
                socket.receive()

    def test_a_token_counts_as_expired_at_a_join(self):
        self.plan({"do": "expireTokens", "on": ["joinChannel"]})
        reply, _ = self.open().join("realtime:a", [REMINDERS], self.token)
        self.assertIn("Token has expired", reply["response"]["reason"])
