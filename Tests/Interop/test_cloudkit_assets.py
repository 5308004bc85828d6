"""CloudKit Web Services: assets (a.1 rows 21 to 24 and b.5): uploads, records with assets and downloads."""

import base64
import hashlib
import http.client
import json
import pathlib
import unittest
import urllib.parse

from asset_client import PHOTO, AssetCase, Assets, checksum, form
from clients import ZONE
from support import PATIENCE, run_zonekit


class Uploading(AssetCase):
    def test_raw_bytes_come_back_as_they_were(self):
        asset = self.assets.upload(PHOTO)
        self.assertEqual(
            sorted(asset), ["fileChecksum", "receipt", "referenceChecksum", "size", "wrappingKey"]
        )
        self.assertEqual((asset["fileChecksum"], asset["size"]), (checksum(PHOTO), len(PHOTO)))
        self.assertTrue(all(isinstance(asset[key], str) and asset[key] for key in asset if key != "size"))
        for kind in ({"type": "ASSETID"}, {"type": "ASSET"}, {}):
            saved = self.assets.save(asset, **kind)["fields"]["photo"]
            self.assertEqual(saved["type"], "ASSETID")
            self.assertEqual(sorted(saved["value"]), ["downloadURL", "fileChecksum", "size"])
        for value in (self.assets.read(), self.cloud.feed()[0][-1]["fields"]["photo"]["value"]):
            self.assertEqual(value, saved["value"])
        self.assertTrue(value["downloadURL"].startswith(f"http://{self.server.http}/"), value)
        status, headers, data = self.assets.get(value["downloadURL"])
        self.assertEqual((status, data), (200, PHOTO))
        self.assertEqual(headers["Content-Length"], str(len(PHOTO)))
        self.assertEqual(headers["Content-Type"], "application/octet-stream")
        self.assertEqual(headers["X-Content-Type-Options"], "nosniff")
        self.assertIn(checksum(PHOTO), headers["ETag"])

    def test_the_empty_asset_is_one(self):
        value = self.assets.attach(b"")
        self.assertEqual((value["size"], value["fileChecksum"]), (0, checksum(b"")))
        self.assertEqual(self.assets.get(value["downloadURL"])[::2], (200, b""))

    def test_a_form_is_taken_apart(self):
        for data in (PHOTO, b"", b"\r\n", b"a\r\n--b\r\n", PHOTO + b"\r\n"):
            for name, file in (("files", "file"), ("upload", "a.jpg")):
                status, answer = self.assets.post(self.assets.url(), *form(data, name, file))
                self.assertEqual(status, 200, answer)
                self.assertEqual(answer["singleFile"]["fileChecksum"], checksum(data))
                self.assertEqual(answer["singleFile"]["size"], len(data))

    def test_any_media_type_is_taken(self):
        for kind in ("application/octet-stream", "image/jpeg", "text/plain", "application/json", None):
            status, answer = self.assets.post(self.assets.url(), PHOTO, kind)
            self.assertEqual((status, answer["singleFile"]["size"]), (200, len(PHOTO)))

    def test_a_body_in_chunks_is_taken(self):
        for body, kind in ((PHOTO, "image/jpeg"), form(PHOTO)):
            pieces = [body[start : start + 1000] for start in range(0, len(body), 1000)]
            status, _, answer = self.assets.ask(
                "POST",
                self.assets.url(),
                iter(pieces),
                {"Transfer-Encoding": "chunked", "Content-Type": kind},
                encode_chunked=True,
            )
            self.assertEqual((status, json.loads(answer)["singleFile"]["fileChecksum"]), (200, checksum(PHOTO)))

    def test_a_broken_form_is_refused_and_leaves_nothing(self):
        before = self.files()
        body, kind = form(PHOTO)
        for wrong, kind in (
            (body[:-60], kind),
            (b"--other\r\n\r\nx\r\n--other--", kind),
            (PHOTO * 3, kind),
            (body, "multipart/form-data"),
        ):
            url = self.assets.url()
            status, answer = self.assets.post(url, wrong, kind)
            self.assertEqual((status, answer["serverErrorCode"]), (400, "BAD_REQUEST"))
            self.assertEqual(self.assets.post(url, b"x")[0], 200, "a refused upload does not use up its URL")
        self.assertEqual(set(self.files()) - set(before), {hashlib.sha256(b"x").hexdigest()})

    def test_a_url_is_good_once(self):
        url = self.assets.url()
        self.assertEqual(self.assets.post(url, PHOTO)[0], 200)
        status, answer = self.assets.post(url, PHOTO)
        self.assertEqual((status, answer["serverErrorCode"]), (400, "BAD_REQUEST"))
        self.assertIn("is used", answer["reason"])
        self.assertRegex(answer["uuid"], r"^[0-9A-F-]{36}$")

    def test_a_url_that_was_never_given_is_refused(self):
        url = self.assets.url()
        for wrong in (url[:-3], url + "A", url.rsplit("/", 1)[0] + "/x"):
            status, answer = self.assets.post(wrong, PHOTO)
            self.assertEqual((status, answer["serverErrorCode"]), (400, "BAD_REQUEST"), wrong)
            self.assertIn("unknown", answer["reason"])

    def test_tokens_have_the_order_of_the_request(self):
        tokens = self.assets.tokens(("b", "f"), (None, "g"), ("a", "h")).succeeded()["tokens"]
        self.assertEqual([token["fieldName"] for token in tokens], ["f", "g", "h"])
        self.assertEqual((tokens[0]["recordName"], tokens[2]["recordName"]), ("b", "a"))
        self.assertRegex(tokens[1]["recordName"], r"^[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}$")
        self.assertEqual(len({token["url"] for token in tokens}), 3)
        self.assertEqual(len(self.assets.tokens(*[("n", "f")] * 200).succeeded()["tokens"]), 200)
        self.assert_top_level_error(self.assets.tokens(*[("n", "f")] * 201), 400, "BAD_REQUEST")
        self.assert_top_level_error(self.assets.tokens(("n", "f"), zone="None"), 404, "ZONE_NOT_FOUND")
        self.assert_top_level_error(self.cloud.call("assets/upload", {}), 400, "BAD_REQUEST")

    def test_other_methods_are_refused(self):
        status, headers, _ = self.assets.get(self.assets.url())
        self.assertEqual((status, headers["Allow"]), (405, "POST"))
        value = self.assets.attach(PHOTO)
        status, headers, _ = self.assets.ask("DELETE", value["downloadURL"])
        self.assertEqual((status, headers["Allow"]), (405, "GET, HEAD"))
        self.assertEqual(self.assets.get(f"http://{self.server.http}/assets/x")[0], 404)


