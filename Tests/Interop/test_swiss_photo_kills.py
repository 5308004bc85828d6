"""A device or the server is killed while a migration uploads photos, and the migration goes on afterwards (swiss-coin, 9.3).

Each kill happens at an event: the server has hit a request of that kind with a fault, so that the request is under way, was
never carried out, or was carried out without an answer."""

import json
import pathlib

from supabase_http import Auth
from support import eventually
from test_swiss_device import MARA
from test_swiss_photos import PhotoWorld, jpeg, name_of

PATIENCE = 30
FOREVER = 600_000
PERSONS = [f"P{number}" for number in range(12)]
DONE = "Migration complete!"


def held(kind, **more):
    """The request is carried out, and its answer stays away."""
    return {"do": "delayAnswer", "on": [kind], "milliseconds": FOREVER, **more}


class PhotoKills(PhotoWorld):
    def control(self, method, body=None):
        client = self.server.cloud()
        try:
            reply = client.request(method, "/zonekit/faults", json.dumps(body) if body else None)
            self.assertEqual(reply.status, 200, reply.json)
            return reply.json
        finally:
            client.close()

    def wrote_alone(self):
        """Device A with persons of nobody, each with a photo."""
        self.start("A")
        self.photos = {}
        for word in [*PERSONS, "me"]:
            if word != "me":
                self.does("A", f"person add {word}")
            self.photos[word] = jpeg(word)
            self.does("A", f"photo {word} {self.picture(f'{word}.jpg', self.photos[word])}")

    def points(self):
        """The faults at which one after the other is killed. Photos are uploaded four at a time, in the order given."""
        for passed in (0, 1, 2):
            yield held("putObject", after=passed), 4
        yield {"do": "loseRequest", "on": ["putObject"], "after": 1}, 1
        yield {"do": "loseAnswer", "on": ["putObject"], "after": 1}, 1
        # Rows without an answer are sent again, so that each of these is hit, whichever photos are stored by then.
        yield held("upsertRows", table="persons"), 1
        yield held("upsertRows", table="persons"), 1
        yield {"do": "loseRequest", "on": ["upsertRows"], "table": "persons"}, 1
        yield held("readRows"), 1
        yield held("callFunction", after=2), 1

    def is_hit(self, count):
        hits = self.control("GET")["faults"][0]["hits"]
        self.assertEqual(self.done(), 0, "the migration ended before the fault was hit")
        return hits >= count

    def done(self):
        return self.migration_lines("A").count(DONE)

    def check(self):
        """No photo is lost or there twice, and nothing was set aside."""
        eventually(self.done, "A has migrated", PATIENCE)
        self.assertFalse([line for line in self.migration_lines("A") if "set aside" in line], self.migration_lines("A"))
        status = self.status("A")
        self.assertEqual((status["photos"]["waiting"], status["photos"]["setAside"], status["pending"]), (0, [], 0))
        self.assertEqual(self.does("A", "migrate verify")["lines"], ["rows and balances are the server's"])
        account = status["user"]
        names = {"Me" if word == "me" else word: content for word, content in self.photos.items()}
        expected = {
            name: f"{account}/persons/{self.person('A', name)}/{name_of(content)}.jpg" for name, content in names.items()
        }
        self.start("B")
        self.does("B", f"signin {MARA}")
        self.sees("B", list(expected), PATIENCE)
        rows = self.rows("B", "persons").values()
        self.assertEqual({row["name"]: row["photo_url"] for row in rows}, expected)
        files = {f"{name_of(content)}.jpg": content for content in self.photos.values()}
        eventually(lambda: self.files("B") == files, "B has the photos", PATIENCE)
        self.assertEqual(self.objects(account), sorted(expected.values()))
        self.assertEqual(len(list(pathlib.Path(self.data).glob("cloud/**/assets/*/*"))), len(files))
        self.assertEqual(status["conflicts"]["total"], 0)

    def objects(self, account):
        """The paths of all objects of persons on the server."""
        client = Auth(self.server.http)
        try:
            token = client.sign_in(MARA.split()[0]).json["access_token"]
            found = []
            for key in self.rows("A", "persons"):
                folder = f"{account}/persons/{key}"
                reply = client.ask("POST", "list/photos", {"prefix": folder}, bearer=token, root="/storage/v1/object/")
                self.assertEqual(reply.status, 200, reply.body)
                found += [f"{folder}/{entry['name']}" for entry in reply.json]
            return sorted(found)
        finally:
            client.close()

    def test_a_device_that_is_killed_while_photos_are_uploaded_goes_on_and_loses_and_doubles_none(self):
        self.wrote_alone()
        for index, (fault, hits) in enumerate(self.points()):
            self.plan(fault)
            if index == 0:
                self.does("A", f"signup {MARA}")
            else:
                self.start("A")
            eventually(lambda: self.is_hit(hits), f"{fault} is hit {hits} times", PATIENCE)
            self.devices["A"].kill()
        self.control("DELETE")
        self.start("A")
        self.check()

    def test_a_server_that_is_killed_while_photos_are_uploaded_keeps_what_it_answered_and_the_device_goes_on(self):
        self.wrote_alone()
        for index, (fault, hits) in enumerate(self.points()):
            if index > 0:
                # Nothing goes on before the fault is set.
                self.does("A", "offline")
                self.start_server()
            self.plan(fault)
            if index == 0:
                self.does("A", f"signup {MARA}")
            else:
                self.does("A", "online")
                self.does("A", "migrate")
            eventually(lambda: self.is_hit(hits), f"{fault} is hit {hits} times", PATIENCE)
            self.server.kill()
        self.does("A", "offline")
        self.start_server()
        self.does("A", "online")
        self.does("A", "migrate")
        self.check()
