"""A client of the service of documents that follows the interfaces of its design record to the letter and knows nothing more: no
cursor, no tag. A document carries its metadata in itself, a push names the number of its version, and changes are read by time."""

import copy
import random

from document_http import change, item, log, milliseconds, stamp

BEGINNINGS = {"swift": "0001-01-01T00:00:00Z", "typescript": "1970-01-01T00:00:00.000Z"}
METADATA = {"_id", "userId", "version", "updatedAt", "deletedAt", "deviceId", "lastSyncedAt"}
ROUNDS = 6


class LiteralClient:
    """`language` says how the client is written. In Swift a structure has the members that it declares, and a merge begins with the
    server's document; in TypeScript an object keeps what it got, and a merge begins with the client's own. `restamps` says
    whether a merge is a new edit."""

    def __init__(self, documents, language="typescript", clock=0, restamps=False):
        self.documents, self.language, self.clock, self.restamps = documents, language, clock, restamps
        self.pulled_at = BEGINNINGS[language]
        self.known, self.pending = {}, set()
        self.answers = []

    def now(self):
        self.clock += 1
        return stamp(self.clock)

    # --- Edits

    def edit(self, place, **members):
        """An edit of a document, which is made if the client does not have it."""
        document = self.known.get(place)
        if document is None:
            document = {
                "_id": place[1], "userId": self.documents.user, "version": 1, "deletedAt": None, "lastSyncedAt": None,
                **log(),
            }
        now = self.now()
        self.known[place] = {**document, "deletedAt": None, **members, "updatedAt": now, "deviceId": self.documents.device}
        self.pending.add(place)

    def add(self, place, name, quantity=1_000):
        items = self.known[place]["items"] if place in self.known else []
        now = stamp(self.clock + 1)
        added = item(name, quantity, createdAt=now, updatedAt=now)
        self.edit(place, items=[one for one in items if one["_id"] != name] + [added])

    def delete(self, place):
        self.edit(place)
        self.known[place]["deletedAt"] = self.known[place]["updatedAt"]

    # --- Syncs

    def sync(self):
        """Pushes until nothing waits, and pulls. Returns the number of pushes."""
        pushes = 0
        while self.pending and pushes < ROUNDS:
            self.push()
            pushes += 1
        self.pull()
        return pushes

    def push(self):
        places = sorted(self.pending)
        changes = []
        for collection, name in places:
            document = self.known[collection, name]
            operation = "delete" if document["deletedAt"] else "update" if document["lastSyncedAt"] else "create"
            made = change(operation, collection, name, copy.deepcopy(document), version=document["version"])
            made["timestamp"] = document["updatedAt"]
            changes.append(made)
        reply = self.documents.push(*changes, lastPulledAt=self.pulled_at)
        assert reply.status == 200, reply.body
        answer = reply.json
        self.answers.append(answer)
        assert not answer["errors"], answer["errors"]
        for name in answer["applied"]:
            for place in [place for place in places if place[1] == name]:
                self.known[place]["lastSyncedAt"] = answer["serverTime"]
                self.pending.discard(place)
        for conflict in answer["conflicts"]:
            self.resolve((conflict["collection"], conflict["documentId"]), conflict, answer["serverTime"])

    def resolve(self, place, conflict, now):
        mine, theirs = self.known[place], conflict["serverData"]
        if conflict["resolution"] == "server_wins":
            self.known[place] = self.adopted(theirs, now)
            self.pending.discard(place)
        elif conflict["resolution"] == "client_wins":
            mine["version"] = conflict["serverVersion"]
        else:
            self.known[place] = self.merged(mine, theirs)

    def adopted(self, document, now):
        if self.language == "swift":
            declared = METADATA | set(log()) | {"notes", "mealName", "entryMethod"}
            document = {name: value for name, value in document.items() if name in declared}
        return {**document, "lastSyncedAt": now}

    def merged(self, mine, theirs):
        items = {one["_id"]: one for one in theirs["items"]}
        for one in mine["items"]:
            if one["_id"] not in items or one["updatedAt"] > items[one["_id"]]["updatedAt"]:
                items[one["_id"]] = one
        latest = max(milliseconds(mine["updatedAt"]), milliseconds(theirs["updatedAt"]))
        self.clock = max(self.clock, latest)
        base = self.adopted(theirs, mine["lastSyncedAt"]) if self.language == "swift" else mine
        return {
            **base, "items": list(items.values()), "version": max(mine["version"], theirs["version"]) + 1,
            "updatedAt": self.now() if self.restamps else stamp(latest),
        }

    def pull(self):
        """Everything that is new by time. Returns the number of changes."""
        count = 0
        for _ in range(100):
            page = self.documents.pull(since=self.pulled_at)
            assert page.status == 200, page.body
            page = page.json
            for entry in page["changes"]:
                place = entry["collection"], entry["documentId"]
                if place in self.pending:
                    continue
                if entry["data"] is None:
                    self.known.pop(place, None)
                else:
                    self.known[place] = self.adopted(entry["data"], page["serverTime"])
            count += len(page["changes"])
            self.pulled_at = page["serverTime"]
            if not page["hasMore"]:
                return count
        raise AssertionError("the pages by time have no end")

    def content(self, collection="foodLogs"):
        """What a user sees of the living documents."""
        shown = {}
        for (kind, name), document in self.known.items():
            if kind != collection or document["deletedAt"]:
                continue
            living = {one["_id"]: one["quantityMilli"] for one in document["items"] if not one.get("deletedAt")}
            shown[name] = (document.get("notes"), living)
        return shown

    # --- Random work

    def act(self, chance):
        place = "foodLogs", chance.choice(["l1", "l2"])
        kind = chance.choice(["add", "add", "notes", "delete"])
        if kind == "add":
            self.add(place, chance.choice("xyz"), chance.randint(1, 9) * 1_000)
        elif kind == "notes":
            self.edit(place, notes=chance.choice("abc"))
        elif place in self.known:
            self.delete(place)


def converge(clients, seed, steps):
    """Random edits and syncs of several clients, then syncs until nothing waits. Returns the most pushes of a sync."""
    chance = random.Random(seed)
    most = 0
    for _ in range(steps):
        client = chance.choice(clients)
        if chance.random() < 0.7:
            client.act(chance)
        else:
            most = max(most, client.sync())
    for _ in range(3):
        for client in clients:
            most = max(most, client.sync())
    return most
