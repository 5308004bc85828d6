"""The HTTP side: RFC 9112 as clients use it, and the common rules of CloudKit Web Services (a.0, d.1, d.3, e.4)."""

import json

from clients import CONTAINER, encoded
from support import PATIENCE, UUID, Case, ServerCase

BAD_JSON = [
    b"{",
    b"",
    b"nonsense",
    b"[]",
    b"7",
    b'"text"',
    b"null",
    b'{"a":1',
    b'{"a":1}}',
    b'{"a":1} x',
    b"{'a':1}",
    b'{"a":01}',
    b'{"a":1.}',
    b'{"a":+1}',
    b'{"a":NaN}',
    b'{"a":Infinity}',
    b'{"a":"\x01"}',
    b'{"a":"\\x"}',
    b'{"a":"\\u12"}',
    b'{"a":"\xff"}',
    b"\xff\xfe",
    b'{"a":tru}',
    b'{"a":1,}',
    b'{"a"}',
    b"{,}",
    b"[" * 100_000,
    b'{"a":' * 100_000,
    b"\x00",
]


class Requests(ServerCase):
    """Well-formed requests in every form that a client may give them."""

    def setUp(self):
        super().setUp()
        self.raw = self.keep(self.server.raw())
        self.path = self.cloud.path("zones/list")

    def head(self, *lines, method="POST", path=None, version="HTTP/1.1"):
        return "\r\n".join([f"{method} {path or self.path} {version}", "Host: localhost", *lines, "", ""]).encode()

    def check_zones(self, response):
        self.assertIsNotNone(response, "the connection ended without an answer")
        self.assertEqual([zone["zoneID"]["zoneName"] for zone in response.succeeded()["zones"]], ["_defaultZone"])

    def test_a_connection_is_kept_alive(self):
        for _ in range(20):
            self.raw.send(self.head("Content-Length: 2") + b"{}")
            self.check_zones(self.raw.response())

    def test_an_answer_has_a_length_and_is_json(self):
        self.raw.send(self.head("Content-Length: 2") + b"{}")
        response = self.raw.response()
        self.assertRegex(response.headers["content-type"], r"^application/json(;|$)")
        self.assertEqual(int(response.headers["content-length"]), len(response.body))

    def test_pipelined_requests_are_answered_in_order(self):
        paths = [self.cloud.path("zones/list") if number % 2 else f"/nowhere/{number}" for number in range(50)]
        self.raw.send(b"".join(self.head("Content-Length: 2", path=path) + b"{}" for path in paths))
        for path in paths:
            self.assertEqual(self.raw.response().status, 404 if path.startswith("/nowhere") else 200)

    def test_pipelined_writes_see_each_other(self):
        self.cloud.create_zone()
        requests = []
        for number in range(30):
            body = json.dumps(
                {
                    "zoneID": {"zoneName": "Notes"},
                    "operations": [
                        {
                            "operationType": "create" if number == 0 else "forceUpdate",
                            "record": {"recordName": "n", "recordType": "Note", "fields": {"a": {"value": number}}},
                        }
                    ],
                }
            ).encode()
            requests.append(self.head(f"Content-Length: {len(body)}", path=self.cloud.path("records/modify")) + body)
            look = json.dumps({"zoneID": {"zoneName": "Notes"}, "records": [{"recordName": "n"}]}).encode()
            requests.append(self.head(f"Content-Length: {len(look)}", path=self.cloud.path("records/lookup")) + look)
        self.raw.send(b"".join(requests))
        for number in range(30):
            saved, found = (self.raw.response().succeeded()["records"][0] for _ in range(2))
            self.assertEqual(saved["fields"]["a"]["value"], number)
            self.assertEqual(found, saved)

    def test_a_request_may_come_byte_by_byte(self):
        for byte in self.head("Content-Length: 2") + b"{}":
            self.raw.send(bytes([byte]))
        self.check_zones(self.raw.response())

    def test_a_body_may_come_in_chunks(self):
        chunks = b"1\r\n{\r\n1;name=value\r\n}\r\n0\r\nTrailer: x\r\n\r\n"
        for _ in range(2):
            self.raw.send(self.head("Transfer-Encoding: chunked") + chunks)
            self.check_zones(self.raw.response())

    def test_close_is_honoured(self):
        self.raw.send(self.head("Content-Length: 2", "Connection: close") + b"{}")
        response = self.raw.response()
        self.check_zones(response)
        self.assertEqual(response.headers["connection"].lower(), "close")
        self.assertTrue(self.raw.is_at_end())

    def test_http_1_0_closes_unless_asked_to_stay(self):
        self.raw.send(self.head("Content-Length: 2", version="HTTP/1.0") + b"{}")
        self.check_zones(self.raw.response())
        self.assertTrue(self.raw.is_at_end())
        staying = self.keep(self.server.raw())
        staying.send(self.head("Content-Length: 2", "Connection: keep-alive", version="HTTP/1.0") + b"{}")
        response = staying.response()
        self.check_zones(response)
        if response.headers.get("connection", "").lower() != "keep-alive":
            self.assertTrue(
                staying.is_at_end(), "an HTTP/1.0 client takes a connection for closed unless told otherwise"
            )

    def test_a_client_that_stops_sending_still_gets_its_answer(self):
        self.raw.send(self.head("Content-Length: 2") + b"{}")
        self.raw.finish_sending()
        self.check_zones(self.raw.response())
        self.assertTrue(self.raw.is_at_end())

    def test_who_expects_100_continue_gets_it_before_the_body(self):
        self.raw.send(self.head("Content-Length: 2", "Expect: 100-continue"))
        self.raw.stream.settimeout(3)
        self.assertEqual(self.raw.response().status, 100)
        self.raw.send(b"{}")
        self.check_zones(self.raw.response())

    def test_any_content_type_or_none_will_do(self):
        for headers in (
            {"Content-Type": "text/plain"},
            {"Content-Type": "application/json; charset=utf-8"},
            {},
            {"Content-Type": "application/x-www-form-urlencoded"},
        ):
            self.check_zones(self.cloud.call("zones/list", {}, headers=headers))

    def test_an_empty_body_means_an_empty_object(self):
        self.check_zones(self.cloud.call("zones/list", b""))
        self.raw.send(self.head())
        self.check_zones(self.raw.response())
        self.assertEqual(self.cloud.call("changes/database", b"").succeeded()["zones"], [])

    def test_blank_space_around_the_body_is_no_matter(self):
        self.check_zones(self.cloud.call("zones/list", b" \r\n\t{} \n"))

    def test_unknown_query_parameters_and_json_keys_are_ignored(self):
        query = {
            "remapEnums": "true",
            "dsid": "1",
            "ckjsVersion": "2.6",
            "clientBuildNumber": "x",
            "flag": "",
            "ckAPIToken": "t",
            "ckWebAuthToken": f"user:{self.user}",
        }
        self.check_zones(self.cloud.request("POST", self.cloud.path("zones/list", query), b'{"unknown":[1,{}]}'))

    def test_tokens_are_percent_decoded_and_a_plus_sign_stays_one(self):
        def owner(token):
            path = self.cloud.path("zones/list", {"ckAPIToken": "t"}) + f"&ckWebAuthToken={token}"
            return self.cloud.request("POST", path, b"{}").succeeded()["zones"][0]["zoneID"]["ownerRecordName"]

        self.assertEqual(owner("user%3Aa%2Bb"), owner("user:a+b"))
        self.assertNotEqual(owner("user:a+b"), owner("user:a%20b"))

    def test_a_path_may_be_percent_encoded(self):
        path = self.path.replace(CONTAINER, CONTAINER.replace(".", "%2E"))
        self.check_zones(self.cloud.request("POST", path, b"{}"))

    def test_a_page_of_any_origin_may_call(self):
        path = self.cloud.path("records/modify")
        asked = {
            "Origin": "http://localhost:3000",
            "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "content-type",
        }
        preflight = self.cloud.request("OPTIONS", path, headers=asked)
        self.assertIn(preflight.status, (200, 204))
        self.assertIn("POST", preflight.headers["access-control-allow-methods"])
        self.assertIn("content-type", preflight.headers["access-control-allow-headers"].lower())
        for reply in (
            preflight,
            self.cloud.call("zones/list", {}, headers={"Origin": "http://localhost:3000"}),
            self.cloud.call("records/modify", b"{", headers={"Origin": "http://localhost:3000"}),
        ):
            self.assertIn(reply.headers["access-control-allow-origin"], ("*", "http://localhost:3000"))
        self.assertIn("X-Apple-CloudKit-Web-Auth-Token", reply.headers.get("access-control-expose-headers", ""))


