"""A plain client of the service of documents: nothing but the standard library, and the pages of its protocol."""

import copy
import random

from document_http import change, content, item, log, milliseconds, stamp, weight


class PlainClient:
    """A device that knows the protocol alone: it keeps what it pulled, edits it, and lets the server decide. Where the server
    asks it to merge a log, it takes of each item the version that was edited later, and sends the log again."""

    def __init__(self, documents, clock=0):
        self.documents, self.clock = documents, clock
        self.cursor, self.known, self.unsent = None, {}, {}
        self.tries = 0

    def now(self):
        self.clock += 1
        return self.clock

    # --- Edits

    def edit(self, collection, name, data=None, deletes=False):
        """An edit of a document; it waits until the next sync."""
        stored = self.known.get((collection, name))
        at = max(self.now(), milliseconds(stored["updatedAt"]) + 1 if stored else 0)
        made = change("delete" if deletes else "update" if stored else "create", collection, name, data, at=at)
        if stored:
            made["tag"] = stored["tag"]
        self.unsent[collection, name] = made

    # --- Syncs

    def sync(self):
        """Sends what waits, at most twice, and pulls."""
        for attempt in range(2):
            sent = self.unsent
            if not sent:
                break
            answer = self.documents.push(*sent.values()).json
            assert not answer["errors"], answer
            self.tries = max(self.tries, attempt + 1)
            self.unsent = {}
            for conflict in answer["conflicts"]:
                if conflict["resolution"] == "merge":
                    place = conflict["collection"], conflict["documentId"]
                    self.unsent[place] = self.merged(sent[place], conflict["serverData"])
                else:
                    assert conflict["resolution"] == "server_wins", conflict
        assert not self.unsent, "a plain client is done after two tries"
        self.pull()

    def merged(self, mine, theirs):
        made = copy.deepcopy(mine)
        mine_is_later = milliseconds(mine["timestamp"]) > milliseconds(theirs["updatedAt"])
        header = made["data"] if mine_is_later else content(theirs)
        items = {element["_id"]: element for element in theirs["items"]}
        for element in mine["data"]["items"]:
            element = {"updatedAt": mine["timestamp"], "createdAt": mine["timestamp"], **element}
            other = items.get(element["_id"])
            if other is None or element["updatedAt"] >= other["updatedAt"]:
                items[element["_id"]] = element
        at = max(milliseconds(mine["timestamp"]), milliseconds(theirs["updatedAt"])) + 1
        made.update(operation="update", tag=theirs["tag"], timestamp=stamp(at))
        made["data"] = {**header, "items": sorted(items.values(), key=lambda element: element["_id"])}
        self.clock = max(self.clock, at)
        return made

    def pull(self):
        if self.cursor is None:
            self.load()
        changes, self.cursor = self.documents.feed(self.cursor, limit=7)
        for entry in changes:
            place = entry["collection"], entry["documentId"]
            if entry["data"] is None:
                self.known.pop(place, None)
            else:
                self.known[place] = entry["data"]

    def load(self):
        page = None
        self.known = {}
        while True:
            answer = self.documents.full(limit=5, **({"page": page} if page else {"deleted": True})).json
            for collection, documents in answer["data"].items():
                for document in documents:
                    self.known[collection, document["_id"]] = document
            page = answer["nextPage"]
            if answer["complete"]:
                self.cursor = answer["cursor"]
                return

    # --- Random work

    def act(self, chance):
        """One random edit of few documents."""
        kind = chance.choice(["weigh", "weigh", "log", "log", "log", "delete"])
        if kind == "weigh":
            return self.edit("weightLogs", chance.choice("ab"), weight(chance.randint(50_000, 90_000)))
        name = chance.choice(["l1", "l2"])
        stored = self.known.get(("foodLogs", name))
        if kind == "delete":
            return self.edit("foodLogs", name, content(stored), deletes=True) if stored else None
        items = {element["_id"]: element for element in stored["items"]} if stored else {}
        waiting = self.unsent.get(("foodLogs", name))
        if waiting:
            items.update({element["_id"]: element for element in waiting["data"]["items"]})
        chosen = chance.choice("xyz")
        if chosen in items and chance.random() < 0.3:
            items[chosen] = {**items[chosen], "deletedAt": stamp(self.clock + 1)}
            items[chosen].pop("updatedAt", None)
        else:
            items[chosen] = item(chosen, chance.randint(1, 9) * 1000)
        return self.edit("foodLogs", name, log(*items.values(), notes=chance.choice([None, "a", "b"])))


def converge(clients, seed, steps):
    """Random edits and syncs of several clients, then syncs until nothing is new. Returns what each knows."""
    chance = random.Random(seed)
    for _ in range(steps):
        client = chance.choice(clients)
        if chance.random() < 0.7:
            client.act(chance)
        else:
            client.sync()
    for _ in range(3):
        for client in clients:
            client.sync()
    return [client.known for client in clients]
