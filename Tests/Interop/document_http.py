"""What the black-box tests of the service of documents share: a client of plain HTTP, and documents."""

import datetime
import http.client
import json
import urllib.parse

from support import ServerCase

CONTAINER = "iCloud.com.example.dietlog"
OWN = {"_id", "userId", "version", "tag", "updatedAt", "deletedAt", "deviceId", "committedAt", "totals"}


class Reply:
    def __init__(self, response):
        self.status = response.status
        self.headers = {name.lower(): value for name, value in response.getheaders()}
        self.body = response.read()

    @property
    def json(self):
        return json.loads(self.body)


def stamp(milliseconds):
    """A time of 2026 in ISO 8601, that many milliseconds after its start."""
    time = datetime.datetime(2026, 1, 1) + datetime.timedelta(milliseconds=milliseconds)
    return time.isoformat(timespec="milliseconds") + "Z"


def milliseconds(text):
    time = datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).replace(tzinfo=None)
    return round((time - datetime.datetime(2026, 1, 1)).total_seconds() * 1000)


class Documents:
    """The calls of one account over one connection, which is opened again after it was lost."""

    def __init__(self, address, user, device="P1", fields=None):
        self.address, self.user, self.device = address, user, device
        self.fields = {"Authorization": "Bearer user:" + urllib.parse.quote(user, safe="")} if fields is None else fields
        self.connection = http.client.HTTPConnection(address, timeout=20)

    def close(self):
        self.connection.close()

    def ask(self, method, path, body=None, fields=None, **query):
        """One request. Members of the query that are None are left out."""
        items = {name: value for name, value in query.items() if value is not None}
        target = "/sync/" + path + ("?" + urllib.parse.urlencode(items) if items else "")
        head = {**self.fields, **(fields or {})}
        if body is not None:
            head.setdefault("Content-Type", "application/json")
        text = body if isinstance(body, (bytes, str, type(None))) else json.dumps(body)
        try:
            self.connection.request(method, target, text, head)
            return Reply(self.connection.getresponse())
        except (OSError, http.client.HTTPException):
            self.connection.close()
            raise

    def push(self, *changes, **more):
        return self.ask("POST", "push", {"deviceId": self.device, "changes": list(changes), **more})

    def pull(self, cursor=None, **query):
        return self.ask("GET", "pull", cursor=cursor, **query)

    def full(self, **body):
        return self.ask("POST", "full", body)

    def status(self, since=None):
        return self.ask("GET", "status", since=since)

    def document(self, collection, name):
        """One document by its name; None if there is none."""
        found = self.full(documents=[{"collection": collection, "documentId": name}]).json["data"]
        return found[collection][0] if collection in found else None

    def feed(self, cursor=None, limit=None, **query):
        """All changes behind a cursor, and the cursor at the end."""
        changes = []
        while True:
            page = self.pull(cursor, limit=limit, **query).json
            changes += page["changes"]
            cursor = page["cursor"]
            if not page["hasMore"]:
                return changes, cursor


def change(operation, collection, name, data=None, at=0, **more):
    """A change that a client sends; `at` is the time of the edit in milliseconds of 2026."""
    made = {"collection": collection, "operation": operation, "documentId": name, "timestamp": stamp(at), **more}
    return made if data is None else {**made, "data": data}


def weight(grams, **more):
    return {"loggedDate": "2026-11-21", "loggedAt": stamp(0), "weightG": grams, **more}


def item(name, quantity=100_000, **more):
    return {"_id": name, "name": name.title(), "quantityMilli": quantity, "unit": "g", **more}


def log(*items, day="2026-11-21", **more):
    return {"loggedDate": day, "loggedAt": stamp(0), "mealType": "lunch", "items": list(items), **more}


def content(document):
    """What a client may send back of a document."""
    return {name: value for name, value in document.items() if name not in OWN}


class DocumentCase(ServerCase):
    def setUp(self):
        super().setUp()
        self.documents = self.documents_of()

    def documents_of(self, user=None, device="P1"):
        return self.keep(Documents(self.server.http, user or self.user, device))

    def applied(self, reply):
        """The results of a push of which everything was applied."""
        self.assertEqual(reply.status, 200, reply.body)
        answer = reply.json
        self.assertEqual((answer["success"], answer["conflicts"], answer["errors"]), (True, [], []), answer)
        self.assertEqual([result["outcome"] for result in answer["results"]], ["applied"] * len(answer["results"]))
        return answer["results"]

    def refused(self, reply, status, error):
        """The error of a request that was refused as a whole."""
        answer = reply.json
        self.assertEqual((reply.status, answer["error"]), (status, error), answer)
        self.assertEqual(answer["requestId"], reply.headers["request-id"])
        self.assertTrue(answer["message"] and answer["cause"])
        return answer

    def conflict(self, reply):
        answer = reply.json
        self.assertEqual((len(answer["conflicts"]), answer["errors"]), (1, []), answer)
        return answer["conflicts"][0]
