"""CloudKit Web Services: the limits of assets (g), and their files when an upload, a server or the need for them ends."""

import base64
import concurrent.futures
import hashlib
import http.client
import json
import os
import pathlib
import re
import socket
import unittest
import urllib.parse

from asset_client import MEGABYTE, PHOTO, AssetCase, Assets, checksum, form
from support import PATIENCE, SWELLING, Case, eventually, run_zonekit

LIMIT = 50 * MEGABYTE


class Limits(AssetCase):
    def test_fifty_megabytes_go_through_a_flat_server(self):
        block = os.urandom(MEGABYTE)
        data = b"".join(block[i:] + block[:i] for i in range(50))
        self.assets.attach(b"warm")
        before, highest = self.server.memory(), 0
        for body, kind in ((data, "application/octet-stream"), form(data)):
            url = urllib.parse.urlsplit(self.assets.url(field="big"))
            connection = http.client.HTTPConnection(url.hostname, url.port, timeout=PATIENCE * 6)
            self.addCleanup(connection.close)
            connection.putrequest("POST", url.path)
            connection.putheader("Content-Length", str(len(body)))
            connection.putheader("Content-Type", kind)
            connection.endheaders()
            for start in range(0, len(body), MEGABYTE):
                connection.send(body[start : start + MEGABYTE])
                highest = max(highest, self.server.memory())
            answer = json.loads(connection.getresponse().read())["singleFile"]
            self.assertEqual((answer["size"], answer["fileChecksum"]), (LIMIT, checksum(data)))
        value = self.assets.save(answer, field="big")["fields"]["big"]["value"]
        url = urllib.parse.urlsplit(value["downloadURL"])
        connection = http.client.HTTPConnection(url.hostname, url.port, timeout=PATIENCE * 6)
        self.addCleanup(connection.close)
        connection.request("GET", url.path)
        response, digest = connection.getresponse(), hashlib.sha256()
        while piece := response.read(MEGABYTE):
            digest.update(piece)
            highest = max(highest, self.server.memory())
        self.assertEqual(base64.b64encode(digest.digest()).decode(), checksum(data))
        self.assertLess(highest - before, 12 * SWELLING, "megabytes more than before")

    def test_one_byte_more_is_refused(self):
        before = self.files()
        data = bytes(LIMIT + 1)
        for body, kind in ((data, "image/png"), form(data)):
            url = self.assets.url()
            status, answer = self.assets.post(url, body, kind)
            self.assertEqual((status, answer["serverErrorCode"]), (400, "BAD_REQUEST"))
            self.assertIn(str(LIMIT), answer["reason"])
        pieces = (data[start : start + MEGABYTE] for start in range(0, len(data), MEGABYTE))
        status, _, answer = self.assets.ask(
            "POST", self.assets.url(), pieces, {"Transfer-Encoding": "chunked"}, encode_chunked=True
        )
        self.assertEqual((status, json.loads(answer)["serverErrorCode"]), (400, "BAD_REQUEST"))
        self.assertEqual(self.files(), before)

    def test_the_limits_can_be_changed(self):
        server = self.serve()
        assets = Assets(self.keep(server.cloud()))
        assets.cloud.create_zone()
        assets.limit(assetBytes=10, uploadTime=0)
        status, answer = assets.post(assets.url(), b"x")
        self.assertEqual((status, answer["serverErrorCode"]), (400, "BAD_REQUEST"))
        self.assertIn("expired", answer["reason"])
        assets.limit(assetBytes=10, uploadTime=60_000)
        self.assertEqual(assets.post(assets.url(), b"x" * 10)[0], 200)
        self.assertEqual(assets.post(assets.url(), b"x" * 11)[0], 400)