class Refusals(ServerCase):
    def test_bad_json_is_refused_with_the_three_strings(self):
        for body in BAD_JSON:
            if body:
                with self.subTest(body=body[:30]):
                    self.assert_top_level_error(self.cloud.call("records/modify", body), 400, "BAD_REQUEST")

    def test_every_error_has_an_id_of_its_own(self):
        ids = [self.cloud.call("records/modify", b"{").json["uuid"] for _ in range(10)]
        self.assertEqual(len(set(ids)), 10)
        for identifier in ids:
            self.assertRegex(identifier, UUID)

    def post(self, path):
        return self.cloud.request("POST", path + "?" + encoded({"ckAPIToken": "t", "ckWebAuthToken": "user:u"}))

    def test_unknown_paths_of_cloudkit_are_not_found(self):
        place = f"/database/1/{CONTAINER}/development/private"
        for path in (
            "/database",
            "/database/1",
            f"{place}/records/burn",
            f"{place}/zones",
            place,
            f"/database/2/{CONTAINER}/development/private/zones/list",
            "/database/1//development/private/zones/list",
            f"/database/1/{CONTAINER}/development/secret/zones/list",
            f"{place}/zones/list/more",
            f"/device/1/{CONTAINER}/development/tokens/burn",
        ):
            with self.subTest(path=path):
                reply = self.post(path)
                self.assertIn(reply.status, (400, 404))
                self.assert_top_level_error(reply, reply.status, {404: "NOT_FOUND", 400: "BAD_REQUEST"}[reply.status])

    def test_paths_of_no_protocol_get_a_plain_error(self):
        for path in ("/", "/nowhere", "/zonekit/nowhere", "/../etc/passwd", "/databases/1"):
            with self.subTest(path=path):
                reply = self.post(path)
                self.assertEqual(reply.status, 404)
                self.assertEqual(reply.json, {"status": 404, "reason": f"nothing is served at {path}"})

    def test_a_bad_environment_is_refused(self):
        path = self.cloud.path("zones/list").replace("/development/", "/testing/")
        reply = self.cloud.request("POST", path)
        self.assert_top_level_error(reply, reply.status, {404: "NOT_FOUND", 400: "BAD_REQUEST"}.get(reply.status))

    def test_unknown_operations_are_named(self):
        for what in ("records/share", "users/caller/", "records"):
            reply = self.cloud.call(what, {"query": {"recordType": "Note"}})
            self.assert_top_level_error(reply, 404, "NOT_FOUND")
            self.assertIn(what, reply.json["reason"])

    def test_a_wrong_method_is_told_the_right_one(self):
        for method, what, allowed in (
            ("GET", "records/modify", "POST"),
            ("PUT", "zones/list", "GET"),
            ("DELETE", "changes/zone", "POST"),
        ):
            reply = self.cloud.request(method, self.cloud.path(what))
            self.assertEqual(reply.status, 405)
            self.assertIn(allowed, reply.headers["allow"])
            self.assert_top_level_error(reply, 405, "BAD_REQUEST")

    def test_without_tokens_nobody_comes_in(self):
        for query, status, code in (
            ({}, 401, "AUTHENTICATION_FAILED"),
            ({"ckAPIToken": "t"}, 421, "AUTHENTICATION_REQUIRED"),
            ({"ckAPIToken": "t", "ckWebAuthToken": "user:"}, 401, "AUTHENTICATION_FAILED"),
        ):
            self.assert_top_level_error(
                self.cloud.request("POST", self.cloud.path("changes/database", query), b"{}"), status, code
            )