class Saving(AssetCase):
    def test_a_record_that_is_saved_as_it_was_read_keeps_its_asset(self):
        value = self.assets.attach(PHOTO)
        for kind in ("forceUpdate", "forceReplace"):
            self.assertEqual(self.assets.save(value, kind=kind)["fields"]["photo"]["value"], value)
        del value["downloadURL"]
        self.assertEqual(self.assets.save(value)["fields"]["photo"]["value"]["fileChecksum"], checksum(PHOTO))

    def test_an_asset_without_a_receipt_must_be_there(self):
        value = self.assets.attach(PHOTO)
        other = self.assets.attach(b"other", "m")
        self.assert_refused(self.assets.save(other), "photo", "receipt")
        self.assert_refused(self.assets.save(value, "new"), "photo", "receipt")

    def test_a_receipt_of_another_field_record_or_user_is_refused(self):
        asset = self.assets.upload(PHOTO)
        self.assert_refused(self.assets.save(asset, "m"), "field photo of record n")
        self.assert_refused(self.assets.save(asset, field="other"), "field photo of record n")
        self.assert_refused(self.assets.save({**asset, "receipt": "opaque"}), "unknown")
        self.assert_refused(self.assets.save({**asset, "fileChecksum": checksum(b"x")}), "other bytes")
        mara = Assets(self.client("mara"))
        mara.cloud.create_zone()
        self.assert_refused(mara.save(asset), "another account")

    def test_two_users_do_not_see_each_others_files(self):
        mara = Assets(self.client("mara-files"))
        mara.cloud.create_zone()
        mine, hers = self.assets.attach(PHOTO), mara.attach(PHOTO)
        self.assertNotEqual(mine["downloadURL"], hers["downloadURL"])
        self.assertIn(hashlib.sha256(PHOTO).hexdigest(), self.files("mara-files"))
        wrong = hers["downloadURL"].replace("/mara-files/", "/nobody/")
        self.assertEqual(self.assets.get(wrong)[0], 404)

    def test_a_list_holds_several(self):
        photos = [self.assets.upload(data, field="photos") for data in (b"1", b"2", b"1")]
        saved = self.assets.save(photos, field="photos")["fields"]["photos"]
        self.assertEqual(saved["type"], "ASSETID_LIST")
        self.assertEqual([self.assets.get(item["downloadURL"])[2] for item in saved["value"]], [b"1", b"2", b"1"])
        shorter = self.assets.save(saved["value"][1:2], field="photos", type="ASSETID_LIST")
        self.assertEqual(shorter["fields"]["photos"]["value"], saved["value"][1:2])

    def test_desired_keys_and_numbers_as_strings_leave_assets_whole(self):
        value = self.assets.attach(PHOTO, "keys")
        found = self.cloud.lookup("keys", desiredKeys=["photo"], numbersAsStrings=True)[0]["fields"]
        self.assertEqual(found, {"photo": {"type": "ASSETID", "value": value}})
        self.assertEqual(self.cloud.lookup("keys", desiredKeys=["none"])[0]["fields"], {})

    def test_a_public_database_has_assets_too(self):
        public = Assets(self.client("nanny", scope="public"))
        value = public.save(
            public.upload(PHOTO, "p", zone="_defaultZone"), "p", zone="_defaultZone"
        )["fields"]["photo"]["value"]
        self.assertEqual(self.assets.get(value["downloadURL"])[2], PHOTO)

    def test_an_asset_is_used_in_another_record(self):
        self.assets.attach(PHOTO)
        reply = self.cloud.call(
            "assets/rereference",
            {
                "zoneID": {"zoneName": ZONE},
                "assets": [{"recordName": "n", "fieldName": "photo"}, {"recordName": "none", "fieldName": "photo"}],
            },
        )
        found, missing = reply.succeeded()["assets"]
        self.assertEqual(found["fileChecksum"], checksum(PHOTO))
        self.assert_item_error(missing, "NOT_FOUND")
        saved = self.assets.save(found, "copy", "picture")["fields"]["picture"]["value"]
        self.assertEqual(self.assets.get(saved["downloadURL"])[2], PHOTO)


