"""Queries that read all rows of an account: others are served beside them, and they end with those who asked."""

import json
import signal
import time
import uuid
import zlib

from clients import connect
from support import check_sqlite_files
from supabase_http import Auth, AuthCase

COUNT = 4_000
# No index answers these: patterns without a fixed beginning, also one that only rows can be tested for.
NONE = "title=ilike.*nothing*"
TESTED = "title=not.ilike.*9*&amount=lt.1000"


class LongQueries(AuthCase):
    def identifier(self, number):
        return str(uuid.UUID(int=(4 << 76) | (8 << 60) | zlib.crc32(self.id().encode()) << 20 | number))

    def signed_in(self, email):
        auth = self.keep(Auth(self.server.http, self.keys["anonKey"]))
        auth.token = auth.sign_up(email).json["access_token"]
        return auth

    def rows(self, auth, method, query, body=None, **fields):
        fields = {name.replace("_", "-"): text for name, text in fields.items()}
        return auth.ask(method, f"financial_transactions{query}", body, auth.token, fields, "/rest/v1/")

    def seed(self):
        """Gives the account of this test its rows."""
        self.auth = self.signed_in(self.email)
        rows = [
            {"id": self.identifier(number), "title": f"Dinner {number}", "amount": number % 100}
            for number in range(COUNT)
        ]
        self.assertEqual(self.rows(self.auth, "POST", "", rows, Prefer="return=minimal").status, 201)

    def request(self, auth, query, **fields):
        more = "".join(f"{name}: {text}\r\n" for name, text in fields.items())
        return (
            f"GET /rest/v1/financial_transactions?{query} HTTP/1.1\r\nHost: localhost\r\napikey: {auth.key}\r\n"
            f"Authorization: Bearer {auth.token}\r\n{more}\r\n"
        ).encode()

    def asked(self, query, auth=None):
        """A stream on which the query was sent."""
        stream = self.keep(connect(self.server.http))
        stream.sendall(self.request(auth or self.auth, query))
        return stream

    def test_their_answers_are_right_whatever_is_written_beside_them(self):
        self.seed()
        without = sum("9" not in f"Dinner {number}" for number in range(COUNT))
        queries = [
            (NONE, 0), (TESTED + "&limit=3&order=title", without),
            ("or=(title.ilike.*777*,amount.eq.5)&limit=2", sum("777" in str(n) or n % 100 == 5 for n in range(COUNT))),
        ]
        for query, count in queries:
            reply = self.rows(self.auth, "GET", "?" + query, Prefer="count=exact")
            self.assertIn(reply.status, (200, 206))
            self.assertEqual(reply.headers["content-range"].partition("/")[2], str(count), query)
        first = self.rows(self.auth, "GET", "?" + TESTED + "&limit=2&order=title&select=title").json
        self.assertEqual([row["title"] for row in first], ["Dinner 0", "Dinner 1"])
        # Each query sees either none or all rows of a write, and at least those that were written before it.
        streams = []
        for step in range(12):
            streams.append(self.asked("title=ilike.*new%20row*&select=title&limit=1000&note=is.null"))
            rows = [{"title": f"a new row {step} {place}", "amount": 5_000} for place in range(50)]
            self.assertEqual(self.rows(self.auth, "POST", "", rows, Prefer="return=minimal").status, 201)
        for step, stream in enumerate(streams):
            found = self.body(stream)
            self.assertEqual(len(found) % 50, 0, "a part of a write")
            self.assertGreaterEqual(len(found), 50 * step)

    def body(self, stream):
        file = stream.makefile("rb")
        self.assertIn(b" 200 ", file.readline())
        length = 0
        while line := file.readline().strip():
            if line.lower().startswith(b"content-length:"):
                length = int(line.partition(b":")[2])
        return json.loads(file.read(length))

    def test_others_are_served_before_them(self):
        self.seed()
        other = self.signed_in("other." + self.email)
        streams = [self.asked(TESTED + "&order=title&limit=1") for _ in range(40)]
        for _ in range(1):
            self.assertEqual(self.rows(other, "POST", "", {"title": "x", "amount": 1}).status, 201)
        streams[-1].setblocking(False)
        self.assertRaises(BlockingIOError, streams[-1].recv, 1)
        streams[-1].setblocking(True)
        for stream in streams:
            self.assertEqual([row["title"] for row in self.body(stream)], ["Dinner 0"])

    def test_those_whose_clients_have_gone_do_not_keep_others_waiting(self):
        self.seed()
        other = self.signed_in("other." + self.email)
        rows = [{"title": f"Lunch {number}", "amount": 1} for number in range(1_500)]
        self.rows(other, "POST", "", rows, Prefer="return=minimal")
        began = time.monotonic()
        self.body(self.asked(TESTED + "&order=title&limit=1"))
        one = time.monotonic() - began
        streams = [self.asked(TESTED + "&order=title&limit=1") for _ in range(200)]
        for stream in streams:
            stream.close()
        began = time.monotonic()
        self.assertEqual(self.rows(self.auth, "GET", "?" + NONE).json, [])
        self.assertLess(time.monotonic() - began, 60 * one + 1)
        self.assertEqual(self.rows(other, "GET", "?" + NONE).json, [])

    def test_the_server_ends_and_is_killed_in_the_middle_of_them(self):
        self.server = self.serve()
        self.keys = self.keep(Auth(self.server.http, key=None)).ask("GET", "keys", headers={}, root="/zonekit/").json
        self.seed()
        for _ in range(20):
            self.asked(TESTED + "&order=title&limit=1")
        self.rows(self.auth, "POST", "", {"id": self.identifier(COUNT), "title": "kept", "amount": 1})
        self.assertEqual(self.server.end(signal.SIGTERM), 0)
        data = self.server.data
        server = self.server = self.serve(data)
        for _ in range(20):
            self.asked(TESTED + "&order=title&limit=1")
        reply = self.rows(self.again(server), "POST", "", {"id": self.identifier(COUNT + 1), "title": "kept", "amount": 1})
        self.assertEqual(reply.status, 201)
        server.kill()
        self.server = self.serve(data)
        found = self.rows(self.again(self.server), "GET", "?title=ilike.*KEP*&select=id&order=id").json
        self.assertEqual([row["id"] for row in found], [self.identifier(COUNT), self.identifier(COUNT + 1)])
        self.assertEqual(self.server.end(), 0)
        check_sqlite_files(data)

    def again(self, server):
        auth = self.keep(Auth(server.http, self.keys["anonKey"]))
        auth.token = self.auth.token
        return auth

    def test_their_memory_is_bounded(self):
        self.seed()
        before = self.server.memory()
        streams = [self.asked(TESTED + "&order=amount&limit=1000") for _ in range(60)]
        most = 0
        for stream in streams:
            self.assertEqual(len(self.body(stream)), 1_000)
            most = max(most, self.server.memory())
        self.assertLess(most - before, 150)
