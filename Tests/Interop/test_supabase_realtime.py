"""Realtime sockets of a Supabase-style service: the handshake, joins, tokens and limits, over plain sockets."""

import base64
import json
import socket as stream
import time
import unittest

from realtime_socket import BINARY, CLOSE, PING, PONG, TEXT, RealtimeSocket, Refused
from supabase_http import Auth, AuthCase, part, signed
from support import eventually

ENTRY = {"event": "*", "schema": "public", "table": "reminders"}
TOPIC = "realtime:user-sync-A"
SUBSCRIBED = {
    "channel": "user-sync-A", "extension": "postgres_changes", "message": "Subscribed to PostgreSQL", "status": "ok",
}


class RealtimeCase(AuthCase):
    def setUp(self):
        super().setUp()
        session = self.auth.sign_up(self.email).json
        self.token, self.user = session["access_token"], session["user"]["id"]

    def socket(self, version="1.0.0", key=None):
        return self.keep(RealtimeSocket(self.server.http, key or self.keys["anonKey"], version))

    def token_until(self, end, **changes):
        claims = {**part(self.token, 1), "exp": int(end), **changes}
        return signed(base64.b64decode(self.keys["jwtSecret"]), claims)


class Opening(RealtimeCase):
    def refused(self, **arguments):
        with self.assertRaises(Refused) as caught:
            RealtimeSocket(self.server.http, **{"key": self.keys["anonKey"], **arguments})
        self.assertIn("error", json.loads(caught.exception.body))
        return caught.exception

    def test_a_request_that_is_no_handshake_is_refused_before_the_upgrade(self):
        self.assertEqual(self.refused(headers={"Upgrade": ""}).status, 400)
        self.assertEqual(self.refused(headers={"Sec-WebSocket-Version": "8"}).status, 426)
        self.assertEqual(self.refused(headers={"Sec-WebSocket-Key": "x"}).status, 400)
        self.assertEqual(self.refused(version="3.0.0").status, 400)
        self.assertEqual(self.refused(key="").status, 401)

    def test_a_socket_without_a_version_speaks_the_first_one(self):
        socket = self.keep(RealtimeSocket(self.server.http, self.keys["anonKey"], version=""))
        socket.send("phoenix", "heartbeat", {})
        self.assertEqual(socket.receive()[3:], ("phx_reply", {"status": "ok", "response": {}}))

    def test_too_many_sockets_at_once_are_refused_with_the_time_to_wait(self):
        refused = None
        for _ in range(200):
            try:
                self.keep(RealtimeSocket(self.server.http, self.keys["publishableKey"]))
            except Refused as error:
                refused = error
                break
        self.assertIsNotNone(refused, "200 sockets were opened")
        self.assertEqual((refused.status, refused.headers["retry-after"]), (429, "1"))

    def test_another_word_as_key_does_not_pass_the_limit(self):
        server = self.serve()
        opened = []
        with self.assertRaises(Refused) as caught:
            for number in range(200):
                opened.append(self.keep(RealtimeSocket(server.http, f"word{number}")))
        self.assertEqual(caught.exception.status, 429)
        self.assertGreaterEqual(len(opened), 30)
        self.assertLess(len(opened), 60)