class Downloading(AssetCase):
    def test_parts_are_sent(self):
        url = self.assets.attach(PHOTO)["downloadURL"]
        for asked, start, end in (("0-0", 0, 1), ("100-199", 100, 200), ("-5", len(PHOTO) - 5, None), ("9000-", 9000, None)):
            status, headers, data = self.assets.get(url, Range=f"bytes={asked}")
            self.assertEqual((status, data), (206, PHOTO[start:end]))
            self.assertEqual(headers["Content-Length"], str(len(data)))
            self.assertEqual(headers["Content-Range"], f"bytes {start}-{(end or len(PHOTO)) - 1}/{len(PHOTO)}")
        status, headers, _ = self.assets.get(url, Range=f"bytes={len(PHOTO)}-")
        self.assertEqual((status, headers["Content-Range"]), (416, f"bytes */{len(PHOTO)}"))

    def test_the_head_says_what_would_be_sent(self):
        url = self.assets.attach(PHOTO)["downloadURL"]
        status, headers, data = self.assets.get(url, "HEAD")
        self.assertEqual((status, headers["Content-Length"], data), (200, str(len(PHOTO)), b""))
        self.assertEqual(self.assets.get(url, If_None_Match=headers["ETag"])[0], 304)

    def test_a_connection_goes_on_after_a_download(self):
        url = urllib.parse.urlsplit(self.assets.attach(PHOTO * 100)["downloadURL"])
        connection = http.client.HTTPConnection(url.hostname, url.port, timeout=PATIENCE)
        self.addCleanup(connection.close)
        for _ in range(3):
            connection.request("GET", url.path)
            self.assertEqual(connection.getresponse().read(), PHOTO * 100)

    def test_an_asset_that_is_not_there_is_not_found(self):
        url = self.assets.attach(PHOTO)["downloadURL"]
        other = base64.urlsafe_b64encode(hashlib.sha256(b"none").digest()).decode().rstrip("=")
        status, _, body = self.assets.get(url.rsplit("/", 1)[0] + "/" + other)
        self.assertEqual((status, json.loads(body)["serverErrorCode"]), (404, "NOT_FOUND"))

    def test_a_damaged_asset_is_not_sent_and_is_reported(self):
        server = self.serve()
        assets = Assets(self.keep(server.cloud()))
        assets.cloud.create_zone()
        url = assets.attach(PHOTO)["downloadURL"]
        self.assertEqual(assets.get(url)[0], 200)
        path = next(pathlib.Path(server.data).rglob(hashlib.sha256(PHOTO).hexdigest()))
        path.write_bytes(b"X" + PHOTO[1:])
        status, _, body = assets.get(url)
        self.assertEqual((status, json.loads(body)["serverErrorCode"]), (500, "INTERNAL_ERROR"))
        self.assertIn("another hash", json.loads(body)["reason"])
        status = run_zonekit("diagnostics", data=server.data)
        self.assertIn("another hash", status.stdout + status.stderr)
        checked = run_zonekit("check", data=server.data)
        self.assertEqual(checked.returncode, 1, checked.stdout)
        self.assertIn("asset of record n", checked.stdout + checked.stderr)
        self.assertEqual(assets.save(assets.upload(PHOTO))["fields"]["photo"]["value"]["size"], len(PHOTO))
        self.assertEqual(assets.get(url)[2], PHOTO)
        path.unlink()
        self.assertIn("missing", run_zonekit("check", data=server.data).stdout)

if __name__ == "__main__":
    unittest.main()
