"""Churn over the services of tables, objects, sockets and documents: the amount of data stays the same."""

import datetime
import http.client
import json
import os
import random
import socket
import sys
import uuid

sys.path.append(os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "Tests", "Interop"))

from realtime_socket import RealtimeSocket  # noqa: E402
from support.processes import BenchmarkError  # noqa: E402

ROWS = 40
DOCUMENTS = 20
PHOTOS = 5
PHOTO_BYTES = 100_000
# Other writers of a row make conflicts, which are kept: the client that writes says that it has seen the row.
USER = {"Authorization": "Bearer user:soak"}
UPSERT = "return=minimal,resolution=merge-duplicates"


class Services:
    """One account of the tables and one of the documents, with everything that they change again and again."""

    def __init__(self, address):
        self.address, self.random = address, random.Random(2)
        self.edits = self.writes = 0
        self.connection = http.client.HTTPConnection(address, timeout=20)
        self.key = self.ask("GET", "/zonekit/keys", None, {}, 200)["anonKey"]
        account = {"email": "soak@example.test", "password": "secret1"}
        session = self.ask("POST", "/auth/v1/signup", account, {"apikey": self.key}, 200)
        self.me, self.token = session["user"]["id"], session["access_token"]
        self.rows = [str(uuid.uuid4()) for _ in range(ROWS)]
        self.write_rows(self.rows)
        self.write_documents(range(DOCUMENTS))
        for number in range(PHOTOS):
            self.upload(number)

    def ask(self, method, path, body, fields, *wanted):
        """One request; the JSON of its answer, which has one of the statuses that are wanted."""
        head = dict(fields)
        if body is not None and not isinstance(body, bytes):
            body, head["Content-Type"] = json.dumps(body), "application/json"
        self.connection.request(method, path, body, head)
        reply = self.connection.getresponse()
        text = reply.read()
        if reply.status not in wanted:
            raise BenchmarkError(f"{method} {path}: expected {wanted}, met {reply.status}: {text[:300]!r}")
        return json.loads(text) if text else None

    def play(self):
        """One round of each service."""
        self.edits += 1
        self.write_rows(self.random.sample(self.rows, 3))
        self.ask("GET", "/rest/v1/reminders?select=*&order=updated_at.asc&limit=20", None, self.signed(), 200, 206)
        self.upload(self.random.randrange(PHOTOS))
        self.cut_upload()
        self.listen()
        self.write_documents(self.random.sample(range(DOCUMENTS), 2))
        self.ask("GET", "/sync/pull?limit=10", None, USER, 200)

    def signed(self, **more):
        """The fields of a request of the account."""
        return {"apikey": self.key, "Authorization": f"Bearer {self.token}", **more}

    def write_rows(self, identifiers):
        self.writes += 1
        rows = [{"id": row, "owner_id": self.me, "message": f"edit {self.writes}"} for row in identifiers]
        self.ask("POST", "/rest/v1/reminders", rows, self.signed(Prefer=UPSERT), 200, 201)

    def photo(self, number):
        fields = self.signed(**{"Content-Type": "image/jpeg", "x-upsert": "true"})
        return f"/storage/v1/object/photos/{self.me}/{number}.jpg", fields

    def upload(self, number):
        """Replaces a photo by other bytes of the same length."""
        path, fields = self.photo(number)
        self.ask("POST", path, b"\xff\xd8\xff" + self.random.randbytes(PHOTO_BYTES), fields, 200)

    def cut_upload(self):
        """A client that goes in the middle of an upload."""
        path, fields = self.photo(0)
        host, port = self.address.rsplit(":", 1)
        lines = [f"POST {path} HTTP/1.1", f"Host: {self.address}", f"Content-Length: {PHOTO_BYTES}"]
        lines += [f"{name}: {value}" for name, value in fields.items()]
        with socket.create_connection((host, int(port)), timeout=20) as client:
            client.sendall(("\r\n".join(lines) + "\r\n\r\n").encode() + self.random.randbytes(PHOTO_BYTES // 2))

    def listen(self):
        """A socket that joins a channel, gets the event of one change, and goes."""
        listener = RealtimeSocket(self.address, self.key)
        try:
            entries = [{"event": "*", "schema": "public", "table": "reminders", "filter": f"owner_id=eq.{self.me}"}]
            answer, _ = listener.join("realtime:soak", entries, token=self.token)
            if answer["status"] != "ok":
                raise BenchmarkError(f"the channel was not joined: {json.dumps(answer)}")
            self.write_rows([self.random.choice(self.rows)])
            if listener.receive()[3] != "postgres_changes":
                raise BenchmarkError("a change brought no event")
        finally:
            listener.close()

    def write_documents(self, numbers):
        """Changes documents on the basis of their present versions, so that nothing is a conflict."""
        names = [f"log{number}" for number in numbers]
        asked = {"documents": [{"collection": "foodLogs", "documentId": name} for name in names]}
        found = self.ask("POST", "/sync/full", asked, USER, 200)["data"].get("foodLogs", [])
        versions = {document["_id"]: document["version"] for document in found}
        changes = [self.change(name, versions.get(name, 0)) for name in names]
        answer = self.ask("POST", "/sync/push", {"deviceId": "soak", "changes": changes}, USER, 200)
        if not answer["success"]:
            raise BenchmarkError(f"documents were not written: {json.dumps(answer)[:300]}")

    def change(self, name, version):
        oats = {"_id": "oats", "name": "Oats", "quantityMilli": self.random.randrange(1_000, 200_000), "unit": "g"}
        data = {
            "loggedDate": "2026-11-21", "loggedAt": "2026-11-21T12:00:00.000Z", "mealType": "lunch", "items": [oats],
            "notes": f"edit {self.edits}",
        }
        stamp = datetime.datetime(2026, 1, 1) + datetime.timedelta(milliseconds=self.edits + 1)
        return {
            "collection": "foodLogs", "documentId": name, "operation": "update" if version else "create", "version": version,
            "timestamp": stamp.isoformat(timespec="milliseconds") + "Z", "data": data,
        }
