"""Photos of persons and groups between devices and a table server (swiss-coin, 8)."""

import hashlib
import json
import os
import pathlib

from devices import SOON
from support import eventually
from test_swiss_device import MARA, SwissWorld


def jpeg(text, size=2_000):
    """Bytes that begin as a JPEG file does."""
    return (b"\xff\xd8\xff\xe0" + text.encode()).ljust(size, b".")


def name_of(content):
    return hashlib.sha256(content).hexdigest()[:32]


class PhotoWorld(SwissWorld):
    """Devices whose users give photos."""

    def setUp(self):
        super().setUp()
        self.pictures = self.folder() / "pictures"
        self.pictures.mkdir(parents=True)

    def picture(self, name, content):
        path = self.pictures / name
        path.write_bytes(content)
        return path

    def files(self, name):
        """The photos in a device's folder, by name, without those that are being written."""
        folder = pathlib.Path(self.data) / "devices" / name / "photos"
        return {path.name: path.read_bytes() for path in folder.glob("*") if path.suffix != ".new"}

    def url(self, name, person):
        return next(row["photo_url"] for row in self.rows(name, "persons").values() if row["name"] == person)

    def plan(self, *faults):
        client = self.keep(self.server.cloud())
        reply = client.request("PUT", "/zonekit/faults", json.dumps({"faults": list(faults)}))
        self.assertEqual(reply.status, 200, reply.json)

    def has_photo(self, name, content):
        # Persons make no events.
        def is_there():
            self.does(name, "pull")
            return self.files(name).get(f"{name_of(content)}.jpg") == content

        eventually(is_there, f"{name} has the photo", SOON * 2)


