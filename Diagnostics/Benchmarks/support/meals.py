"""Documents of the diet log, and a plain client of `/sync` that pushes them."""

import http.client
import json
import time

from support.processes import BenchmarkError

STAMP = "2026-05-04T07:08:09.000Z"
LATER = "2026-05-04T07:08:10.000Z"
PUSH = 200  # the most changes of a push


def day(number):
    return time.strftime("%Y-%m-%d", time.gmtime(946_684_800 + 86_400 * number))


def change(collection, name, data, stamp=LATER, operation="create"):
    return {"collection": collection, "operation": operation, "documentId": name, "timestamp": stamp, "data": data}


def item(number, stamp=LATER):
    return {
        "_id": f"item-{number:03}", "name": f"Food {number}", "quantityMilli": 60_000, "unit": "g", "energyKcal": 220,
        "proteinMg": 8_000, "carbsMg": 36_000, "fatMg": 4_200, "createdAt": STAMP, "updatedAt": stamp}


def log(items, on):
    return {"loggedDate": on, "loggedAt": STAMP, "mealType": "lunch", "notes": "n" * 40, "items": items}


def documents(count):
    """That many creations: of ten documents four logs with two items, three weights and three recent foods. Eight logs have
    one day. Equal counts give equal documents."""
    made = []
    for number in range(count):
        kind = number % 10
        if kind < 4:
            on = day(number // 20 % 9_000)
            made.append(change("foodLogs", f"log-{number}", log([item(0), item(1)], on)))
        elif kind < 7:
            data = {"loggedDate": day(number // 20 % 9_000), "loggedAt": STAMP, "weightG": 60_000 + number % 30_000}
            made.append(change("weightLogs", f"weight-{number}", data))
        else:
            name = f"food-{number}"
            data = {"foodId": name, "name": f"Food {number}", "quantityMilli": 60_000, "unit": "g", "energyKcal": 220,
                    "lastUsedAt": STAMP}
            made.append(change("recentFoods", name, data))
    return made


class Client:
    """A plain client of an account."""

    def __init__(self, address, user):
        self.connection = http.client.HTTPConnection(address, timeout=60)
        self.fields = {"Authorization": f"Bearer user:{user}", "Content-Type": "application/json"}

    def close(self):
        self.connection.close()

    def send(self, body):
        """The seconds until the answer to a push with that text, and the answer."""
        began = time.perf_counter()
        self.connection.request("POST", "/sync/push", body, self.fields)
        response = self.connection.getresponse()
        content = response.read()
        seconds = time.perf_counter() - began
        if response.status != 200 or b'"success":true' not in content:
            raise BenchmarkError(f"a push was answered {response.status}: {content[:300]!r}")
        return seconds, content

    def push(self, changes):
        """Pushes as many changes at once as the service takes."""
        for first in range(0, len(changes), PUSH):
            self.send(body(changes[first:first + PUSH]))


def body(changes):
    """The text of a push."""
    return json.dumps({"deviceId": "bench", "changes": changes})
