"""Bytes that no decent client sends, and clients that do not read (j.8)."""

import json
import random
import socket
import time

from support import SLOWDOWN, ServerCase


class HostileInput(ServerCase):
    """Whatever comes in: a clear 4xx or a closed connection, and the next client is served."""

    def tearDown(self):
        self.assertEqual(self.client("the next one").call("zones/list").status, 200)

    def check_refused(self, content, statuses=(400,)):
        raw = self.keep(self.server.raw())
        raw.send(content)
        response = raw.response()
        self.assertIsNotNone(response, "the connection was closed without a reason")
        self.assertIn(response.status, statuses)
        self.assertTrue(response.json["reason"])
        self.assertTrue(raw.is_at_end(), "what follows a request that cannot be delimited must not be read as another")

    def test_requests_that_cannot_be_delimited_are_refused(self):
        path = self.cloud.path("zones/list")
        for lines in (
            ["Content-Length: -1"],
            ["Content-Length: x"],
            ["Content-Length: 1, 2"],
            ["Content-Length: +2"],
            ["Content-Length: 2", "Content-Length: 3"],
            ["Content-Length: 2", "Transfer-Encoding: chunked"],
            ["Transfer-Encoding: gzip"],
            ["Transfer-Encoding: chunked, gzip"],
            ["Content-Length : 2"],
            ["Content-Length: 99999999999999999999999"],
            [" folded: x"],
            ["no colon"],
            ["na me: x"],
            ["X: a\0b"],
        ):
            with self.subTest(lines=lines):
                head = "\r\n".join([f"POST {path} HTTP/1.1", "Host: localhost", *lines, "", ""]).encode()
                self.check_refused(head + b"{}", (400, 413, 501))

    def test_bad_chunks_are_refused(self):
        head = (
            f"POST {self.cloud.path('zones/list')} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
        )
        for chunks in (b"x\r\n", b"-1\r\n{}\r\n", b"2\r\n{}XX\r\n0\r\n\r\n", b"FFFFFFFFFFFFFFFFF\r\n", b"\r\n"):
            with self.subTest(chunks=chunks):
                self.check_refused(head + chunks, (400, 413))

    def test_garbage_is_refused(self):
        for content in (
            b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(range(256)) + b"\r\n\r\n",
            b"hello\r\n\r\n",
            b"GET\r\n\r\n",
            b"GET / HTTP/9.9\r\n\r\n",
            b"GET  / HTTP/1.1\r\n\r\n",
            b"G\0T / HTTP/1.1\r\nHost: x\r\n\r\n",
            b"GET / FTP/1.1\r\nHost: x\r\n\r\n",
        ):
            with self.subTest(content=content[:20]):
                self.check_refused(content, (400, 505))

    def test_endless_heads_are_refused(self):
        for content in (
            b"GET /" + b"a" * 200_000,
            b"GET / HTTP/1.1\r\nX: " + b"a" * 200_000,
            b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 50_000,
        ):
            with self.subTest(content=content[:20]):
                raw = self.keep(self.server.raw())
                try:
                    raw.send(content)
                    response = raw.response()
                except (BrokenPipeError, ConnectionResetError):
                    continue  # closed while we were still sending: refused as well
                self.assertIn(response.status, (400, 414, 431))

    def test_a_body_that_is_too_long_is_refused_before_it_is_sent(self):
        head = f"POST {self.cloud.path('zones/list')} HTTP/1.1\r\nHost: x\r\nContent-Length: 9000000000\r\n\r\n"
        self.check_refused(head.encode(), (400, 413))

    def test_half_a_request_and_then_nothing_is_no_matter(self):
        whole = f"POST {self.cloud.path('zones/list')} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{{}}".encode()
        for length in range(1, len(whole), 7):
            raw = self.server.raw()
            raw.send(whole[:length])
            raw.close()

    def test_a_connection_that_says_nothing_keeps_nobody_waiting(self):
        silent = [self.keep(self.server.raw()) for _ in range(100)]
        for raw in silent[:50]:
            raw.send(b"POST /data")
        for _ in range(20):
            self.assertEqual(self.cloud.call("zones/list").status, 200)

    def test_a_client_that_reads_nothing_costs_little_memory_and_keeps_nobody_waiting(self):
        self.cloud.create_zone()
        self.cloud.save_all((f"n-{number}" for number in range(200)), {"text": "x" * 2000})
        body = json.dumps({"zones": [{"zoneID": {"zoneName": "Notes"}}]}).encode()
        path = self.cloud.path("changes/zone")
        head = f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n\r\n".encode()
        before = self.server.memory()
        for _ in range(5):
            deaf = self.keep(self.server.raw())
            deaf.stream.settimeout(1)
            try:
                deaf.send((head + body) * 1000)  # asks for half a gigabyte of answers
            except (TimeoutError, ConnectionError):
                pass  # the server may stop reading, or close; it must go on serving others
        started = time.monotonic()
        for _ in range(20):
            self.assertEqual(self.cloud.call("zones/list").status, 200)
        self.assertLess(time.monotonic() - started, 2 * SLOWDOWN)
        self.assertLess(self.server.memory() - before, 100, "megabytes of answers are kept for who does not read them")

    def test_a_small_request_makes_no_large_answer(self):
        self.cloud.create_zone()
        for number in range(5):
            self.cloud.save(f"n-{number}", {"text": "x" * 900_000})
        before = self.server.memory()
        zone = {"zoneID": {"zoneName": "Notes"}}
        names = [{"recordName": "n-0"}] * 200
        for what, body in (("changes/zone", {"zones": [zone] * 200}), ("records/lookup", {**zone, "records": names})):
            self.assert_top_level_error(self.cloud.call(what, body), 400, "BAD_REQUEST")
        page = self.cloud.zone_changes()
        self.assertIs(page["moreComing"], True)
        self.assertEqual(len(page["records"]), 3)
        self.assertEqual(len(self.cloud.feed()[0]), 5)
        self.assertLess(self.server.memory() - before, 60)

    def test_zones_that_do_not_fit_into_an_answer_come_with_the_next(self):
        zones, tokens, seen = ["Large", "Small", "Empty"], {}, {}
        for zone in zones:
            self.cloud.create_zone(zone)
        for number in range(4):
            self.cloud.save(f"n-{number}", {"text": "x" * 900_000}, zone="Large")
            self.cloud.save(f"n-{number}", {"text": "x"}, zone="Small")
        for _ in range(3):
            queries = [{"zoneID": {"zoneName": zone}, "syncToken": tokens.get(zone)} for zone in zones]
            pages = self.cloud.call("changes/zone", {"zones": queries}).succeeded()["zones"]
            for zone, page in zip(zones, pages):
                tokens[zone] = page["syncToken"]
                seen.setdefault(zone, []).extend(record["recordName"] for record in page["records"])
            if not any(page["moreComing"] for page in pages):
                break
        everything = [f"n-{number}" for number in range(4)]
        self.assertEqual(seen, {"Large": everything, "Small": everything, "Empty": []})

    def test_unfinished_bodies_take_little_memory_and_keep_nobody_waiting(self):
        before = self.server.memory()
        head = f"POST {self.cloud.path('records/modify')} HTTP/1.1\r\nHost: x\r\nContent-Length: {8 << 20}\r\n\r\n"
        others = [self.keep(self.server.raw()) for _ in range(20)]
        for raw in others:
            raw.send(head.encode() + b"x" * (4 << 20))
        refused = others[-1].response()
        self.assert_top_level_error(refused, 503, "TRY_AGAIN_LATER")
        self.assertGreater(refused.json["retryAfter"], 0)
        self.assertEqual(refused.headers["retry-after"], "1")
        self.assertEqual(self.cloud.call("zones/list").status, 200)
        self.assertLess(self.server.memory() - before, 100)

    # A path of each route, with the fields of a request that it serves.
    ROUTES = (
        ("/rest/v1/persons", "apikey: any"),
        ("/auth/v1/settings", "apikey: any"),
        ("/functions/v1/calculate-balance", "apikey: any"),
        ("/storage/v1/object/list/photos", "apikey: any"),
        ("/realtime/v1/websocket", "apikey: any"),
        ("/sync/changes", "X-Device-Id: P1"),
        ("/zonekit/status", "Accept: */*"),
        ("/none", "Accept: */*"),
    )

    def test_two_credentials_are_refused_in_every_route(self):
        raw = self.keep(self.server.raw())
        for path, field in ((self.cloud.path("zones/list"), "Accept: */*"), *self.ROUTES):
            for method in ("GET", "POST"):
                twice = "Authorization: Bearer user:a\r\nauthorization: Bearer user:b"
                raw.send(f"{method} {path} HTTP/1.1\r\nHost: x\r\n{field}\r\n{twice}\r\nContent-Length: 0\r\n\r\n".encode())
                reply = raw.response()
                self.assertEqual((reply.status, "twice" in reply.json["reason"]), (400, True), path)

    def test_errors_do_not_repeat_a_megabyte(self):
        long = "x" * (1 << 20)
        raw = self.keep(self.server.raw())
        for path, body in (
            (self.cloud.path("records/modify"), {"operations": [{"operationType": long}]}),
            (self.cloud.path("records/modify"), {"zoneID": {"zoneName": long}, "operations": []}),
            (self.cloud.path("records/lookup"), {"records": [{"recordName": long}]}),
            (self.cloud.path("zones/lookup"), {"zones": [{"zoneID": {"zoneName": long}}]}),
            ("/rest/v1/persons", {long: 1}),
            ("/rest/v1/persons", {"id": long}),
            ("/auth/v1/token?grant_type=password", {"email": long, "password": long}),
            ("/auth/v1/signup", {"email": long, "password": "secret1"}),
            ("/functions/v1/calculate-balance", {"person_id": long}),
            ("/storage/v1/object/list/photos", {"prefix": long, "sortBy": {"column": long}}),
            ("/realtime/v1/api/broadcast", {"messages": [{"topic": long}]}),
            ("/sync/changes", {"changes": [{"op": long, "collection": long, "id": long}]}),
            ("/sync/changes", {long: 1}),
            ("/zonekit/faults", {"faults": [{"do": long}]}),
            ("/zonekit/administration", {"do": long}),
        ):
            content = json.dumps(body).encode()
            method = "PUT" if path == "/zonekit/faults" else "POST"
            token = "Bearer user:me" if path.startswith("/sync/") else "Bearer any"
            head = (
                f"{method} {path} HTTP/1.1\r\nHost: x\r\napikey: any\r\nAuthorization: {token}\r\nX-Device-Id: P1\r\n"
                f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
            )
            raw.send(head.encode() + content)
            reply = raw.response()
            with self.subTest(path=path, body=str(body)[:60], status=reply.status):
                self.assertLess(len(reply.body), 6_000, reply.body[:300])

    def test_spoilt_requests_are_answered_or_cut_off(self):
        rng = random.Random(8)
        body = b'{"operations":[{"operationType":"create","record":{"recordName":"n","recordType":"Note"}}]}'
        whole = f"POST {self.cloud.path('records/modify')} HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n\r\n"
        for _ in range(400):
            content = bytearray(whole.encode() + body)
            for _ in range(rng.randint(1, 4)):
                place = rng.randrange(len(content))
                content[place : place + rng.choice([0, 1, 1, 8])] = rng.randbytes(rng.choice([0, 1, 1, 8]))
            raw = self.server.raw()
            try:
                raw.send(bytes(content))
                raw.finish_sending()
                while response := raw.response():
                    self.assertIn(response.status, range(200, 506))
                    self.assertTrue(response.json)
            except ConnectionError:
                pass  # cut off: an answer of its own kind
            finally:
                raw.close()

    def test_connections_cut_in_the_middle_of_answers_do_no_harm(self):
        content = f"POST {self.cloud.path('zones/list')} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{{}}".encode()
        for _ in range(50):
            raw = self.server.raw()
            raw.stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            raw.send(content * 20)
            raw.close()
