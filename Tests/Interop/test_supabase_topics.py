"""Broadcast and presence of a Supabase-style service: what clients of a topic tell each other, over plain sockets."""

import json
import os
import struct
import unittest

from realtime_socket import BINARY, RealtimeSocket
from supabase_http import Auth, AuthCase


class TopicCase(AuthCase):
    def setUp(self):
        super().setUp()
        self.topic = f"realtime:{self.id().rpartition('.')[2]}"

    def joined(self, version="1.0.0", topic=None, token=None, **config):
        """A socket that has joined a topic."""
        socket = self.keep(RealtimeSocket(self.server.http, self.keys["anonKey"], version))
        reply, _ = socket.join(topic or self.topic, [], token, **config)
        self.assertEqual(reply["status"], "ok", reply)
        return socket

    def beat(self, socket):
        """The messages that come before the answer to a heartbeat."""
        ref = socket.send("phoenix", "heartbeat", {})
        messages = []
        while True:
            message = socket.receive()
            if message[1] == ref and message[2] == "phoenix":
                return messages
            messages.append(message[2:])


class Broadcasts(TopicCase):
    SHOUT = {"type": "broadcast", "event": "shout", "payload": {"text": "hällo", "n": 9007199254740993}}

    def test_a_broadcast_reaches_the_others_of_the_topic_in_both_versions(self):
        first, second, third, other = (
            self.joined("1.0.0"), self.joined("2.0.0"), self.joined("1.0.0"), self.joined(topic="realtime:other"),
        )
        told = [(self.topic, "broadcast", self.SHOUT)]
        for sender, receivers in ((first, (second, third)), (second, (first, third))):
            sender.send(self.topic, "broadcast", self.SHOUT, join_ref="1")
            self.assertEqual(self.beat(sender), [])
            for receiver in receivers:
                self.assertEqual(self.beat(receiver), told)
        self.assertEqual(self.beat(other), [])

    def test_a_client_gets_its_own_broadcast_and_a_reply_if_it_asked_for_them(self):
        socket = self.joined(broadcast={"self": True, "ack": True})
        ref = socket.send(self.topic, "broadcast", self.SHOUT, join_ref="1")
        self.assertEqual(socket.receive()[1:], (ref, self.topic, "phx_reply", {"status": "ok", "response": {}}))
        self.assertEqual(socket.receive()[1:], (None, self.topic, "broadcast", self.SHOUT))

    def test_broadcasts_cross_accounts_and_keep_their_order(self):
        session = self.auth.sign_up(self.email).json
        sender, receiver = self.joined(token=session["access_token"]), self.joined("2.0.0")
        for number in range(300):
            sender.send(self.topic, "broadcast", {**self.SHOUT, "payload": number}, join_ref="1")
        received = [receiver.receive()[4]["payload"] for _ in range(300)]
        self.assertEqual(received, list(range(300)))

    def binary(self, content, encoding):
        parts = [b"1", b"9", self.topic.encode(), b"shout", b""]
        return bytes([3, *map(len, parts), encoding]) + b"".join(parts) + content

    def test_binary_broadcasts_of_the_second_version_are_passed_on(self):
        sender, first, second = self.joined("2.0.0"), self.joined("1.0.0"), self.joined("2.0.0")
        said = {"a": [1, "ü"]}
        sender.send_frame(BINARY, self.binary(json.dumps(said).encode(), 1))
        for receiver in (first, second):
            expected = {"type": "broadcast", "event": "shout", "payload": said}
            self.assertEqual(receiver.receive()[2:], (self.topic, "broadcast", expected))
        content = os.urandom(1_000)
        sender.send_frame(BINARY, self.binary(content, 0))
        head = bytes([4, len(self.topic), 5, 0, 0]) + self.topic.encode() + b"shout"
        self.assertEqual(second.receive_frame(), (BINARY, head + content))
        self.assertEqual(self.beat(first), [], "the first version has no form for bytes")

    def test_a_broadcast_without_a_socket_reaches_the_topic(self):
        receiver = self.joined("2.0.0")
        messages = [{"topic": self.topic.removeprefix("realtime:"), "event": "shout", "payload": {"a": 1}}]
        reply = self.auth.ask("POST", "broadcast", {"messages": messages}, root="/realtime/v1/api/")
        self.assertEqual((reply.status, reply.body), (202, b""))
        expected = {"type": "broadcast", "event": "shout", "payload": {"a": 1}}
        self.assertEqual(receiver.receive()[2:], (self.topic, "broadcast", expected))
        path = f"broadcast/{self.topic.removeprefix('realtime:')}/events/shout"
        reply = self.auth.ask("POST", path, {"a": 1}, root="/realtime/v1/api/")
        self.assertEqual((reply.status, reply.body), (202, b""))
        self.assertEqual(receiver.receive()[2:], (self.topic, "broadcast", expected))
        for body, status in (({}, 422), ({"messages": [{**messages[0], "private": True}]}, 403)):
            reply = self.auth.ask("POST", "broadcast", body, root="/realtime/v1/api/")
            self.assertEqual(reply.status, status)
            self.assertIn("error", reply.json)
        reply = Auth(self.server.http, None).ask("POST", "broadcast", {"messages": messages}, root="/realtime/v1/api/")
        self.assertEqual(reply.status, 401)
        self.assertEqual(self.beat(receiver), [])

    def test_a_private_channel_is_refused_in_words(self):
        socket = self.keep(RealtimeSocket(self.server.http, self.keys["anonKey"]))
        reply, _ = socket.join(self.topic, [], private=True)
        self.assertEqual(reply["status"], "error")
        self.assertIn("Private channels are not served", reply["response"]["reason"])

    def test_a_message_to_a_topic_that_is_not_joined_is_refused(self):
        socket = self.keep(RealtimeSocket(self.server.http, self.keys["anonKey"]))
        for event in ("broadcast", "presence", "shout", "access_token", "heartbeat"):
            ref = socket.send(self.topic, event, {"event": "track"})
            expected = {"status": "error", "response": {"reason": "unmatched topic"}}
            self.assertEqual(socket.receive()[1:], (ref, self.topic, "phx_reply", expected), event)