class Events(ServerCase):
    """/zonekit/events: what happens in the server, live, as server-sent events."""

    def test_a_change_is_told_live_and_again_to_who_asks_for_it(self):
        events = self.keep(self.server.raw())
        events.send(b"GET /zonekit/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        events.stream.settimeout(PATIENCE)
        heard = b""
        while b": facts of zonekit" not in heard:
            heard += events.stream.recv(65536)
        self.assertIn(b"Content-Type: text/event-stream\r\n", heard)
        self.cloud.create_zone()
        self.cloud.save("a")
        while heard.count(b"event: committed\n") < 2:
            heard += events.stream.recv(65536)
        lines = [line for line in heard.decode().splitlines() if line.startswith("data: ")]
        told = [json.loads(line[6:]) for line in lines]
        commits = [fact for fact in told if fact["event"] == "committed"]
        self.assertEqual([fact["zone"] for fact in commits], ["Notes", "Notes"])
        self.assertEqual(commits[-1]["user"], self.user)
        numbers = [int(line[4:]) for line in heard.decode().splitlines() if line.startswith("id: ")]
        self.assertEqual(numbers, sorted(numbers))
        again = self.keep(self.server.raw())
        again.send(f"GET /zonekit/events HTTP/1.1\r\nHost: localhost\r\nLast-Event-ID: {numbers[-1] - 1}\r\n\r\n".encode())
        again.stream.settimeout(PATIENCE)
        heard = b""
        while f"id: {numbers[-1]}\n".encode() not in heard:
            heard += again.stream.recv(65536)
        self.assertNotIn(f"id: {numbers[0]}\n".encode(), heard)

    def test_the_status_says_how_many_facts_there_are(self):
        self.cloud.create_zone()
        status = self.cloud.request("GET", "/zonekit/status").json
        self.assertGreaterEqual(status["facts"]["recorded"], status["commits"])
        self.assertEqual(status["facts"]["missed"], 0)


class ControlAccess(ServerCase):
    """Everything below /zonekit/ is closed to web pages of other origins."""

    PATHS = ("/zonekit/status", "/zonekit/events", "/zonekit/faults", "/zonekit/nowhere")
    PURGE = {"do": "purgeZone", "zone": "Notes", "container": CONTAINER}

    def ask(self, method, path, body=b"", **fields):
        """The answer to a request with these header fields; `Content_Type` is Content-Type."""
        fields = {"Host": self.server.http, **{name.replace("_", "-"): value for name, value in fields.items()}}
        if body:
            fields["Content-Length"] = len(body)
        raw = self.keep(self.server.raw())
        lines = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        raw.send(f"{method} {path} HTTP/1.1\r\n{lines}\r\n".encode() + body)
        return raw.response()

    def check_refused(self, reply, status=403):
        self.assertEqual(reply.status, status)
        self.assertNotIn(b"zones", reply.body)
        self.assertFalse([name for name in reply.headers if name.startswith("access-control")])

    def test_a_page_of_another_origin_reads_nothing_and_no_answer_allows_it_to(self):
        for origin in ("http://evil.example", "null", "http://127.0.0.1:1"):
            for path in self.PATHS:
                self.check_refused(self.ask("GET", path, Origin=origin))
                self.check_refused(self.ask("OPTIONS", path, Origin=origin, Access_Control_Request_Method="PUT"))
        own = self.ask("GET", "/zonekit/status", Origin=f"http://{self.server.http}")
        self.assertEqual(own.status, 200)
        self.assertNotIn("access-control-allow-origin", own.headers)

    def test_a_name_that_was_pointed_at_this_machine_reaches_nothing(self):
        for host in ("evil.example", "evil.example:7440", "127.0.0.1.evil.example"):
            self.check_refused(self.ask("GET", "/zonekit/status", Host=host))
            self.check_refused(
                self.ask("PUT", "/zonekit/faults", b'{"faults":[]}', Host=host, Content_Type="application/json")
            )
        self.assertEqual(self.ask("GET", "/zonekit/status", Host="localhost:80").status, 200)

    def test_only_json_changes_anything(self):
        self.cloud.create_zone()
        body = json.dumps({**self.PURGE, "user": self.user}).encode()
        for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
            self.check_refused(self.ask("POST", "/zonekit/administration", body, Content_Type=kind), 400)
            self.check_refused(
                self.ask("POST", "/zonekit/administration", body, Content_Type=kind, Origin="null")
            )
        # A browser names the page's origin with each body, so a body without a type is no page's.
        self.check_refused(self.ask("POST", "/zonekit/administration", body, Origin="http://evil.example"))
        self.assertEqual(len(self.cloud.database_changes()["zones"]), 1)
        self.assertNotIn("deleted", self.cloud.database_changes()["zones"][0])
        for headers in ({"Content_Type": "application/json"}, {}):
            self.assertEqual(self.ask("PUT", "/zonekit/faults", b'{"faults":[]}', **headers).status, 200)
        done = self.ask("POST", "/zonekit/administration", body, Content_Type="application/json")
        self.assertEqual(done.status, 200)

    def test_the_status_has_no_push_token(self):
        token = self.cloud.register()
        status = self.cloud.request("GET", "/zonekit/status")
        self.assertNotIn(token, status.body.decode())
        shown = [item["token"] for item in status.json["cloud"]["registrations"] if item["user"] == self.user]
        self.assertEqual(shown, [token[:8] + "…"])


class StrictControlAccess(Case):
    def test_nothing_is_there_without_the_key(self):
        server = self.serve(None, "--auth", "strict")
        cloud = self.keep(server.cloud())
        for path in ControlAccess.PATHS:
            self.assertEqual(cloud.request("GET", path).status, 403, path)
            self.assertEqual(cloud.request("GET", path, headers={"Authorization": "Bearer x"}).status, 403, path)
        key = {"Authorization": "Bearer " + server.ready["key"]}
        self.assertEqual(cloud.request("GET", "/zonekit/status", headers=key).status, 200)


class UnixSocket(Case):
    def test_http_and_push_can_be_served_on_unix_sockets(self):
        folder = self.folder()
        server = self.serve(folder / "data", http=f"unix:{folder}/http", push=f"unix:{folder}/push")
        self.assertEqual((server.http, server.push), (f"unix:{folder}/http", f"unix:{folder}/push"))
        cloud = self.keep(server.cloud())
        cloud.create_zone()
        watcher = self.keep(server.push_client(user="nanny", device="d")).welcomed()
        cloud.save("n")
        self.assertEqual(watcher.next()["ck"]["met"]["zid"], "Notes")
        self.assertEqual(server.end(), 0)
        self.assertEqual([path.name for path in folder.iterdir()], ["data"], "sockets are taken away at the end")