class Ends(Case):
    """Uploads, files and receipts when things end in the middle."""

    def setUp(self):
        super().setUp()
        self.server = self.serve()
        self.assets = self.client(self.server)
        self.assets.cloud.create_zone()

    def client(self, server, user="nanny"):
        return Assets(self.keep(server.cloud(user)))

    def files(self):
        return sorted(path.name for path in pathlib.Path(self.server.data).glob("cloud/*/*/*/*/assets/*/*"))

    def start(self, url, body, length):
        """A connection that has sent a part of a body."""
        parts = urllib.parse.urlsplit(url)
        stream = socket.create_connection((parts.hostname, parts.port), PATIENCE)
        self.addCleanup(stream.close)
        stream.sendall(f"POST {parts.path} HTTP/1.1\r\nHost: h\r\nContent-Length: {length}\r\n\r\n".encode() + body)
        return stream

    def test_an_upload_that_is_cut_off_leaves_nothing_and_may_be_repeated(self):
        url = self.assets.url()
        stream = self.start(url, PHOTO, len(PHOTO) + 1)
        eventually(lambda: [name for name in self.files() if name.endswith(".new")], "the upload begins")
        self.assertIn("is used", self.assets.post(url, PHOTO)[1]["reason"])
        stream.close()
        eventually(lambda: self.files() == [], "the unfinished file is removed")
        self.assertEqual(self.assets.post(url, PHOTO)[0], 200)

    def test_a_server_that_is_killed_in_an_upload_starts_without_its_file(self):
        kept = self.assets.attach(b"kept", "k")
        waiting = self.assets.upload(b"waiting", "w")
        url = self.assets.url()
        self.start(url, PHOTO, len(PHOTO) + 1)
        eventually(lambda: [name for name in self.files() if name.endswith(".new")], "the upload begins")
        self.server.kill()
        self.server = self.serve(self.server.data)
        self.assertEqual(self.files(), sorted(hashlib.sha256(data).hexdigest() for data in (b"kept", b"waiting")))
        again = self.client(self.server)
        port = urllib.parse.urlsplit(f"http://{self.server.http}").port
        self.assertEqual(again.get(again.read("k")["downloadURL"])[2], b"kept")
        self.assertEqual(again.read("k")["fileChecksum"], kept["fileChecksum"])
        saved = again.save(waiting, "w")["fields"]["photo"]["value"]
        self.assertEqual(again.get(saved["downloadURL"])[2], b"waiting")
        status, answer = again.post(re.sub(r":\d+/", f":{port}/", url, count=1), PHOTO)
        self.assertEqual((status, answer["serverErrorCode"]), (400, "BAD_REQUEST"))
        self.assertIn("restarted", answer["reason"])

    def test_an_upload_that_does_not_fit_on_the_disk_leaves_nothing(self):
        server = self.serve(self.mount("12m") / "data")
        assets = self.client(server)
        assets.cloud.create_zone()
        url = assets.url()
        status, answer = assets.post(url, bytes(16 * MEGABYTE))
        self.assertEqual((status, answer["serverErrorCode"]), (503, "TRY_AGAIN_LATER"), answer)
        self.assertIn("the disk is full", answer["reason"])
        self.assertEqual([path for path in pathlib.Path(server.data).rglob("assets/*/*")], [])
        self.assertEqual(assets.post(url, PHOTO)[0], 200)

    def test_what_no_record_has_is_collected(self):
        data = {name: name.encode() for name in ("kept", "replaced", "deleted", "cleared")}
        for name in data:
            self.assets.attach(data[name], name)
        self.assets.attach(b"kept", "twin")
        expected = {name: hashlib.sha256(value).hexdigest() for name, value in data.items()}
        self.assertEqual(set(self.files()), set(expected.values()))
        self.assets.attach(b"new", "replaced")
        self.assets.limit(unusedAssetTime=0)
        self.assets.cloud.delete("deleted")
        self.assets.cloud.delete("twin")
        self.assets.cloud.save("cleared", kind="forceReplace")
        new = hashlib.sha256(b"new").hexdigest()
        eventually(lambda: set(self.files()) == {expected["kept"], new}, "unneeded files go, needed ones stay")
        self.assertEqual(self.assets.get(self.assets.read("kept")["downloadURL"])[2], b"kept")
        status = self.assets.cloud.request("GET", "/zonekit/status").json
        self.assertEqual(status["cloud"]["assets"], {"files": 2, "bytes": 7})
        self.assets.cloud.delete_zone()
        eventually(lambda: self.files() == [], "the files of a deleted zone go")

    def test_an_upload_that_is_not_used_is_collected_later(self):
        self.assets.limit(unusedAssetTime=600_000)
        asset = self.assets.upload(b"unused")
        self.assets.cloud.save("m")
        self.assertEqual(len(self.files()), 1)
        self.assertIn("photo", self.assets.save(asset)["fields"], "a receipt is good while its bytes are kept")
        unused = self.assets.upload(b"unused too", "m")
        self.assets.limit(unusedAssetTime=0)
        self.assets.upload(b"third", "o")
        eventually(lambda: self.files() == [hashlib.sha256(b"unused").hexdigest()], "unused files go")
        item = self.assets.save(unused, "m")
        self.assert_item_error(item, "BAD_REQUEST")
        self.assertIn("not kept any more", item["reason"])

    def test_collection_never_takes_what_a_record_has(self):
        """Two clients save, replace and delete records with few different assets, while files are collected all the time."""
        self.assets.limit(unusedAssetTime=50)

        def work(number):
            client = self.client(self.server)
            for step in range(30):
                name = f"r{number}-{step % 4}"
                data = f"{(number + step) % 5}".encode()
                if step % 7 == 6:
                    client.cloud.delete(name)
                    continue
                item = client.save(client.upload(data, name), name)
                if "serverErrorCode" not in item:
                    assert client.get(item["fields"]["photo"]["value"]["downloadURL"])[2] == data

        with concurrent.futures.ThreadPoolExecutor() as pool:
            for done in [pool.submit(work, number) for number in range(3)]:
                done.result()
        self.server.kill()
        self.server = self.serve(self.server.data)
        client = self.client(self.server)
        found = {}
        for record in client.cloud.feed()[0]:
            if not record["deleted"]:
                value = record["fields"]["photo"]["value"]
                self.assertEqual(checksum(client.get(value["downloadURL"])[2]), value["fileChecksum"])
                found[value["fileChecksum"]] = True
        self.assertTrue(found)
        self.assertEqual(run_zonekit("check", data=self.server.data).returncode, 0)

if __name__ == "__main__":
    unittest.main()