class Presence(TopicCase):
    def present(self, key, version="1.0.0"):
        socket = self.joined(version, presence={"key": key, "enabled": True})
        return socket, socket.receive()

    def track(self, socket, event="track", payload=None):
        message = {"type": "presence", "event": event, **({} if payload is None else {"payload": payload})}
        ref = socket.send(self.topic, "presence", message, join_ref="1")
        reply = socket.receive()
        self.assertEqual(reply[1:], (ref, self.topic, "phx_reply", {"status": "ok", "response": {}}))

    def test_clients_see_who_is_present_who_comes_and_who_goes(self):
        mara, state = self.present("mara")
        self.assertEqual(state[2:], (self.topic, "presence_state", {}))
        self.track(mara, payload={"mood": "good"})
        _, _, _, event, change = mara.receive()
        self.assertEqual((event, change["leaves"]), ("presence_diff", {}))
        (meta,) = change["joins"]["mara"]["metas"]
        self.assertEqual(meta, {"phx_ref": meta["phx_ref"], "mood": "good"})

        ben, state = self.present("ben", "2.0.0")
        self.assertEqual(state[4], {"mara": {"metas": [meta]}})
        self.track(mara, payload={"mood": "bad"})
        for socket in (mara, ben):
            change = socket.receive()[4]
            self.assertEqual(change["leaves"], {"mara": {"metas": [meta]}})
            (new,) = change["joins"]["mara"]["metas"]
            self.assertEqual((new["mood"], new["phx_ref_prev"]), ("bad", meta["phx_ref"]))
            self.assertNotEqual(new["phx_ref"], meta["phx_ref"])
        self.track(mara, "untrack")
        for socket in (mara, ben):
            change = socket.receive()[4]
            self.assertEqual((change["joins"], list(change["leaves"])), ({}, ["mara"]))

    def test_a_client_whose_connection_is_cut_is_present_no_more(self):
        mara, _ = self.present("mara")
        ben, _ = self.present("ben")
        self.track(ben, payload={})
        self.assertEqual(list(mara.receive()[4]["joins"]), ["ben"])
        ben.stream.setsockopt(1, 13, struct.pack("ii", 1, 0))  # SO_LINGER: the connection is reset
        ben.close()
        self.assertEqual(list(mara.receive()[4]["leaves"]), ["ben"])

    def test_what_cannot_be_tracked_is_refused_with_a_reason(self):
        socket = self.joined()
        for payload in ({"event": "x"}, {"event": "track", "payload": 7}, {"event": "track", "payload": {"a": "x" * 70_000}}):
            socket.send(self.topic, "presence", {"type": "presence", **payload}, join_ref="1")
            reply = socket.receive()[4]
            self.assertEqual(reply["status"], "error", reply)
            self.assertLess(len(reply["response"]["reason"]), 1_200)


if __name__ == "__main__":
    unittest.main()
