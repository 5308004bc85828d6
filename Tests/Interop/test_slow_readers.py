"""Clients that ask for much and read nothing, and clients that read much: memory, close codes and the order of events."""

import concurrent.futures
import json
import socket as streams
import threading
import time
import unittest

from realtime_socket import CLOSE, PING, PONG, TEXT, RealtimeSocket
from supabase_http import AuthCase
from support import SWELLING, eventually

TOPIC = "realtime:user-sync-A"
ENTRY = {"event": "*", "schema": "public", "table": "reminders"}


class SlowReaders(AuthCase):
    def setUp(self):
        super().setUp()
        self.token = self.auth.sign_up(self.email).json["access_token"]

    def socket(self, buffer=None):
        socket = self.keep(RealtimeSocket(self.server.http, self.keys["anonKey"], "2.0.0"))
        if buffer:
            socket.stream.setsockopt(streams.SOL_SOCKET, streams.SO_RCVBUF, buffer)
        return socket

    def watching(self, buffer=None):
        socket = self.socket(buffer)
        self.assertEqual(socket.join(TOPIC, [ENTRY], self.token)[1]["status"], "ok")
        return socket

    def write(self, first, count, size=0):
        rows = [{"message": f"{number:06}" + "x" * size} for number in range(first, first + count)]
        reply = self.auth.ask("POST", "reminders", rows, bearer=self.token, root="/rest/v1/")
        self.assertEqual(reply.status, 201, reply.body[:500])

    def status(self):
        return self.auth.ask("GET", "status", headers={}, root="/zonekit/").json

    def flood(self, socket, frame, seconds):
        """Sends the same bytes again and again and reads nothing. Returns how many bytes the server took."""
        deadline, taken = time.monotonic() + seconds, 0
        socket.stream.settimeout(0.2)
        chunk = frame * (65536 // len(frame))
        while time.monotonic() < deadline:
            try:
                taken += socket.stream.send(chunk[taken % len(chunk) :])
            except TimeoutError:
                pass
            except (BrokenPipeError, ConnectionResetError):
                return taken
        socket.stream.settimeout(10)
        return taken

    def frames(self, socket):
        """All frames up to the end of the connection. Fails if one is cut."""
        frames = []
        try:
            while True:
                frames.append(socket.receive_frame())
                if frames[-1][0] == CLOSE:
                    return frames
        except ConnectionResetError:
            return frames

    def assert_let_go(self, frames):
        self.assertEqual((frames[-1][0], int.from_bytes(frames[-1][1], "big")), (CLOSE, 1013))

    def masked(self, opcode, payload):
        return bytes([0x80 | opcode, 0x80 | len(payload), 0, 0, 0, 0]) + payload

    def test_pings_of_a_client_that_reads_nothing_take_no_memory(self):
        socket = self.socket(65536)
        before = self.server.memory()
        frame = self.masked(PING, b"p" * 125)
        taken = self.flood(socket, frame, 4)
        self.assertGreater(taken, 4 << 20)
        self.assertLess(self.server.memory() - before, 20 * SWELLING)
        # The server reads on only while its pongs are read.
        rest = frame[taken % len(frame) :] + self.masked(CLOSE, (1000).to_bytes(2, "big"))
        sender = threading.Thread(target=socket.stream.sendall, args=(rest,))
        sender.start()
        frames = self.frames(socket)
        sender.join()
        self.assertEqual(set(frames[:-1]), {(PONG, b"p" * 125)})
        self.assertLess(len(frames) * 125, taken / 4, "not every ping is answered")

    def test_the_newest_ping_is_answered(self):
        socket = self.socket()
        socket.stream.sendall(b"".join(self.masked(PING, b"%d" % number) for number in range(2_000)))
        while socket.receive_frame() != (PONG, b"1999"):
            pass

    def test_replies_to_a_client_that_reads_nothing_are_bounded_and_it_is_closed_with_1013(self):
        socket = self.socket(65536)
        beat = b'[null,"1","phoenix","heartbeat",{}]'
        before = self.server.memory()
        self.flood(socket, self.masked(TEXT, beat), 5)
        self.assertLess(self.server.memory() - before, 30 * SWELLING)
        frames = self.frames(socket)
        self.assertEqual({json.loads(data)[3] for opcode, data in frames[:-1]}, {"phx_reply"})
        self.assert_let_go(frames)

    def test_a_client_that_sends_much_before_it_reads_gets_all_replies(self):
        socket = self.socket()
        sender = threading.Thread(
            target=lambda: socket.stream.sendall(
                b"".join(
                    self.masked(TEXT, b'[null,"%d","phoenix","heartbeat",{}]' % number) for number in range(20_000)
                )
            )
        )
        sender.start()
        refs = [socket.receive()[1] for _ in range(20_000)]
        sender.join()
        self.assertEqual(refs, [str(number) for number in range(20_000)])

    def test_a_client_that_reads_gets_all_events_of_a_write_in_order(self):
        fast = [self.watching() for _ in range(3)]
        self.write(0, 5_000, size=800)
        with concurrent.futures.ThreadPoolExecutor() as pool:
            for messages in pool.map(lambda socket: [socket.receive() for _ in range(5_000)], fast):
                numbers = [message[4]["data"]["record"]["message"][:6] for message in messages]
                self.assertEqual(numbers, [f"{number:06}" for number in range(5_000)])
        for socket in fast:
            socket.send("phoenix", "heartbeat", {})
            self.assertEqual(socket.receive()[3], "phx_reply", "the socket goes on")

    def test_a_client_that_does_not_read_is_closed_between_two_frames_and_others_go_on(self):
        slow, fast = self.watching(65536), self.watching()
        received = []
        reader = threading.Thread(target=lambda: received.extend(fast.receive() for _ in range(10_000)))
        reader.start()
        before = self.server.memory()
        self.write(0, 5_000, size=1_000)
        self.write(5_000, 5_000, size=1_000)
        reader.join(60)
        self.assertEqual(len(received), 10_000)
        eventually(lambda: self.status()["cloud"]["sockets"] == 1, "the slow one is let go")
        frames = self.frames(slow)
        self.assert_let_go(frames)
        numbers = [json.loads(data)[4]["data"]["record"]["message"][:6] for _, data in frames[:-1]]
        self.assertEqual(numbers, [f"{number:06}" for number in range(len(numbers))])
        self.assertLess(self.server.memory() - before, 300 * SWELLING)

    def test_a_message_in_very_many_fragments_is_refused(self):
        socket = self.socket()
        socket.stream.sendall(
            bytes([0x01, 0x81, 0, 0, 0, 0, 97]) + bytes([0x00, 0x81, 0, 0, 0, 0, 97]) * 2_000
        )
        self.assertEqual(socket.receive_close(), 1009)


if __name__ == "__main__":
    unittest.main()
