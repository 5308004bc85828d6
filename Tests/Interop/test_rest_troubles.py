"""The service of documents in trouble: planned faults, ends of the server, and many clients at once."""

import http.client
import json
import shutil
import threading

from document_http import DocumentCase, Documents, change, weight
from plain_client import PlainClient, converge
from support import PATIENCE, Case, eventually


class AFault(DocumentCase):
    """One plan of faults is for all protocols: a push meets the faults of saves, pull and full those of zone feeds."""

    def tearDown(self):
        self.cloud.request("DELETE", "/zonekit/faults")

    def plan(self, **fault):
        plan = {"faults": [{"user": self.user, **fault}]}
        reply = self.cloud.request("PUT", "/zonekit/faults", json.dumps(plan))
        self.assertEqual(reply.status, 200, reply.body)

    def family(self, name, **more):
        return change("create", "families", name, {"name": "F"}, **more)

    def test_refuses_requests_by_what_they_do(self):
        self.applied(self.documents.push(self.family("f")))
        calls = {
            "saveRecords": lambda: self.documents.push(self.family("g")), "lookupRecords": lambda: self.documents.full(documents=[{"collection": "families", "documentId": "f"}]),
            "modifyZones": self.documents.push, "fetchDatabaseChanges": self.documents.status,
        }
        for kind, call in {**calls, "fetchZoneChanges": self.documents.pull}.items():
            self.plan(do="refuse", error="serviceUnavailable", on=[kind], retryAfter=2000, times=1)
            reply = call()
            refused = self.refused(reply, 503, "unavailable")
            self.assertEqual((reply.headers["retry-after"], refused["retryAfterMs"]), ("2", 2000))
            self.assertEqual(call().status, 200)
        self.plan(do="refuse", error="changeTokenExpired", on=["fetchZoneChanges"])
        self.refused(self.documents.full(), 410, "cursor_expired")

    def test_refuses_single_changes(self):
        self.plan(do="refuseItems", error="quotaExceeded", records=["families.g"])
        answer = self.documents.push(self.family("f"), self.family("g"), self.family("h")).json
        self.assertEqual((answer["applied"], answer["success"]), (["f", "h"], False))
        self.assertEqual([(error["index"], error["code"]) for error in answer["errors"]], [(1, "quota_exceeded")])
        alone = self.documents.push(self.family("g")).json
        self.assertEqual([result["outcome"] for result in alone["results"]], ["error"])

    def test_loses_answers_after_the_commit_and_requests_before_it(self):
        for kind, name in (("loseAnswer", "f"), ("loseRequest", "g")):
            self.plan(do=kind, on=["saveRecords"], times=1, device="P1")
            with self.assertRaises((OSError, http.client.HTTPException)):
                self.documents.push(self.family(name))
        self.assertIsNone(self.documents.document("families", "g"))
        again = self.applied(self.documents.push(self.family("f")))[0]
        self.assertEqual((again["changed"], again["version"]), (False, 1))

    def test_carries_a_push_out_twice(self):
        self.plan(do="repeatRequest", on=["saveRecords"], times=1)
        result = self.applied(self.documents.push(self.family("f")))[0]
        self.assertEqual((result["changed"], result["version"]), (False, 1))

    def test_distorts_pages(self):
        self.applied(self.documents.push(self.family("f"), self.family("g")))
        cursor = self.documents.pull(limit=1).json["cursor"]
        self.plan(do="stuckToken", on=["fetchZoneChanges"], times=1)
        stuck = self.documents.pull(cursor).json
        self.assertEqual((stuck["cursor"], stuck["hasMore"]), (cursor, True))
        self.plan(do="omitRecords", records=["families.f"], times=1)
        self.assertEqual([entry["documentId"] for entry in self.documents.pull().json["changes"]], ["g"])

    def test_is_seen_in_the_journal_as_what_it_is(self):
        events = self.keep(self.server.raw())
        events.send(b"GET /zonekit/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        events.stream.settimeout(PATIENCE)
        self.assertIn(b"200 OK", events.stream.recv(65536))
        reply = self.documents.push(self.family("f", changeId="P1:7"))
        fact = self.served(events, reply.headers["request-id"])
        self.assertEqual((fact["call"], fact["user"], fact["device"]), ("push", self.user, "P1"))
        self.assertEqual(
            fact["changes"],
            [{"collection": "families", "documentId": "f", "verdict": "applied", "version": 1, "changeId": "P1:7"}],
        )

    def served(self, events, request):
        """The fact of a request in the stream of live facts."""
        text = b""
        while True:
            text += events.stream.recv(65536)
            for line in text.decode().splitlines(keepends=True):
                if line.startswith("data: ") and request in line and line.endswith("\n"):
                    return json.loads(line.removeprefix("data: "))


class AnEndOfTheServer(Case):
    """What was answered is there after any end, and nothing is there twice."""

    def test_in_the_middle_of_pushes_loses_nothing_and_doubles_nothing(self):
        data = self.folder() / "data"
        server = self.serve(data)
        acknowledged, last = {}, {}
        for round_number in range(3):
            writers = [threading.Thread(target=self.write, args=(server.http, f"P{index}", round_number, acknowledged, last)) for index in range(4)]
            for writer in writers:
                writer.start()
            wanted = len(acknowledged) + 20
            eventually(lambda: len(acknowledged) >= wanted, "some pushes are answered")
            server.kill()
            for writer in writers:
                writer.join()
            server = self.serve(data, http=server.http)
        client = self.keep(Documents(server.http, "nanny"))
        # Each writer counts up one document; the last push may have been done without an answer.
        for name, version in sorted(last.items()):
            stored = client.document("weightLogs", name)
            self.assertIn(stored["version"], (version, version + 1), name)
            self.assertEqual(stored["weightG"], 1_000 + stored["version"], name)
        sent = {entry["documentId"]: entry for entry in client.feed()[0]}
        self.assertEqual(sorted(sent), sorted(last))

    def write(self, address, device, round_number, acknowledged, last):
        client = Documents(address, "nanny", device)
        name, version = f"{device}-{round_number}", 0
        try:
            while True:
                made = change("update" if version else "create", "weightLogs", name, weight(1_001 + version), at=version, version=version)
                result = client.push(made).json["results"][0]
                version += 1
                assert (result["outcome"], result["version"]) == ("applied", version), result
                acknowledged[name, version] = True
                last[name] = version
        except (OSError, http.client.HTTPException):
            client.close()

    def test_with_its_folder_is_told_as_a_reset(self):
        data = self.folder() / "data"
        server = self.serve(data)
        client = self.keep(Documents(server.http, "nanny"))
        client.push(change("create", "families", "f", {"name": "F"}))
        cursor, token, tag = client.pull().json["cursor"], client.status().json["token"], client.document("families", "f")["tag"]
        client.close()
        server.end()
        shutil.rmtree(data / "cloud")
        server = self.serve(data, http=server.http)
        told = client.status(token).json
        self.assertTrue(told["hasMore"])
        self.assertIn({"feed": "documents", "state": "reset"}, told["feeds"])
        self.assertEqual(client.status(told["token"]).json["feeds"], [])
        gone = client.pull(cursor)
        self.assertEqual((gone.status, gone.json["error"]), (410, "dataset_changed"))
        client.push(change("create", "families", "f", {"name": "F"}))
        again = client.document("families", "f")
        self.assertNotEqual(again["tag"].split("-")[0], tag.split("-")[0])
        late = client.push(change("update", "families", "f", {"name": "G"}, at=1, tag=tag)).json
        self.assertEqual(late["errors"][0]["code"], "dataset_changed")


class PlainClients(DocumentCase):
    def test_of_one_account_end_with_the_same_documents(self):
        for seed in range(6):
            with self.subTest(seed=seed):
                user = f"{self.user}-{seed}"
                clients = [PlainClient(self.documents_of(user, f"P{index}"), clock=index * 40) for index in range(3)]
                ends = converge(clients, seed, steps=60)
                self.assertTrue(ends[0])
                for end in ends[1:]:
                    self.assertEqual(end, ends[0])
                everything = self.documents_of(user).full(deleted=True).json["data"]
                self.assertEqual(sum(map(len, everything.values())), len(ends[0]))
                self.assertLessEqual(max(client.tries for client in clients), 2)