class Channels(RealtimeCase):
    def test_a_join_is_answered_byte_for_byte_in_the_first_version(self):
        socket = self.socket()
        entry = {**ENTRY, "filter": f"owner_id=eq.{self.user.upper()}"}
        payload = {"access_token": self.token, "config": {"postgres_changes": [entry]}}
        socket.send(TOPIC, "phx_join", payload, join_ref="1")
        reply = socket.receive_text()
        number = json.loads(reply)["payload"]["response"]["postgres_changes"][0]["id"]
        self.assertGreater(number, 0)
        self.assertEqual(
            reply,
            '{"topic":"%s","event":"phx_reply","payload":{"status":"ok","response":{"postgres_changes":[{"id":%d,'
            '"event":"*","schema":"public","table":"reminders","filter":"owner_id=eq.%s"}]}},"ref":"1"}'
            % (TOPIC, number, self.user.upper()),
        )
        self.assertEqual(socket.receive()[1:], (None, TOPIC, "system", SUBSCRIBED))

    def test_the_second_version_repeats_the_references_of_the_join(self):
        socket = self.socket("2.0.0")
        socket.send(TOPIC, "phx_join", {"access_token": self.token, "config": {}}, join_ref="5", ref="6")
        self.assertEqual(
            socket.receive(), ("5", "6", TOPIC, "phx_reply", {"status": "ok", "response": {"postgres_changes": []}})
        )
        socket.send(TOPIC, "phx_leave", {}, join_ref="5", ref="7")
        self.assertEqual(socket.receive(), ("5", "7", TOPIC, "phx_reply", {"status": "ok", "response": {}}))
        self.assertEqual(socket.receive(), ("5", "5", TOPIC, "phx_close", {}))

    def test_variants_of_a_join_are_taken(self):
        socket = self.socket()
        for payload in ({}, {"config": None}, {"access_token": None, "config": {"broadcast": {}}}, {"version": "1"}):
            ref = socket.send(TOPIC, "phx_join", payload, join_ref="1")
            message = socket.receive()
            if message[3] == "phx_close":
                message = socket.receive()
            self.assertEqual((message[1], message[4]["status"]), (ref, "ok"), payload)

    def test_a_join_that_cannot_be_read_is_refused_and_the_socket_goes_on(self):
        socket = self.socket()
        for config in ({"config": {"postgres_changes": []}}, {"postgres_changes": 7}):
            socket.send(TOPIC, "phx_join", {"config": config}, join_ref="1")
            self.assertEqual(socket.receive()[4]["status"], "error")
        self.assertEqual(socket.join(TOPIC, [ENTRY], self.token)[1], SUBSCRIBED)

    def test_an_entry_that_cannot_be_served_is_named_after_the_reply(self):
        for change in (
            {"table": "profiles"}, {"table": "x"}, {"schema": "x"}, {"event": "x"}, {"filter": "x=eq.1"},
            {"filter": "message"}, {"select": ["x"]},
        ):
            reply, state = self.socket().join(TOPIC, [{**ENTRY, **change}], self.token)
            self.assertEqual((reply["status"], state["status"]), ("ok", "error"), change)
            self.assertEqual(state["extension"], "postgres_changes")

    def test_tokens_that_are_not_valid_are_refused_with_their_reason(self):
        now = time.time()
        for token, reason in (
            ("x.y", "MalformedJWT: The token provided is not a valid JWT"),
            (self.token[:-3] + "AAA", "JwtSignatureError: Failed to validate JWT signature"),
            (self.token_until(now - 100), "InvalidJWTToken: Token has expired 100 seconds ago"),
        ):
            reply, _ = self.socket().join(TOPIC, [ENTRY], token)
            self.assertEqual(reply["status"], "error")
            self.assertRegex(reply["response"]["reason"], reason.replace("100", r"10\d"))

    def test_a_channel_ends_when_its_token_ends_and_not_if_it_is_renewed(self):
        ending, renewed = self.socket(), self.socket()
        end = int(time.time()) + 2
        for socket in (ending, renewed):
            socket.join(TOPIC, [ENTRY], self.token_until(end))
        renewed.send(TOPIC, "access_token", {"access_token": self.token})
        message = ending.receive()
        self.assertEqual((message[3], message[4]["extension"]), ("system", "system"))
        self.assertEqual(message[4]["message"], "Token has expired 0 seconds ago")
        self.assertEqual(ending.receive()[1:4], ("1", TOPIC, "phx_close"))
        self.assertGreaterEqual(time.time(), end)
        renewed.send("phoenix", "heartbeat", {})
        self.assertEqual(renewed.receive()[2], "phoenix", "nothing came before the reply")

    def test_a_bad_token_on_an_open_channel_ends_it(self):
        socket = self.socket()
        socket.join(TOPIC, [ENTRY], self.token)
        for ignored in (None, "sb_publishable_x", self.token):
            socket.send(TOPIC, "access_token", {"access_token": ignored})
        socket.send(TOPIC, "access_token", {"access_token": self.token[:-3] + "AAA"})
        self.assertEqual(socket.receive()[4]["message"], "JwtSignatureError: Failed to validate JWT signature")
        self.assertEqual(socket.receive()[3], "phx_close")

    def test_the_reference_of_a_heartbeat_may_be_missing(self):
        socket = self.socket()
        socket.send_frame(TEXT, b'{"topic":"phoenix","event":"heartbeat","payload":{},"ref":null}')
        self.assertEqual(
            socket.receive_text(),
            '{"topic":"phoenix","event":"phx_reply","payload":{"status":"ok","response":{}},"ref":null}',
        )


class Readers(RealtimeCase):
    def test_a_client_that_reads_nothing_is_let_go_with_what_waits_for_it(self):
        control = self.keep(Auth(self.server.http, None))

        def connections():
            return control.ask("GET", "status", headers={}, root="/zonekit/").json["connections"]["open"]

        before = connections()
        socket = self.socket()
        socket.stream.setsockopt(stream.SOL_SOCKET, stream.SO_RCVBUF, 4096)
        socket.join(TOPIC, [ENTRY], self.token)
        self.assertEqual(connections(), before + 1)
        for _ in range(12):
            row = {"message": "x" * 900_000}
            reply = self.auth.ask("POST", "reminders", row, bearer=self.token, root="/rest/v1/")
            self.assertEqual(reply.status, 201, reply.body)
        eventually(lambda: connections() == before, "the connection of the client that reads nothing is closed")


class Frames(RealtimeCase):
    def test_pings_are_answered_and_binary_messages_are_ignored(self):
        socket = self.socket()
        socket.send_frame(BINARY, b"\x03\x01")
        socket.send_frame(PING, b"here")
        self.assertEqual(socket.receive_frame(), (PONG, b"here"))

    def test_a_message_in_fragments_is_one_message(self):
        socket = self.socket()
        text = b'{"topic":"phoenix","event":"heartbeat","payload":{},"ref":"1"}'
        socket.send_frame(TEXT, text[:20], final=False)
        socket.send_frame(0, text[20:])
        self.assertEqual(socket.receive()[3], "phx_reply")

    def test_a_message_above_the_limit_closes_the_socket(self):
        socket = self.socket()
        try:
            socket.send_frame(TEXT, b" " * (2 << 20))
        except (BrokenPipeError, ConnectionResetError):
            pass
        self.assertEqual(socket.receive_close(), 1009)

    def test_a_hundred_unreadable_messages_close_the_socket(self):
        socket = self.socket()
        for _ in range(100):
            socket.send_frame(TEXT, b"{")
        self.assertEqual(socket.receive_close(), 1008)

    def test_a_close_is_answered(self):
        socket = self.socket()
        socket.send_frame(CLOSE, (1000).to_bytes(2, "big"))
        self.assertEqual(socket.receive_close(), 1000)

    def test_the_end_of_the_server_closes_the_sockets(self):
        server = self.serve()
        socket = self.keep(RealtimeSocket(server.http, "any"))
        server.end()
        self.assertEqual(socket.receive_close(), 1001)


if __name__ == "__main__":
    unittest.main()