class Photos(PhotoWorld):
    def test_a_photo_reaches_the_other_device_and_another_one_replaces_it(self):
        self.two_devices()
        self.does("A", 'person add "Ben"')
        first, second = jpeg("first"), jpeg("second")
        answer = self.does("A", f"photo Ben {self.picture('a.jpg', first)}")
        self.assertRegex(answer["said"], r"^photo of person Ben \w+: 2000 bytes, waits to be uploaded$")
        self.has_photo("B", first)
        url = self.url("B", "Ben")
        self.assertRegex(url, rf"^[0-9a-f-]{{36}}/persons/{self.person('B', 'Ben')}/{name_of(first)}\.jpg$")
        self.assertEqual(self.does("A", f"photo Ben {self.picture('a.jpg', first)}")["said"][-22:], "has that photo already")
        self.does("A", f"photo Ben {self.picture('b.jpg', second)}")
        self.has_photo("B", second)
        self.assertEqual(self.does("B", "photo Ben")["photo"], str(self.data / "devices" / "B" / "photos" / f"{name_of(second)}.jpg"))
        self.does("A", "photo Ben none")
        eventually(lambda: (self.does("B", "pull"), self.url("B", "Ben"))[1] is None, "B shows no photo", SOON)
        self.assertIn("no photo", self.refuses("B", "photo Ben"))

    def test_a_comparison_compares_rows_and_not_the_objects_of_the_server(self):
        self.two_devices()
        self.does("A", 'person add "Ben"')
        self.does("A", f"photo Ben {self.picture('a.jpg', jpeg('first'))}")
        self.has_photo("B", jpeg("first"))
        self.assertIn("A, B and the cloud are equal", self.verb("diff", "A", "B"))

    def test_a_device_that_is_killed_during_the_upload_uploads_again_and_no_row_names_an_object_before(self):
        self.two_devices()
        self.does("A", 'person add "Ben"')
        self.settles("A")
        self.plan({"do": "loseAnswer", "on": ["putObject"], "times": 1})
        photo = jpeg("kept", 5_000)
        # Offline first: nothing of it needs a server.
        self.does("A", "offline")
        self.does("A", f"photo Ben {self.picture('a.jpg', photo)}")
        self.assertEqual(self.status("A")["photos"]["waiting"], 1)
        self.assertIn("1 photo not uploaded", self.refuses("A", "signout"))
        self.does("A", "online")
        eventually(
            lambda: any(event["event"] == "photo" and event["fact"] == "failed" for event in self.devices["A"].heard()),
            "the answer to the upload is lost",
        )
        self.devices["A"].kill()
        self.does("B", "pull")
        self.sees("B", ["Ben", "Me"])
        self.assertIsNone(self.url("B", "Ben"))
        self.start("A")
        self.has_photo("B", photo)
        self.assertEqual(self.status("A")["photos"], {"stored": 1, "waiting": 0, "setAside": [], "toDownload": 0, "missing": []})

    def test_a_photo_that_the_server_refuses_is_set_aside_and_the_others_go_on(self):
        self.two_devices()
        self.does("A", "offline")
        for person in ("Ben", "Zoe"):
            self.does("A", f"person add {person}")
            self.does("A", f"photo {person} {self.picture(f'{person}.jpg', jpeg(person))}")
        # Both photos are uploaded at a time, and their requests may arrive in any order.
        ben = f"photos/{self.status('A')['user']}/persons/{self.person('A', 'Ben')}/{name_of(jpeg('Ben'))}.jpg"
        refusal = {"status": 415, "code": "invalid_mime_type", "message": "no pictures today"}
        self.plan({"do": "refuse", "on": ["putObject"], "records": [ben], "times": 1, **refusal})
        self.does("A", "online")
        self.has_photo("B", jpeg("Zoe"))
        aside = eventually(lambda: self.status("A")["photos"]["setAside"], "Ben's photo is set aside")
        self.assertEqual([entry["reason"] for entry in aside], ["no pictures today"])
        self.assertEqual(self.does("A", "show Ben")["photos"], {f"persons/{self.person('A', 'Ben')}": "set aside: no pictures today"})
        self.assertEqual(self.does("A", "retry")["lines"], ["trying again: 0 rows, 1 photo"])
        self.has_photo("B", jpeg("Ben"))
        self.assertEqual(self.does("A", "retry")["lines"], ["nothing is set aside"])

    def test_files_that_are_no_photos_are_refused_and_change_nothing(self):
        self.start("A")
        self.does("A", 'person add "Ben"')
        self.does("A", "spend 12 Lunch for me,Ben")
        text = self.picture("note.txt", b"no picture at all")
        large = self.picture("large.jpg", jpeg("large", 5 * 1024 * 1024 + 1))
        missing = self.pictures / "missing.jpg"
        fine = self.picture("fine.jpg", jpeg("fine", 5 * 1024 * 1024))
        self.assertEqual(self.refuses("A", f"photo Ben {text}"), f"{text} is no picture; expected JPEG, PNG or HEIC")
        self.assertEqual(self.refuses("A", f"photo Ben {large}"), f"{large} has 5242881 bytes; the limit is 5242880")
        self.assertEqual(self.refuses("A", f"photo Ben {missing}"), f"there is no file {missing}")
        self.assertEqual(self.refuses("A", f"photo Ben {self.pictures}"), f"{self.pictures} is not a file")
        self.assertIn("persons and groups have one", self.refuses("A", f"photo Lunch {fine}"))
        self.assertIn("no row", self.refuses("A", f"photo Nobody {fine}"))
        self.assertIn("has no photo", self.does("A", "photo Ben none")["said"])
        self.does("A", f"photo Ben {fine}")
        self.does("A", "delete Ben")
        self.assertIn("restore it first", self.refuses("A", f"photo Ben {fine}"))

    def test_photos_of_nobody_go_with_the_migration_after_the_rows_and_nothing_of_them_stays_after_a_sign_out(self):
        self.start("A")
        self.does("A", 'person add "Ben"')
        self.does("A", "group add Flat with Ben")
        photos = {word: jpeg(word) for word in ("me", "Ben", "Flat")}
        for word, content in photos.items():
            self.does("A", f"photo {word} {self.picture(f'{word}.jpg', content)}")
        self.plan({"do": "refuse", "on": ["putObject"], "status": 413, "code": "Payload too large", "message": "too large", "times": 1})
        self.does("A", f"signup {MARA}")

        def set_aside():
            return [line for line in self.migration_lines("A") if line.startswith("set aside ")]

        # The reason of a photo that is set aside is the last line.
        (reason,) = eventually(set_aside, "A has migrated", SOON * 2)
        said = self.migration_lines("A")
        self.assertIn("done, 1 photo set aside", said)
        self.assertLess(said.index("[16/16] Uploading subscription reminders...  93%"), said.index("Uploading photos...  3 photos"))
        self.assertIn("  Photos: 2", said)
        self.assertRegex(reason, "^set aside photo/persons/.*: too large$")
        backup = next(line for line in said if line.startswith("backup: ")).removeprefix("backup: ")
        self.assertEqual(len(os.listdir(os.path.join(backup, "photos"))), 3)
        self.does("A", "retry")
        self.start("B")
        self.does("B", f"signin {MARA}")
        for content in photos.values():
            self.has_photo("B", content)
        (profile,) = self.rows("B", "profiles").values()
        self.assertIn(name_of(photos["me"]), profile["photo_url"])
        self.settles("B")
        self.does("B", "signout")
        self.assertEqual(self.files("B"), {})

    def test_the_check_of_a_data_folder_finds_objects_whose_bytes_are_missing_or_wrong(self):
        self.signed_up()
        for person in ("Ben", "Zoe"):
            self.does("A", f"person add {person}")
            self.does("A", f"photo {person} {self.picture(f'{person}.jpg', jpeg(person))}")
        eventually(lambda: self.status("A")["photos"]["waiting"] == 0, "both photos are uploaded")
        self.stop()
        self.verb("check")
        ben, zoe = (
            next(pathlib.Path(self.data).glob(f"cloud/**/assets/*/{name_of(jpeg(person))}*")) for person in ("Ben", "Zoe")
        )
        ben.unlink()
        zoe.write_bytes(jpeg("Eva"))
        said = self.verb("check", expect=1)
        self.assertRegex(said, r"the file of object photos/\S+ is missing")
        self.assertRegex(said, r"the bytes of object photos/\S+ have another hash")

    def test_a_full_disk_refuses_the_photo_and_leaves_no_half_file(self):
        self.data = self.mount("6m") / "world"
        self.start("A")
        self.does("A", 'person add "Ben"')
        content = jpeg("large", 5 * 1024 * 1024)
        filler = self.data / "filler"
        filler.write_bytes(b"." * (2 * 1024 * 1024))
        message = self.refuses("A", f"photo Ben {self.picture('large.jpg', content)}")
        self.assertIn("cannot be taken", message)
        self.assertEqual(self.files("A"), {})
        filler.unlink()
        self.does("A", f"photo Ben {self.picture('small.jpg', jpeg('small'))}")
        self.assertEqual(list(self.files("A").values()), [jpeg("small")])
