"""Objects of a Supabase-style service over plain HTTP: uploads, downloads, lists, links and removals."""

import base64
import hashlib
import json
import pathlib
import time
import urllib.parse
import uuid

from supabase_http import Auth, AuthCase, part
from support import Case, Server, eventually, run_zonekit

JPEG = b"\xff\xd8\xff" + bytes(range(256)) * 40


def form(parts, boundary="limit"):
    """A form. A part is its name, the file's name or None, the media type or None, and the bytes."""
    body = b""
    for name, file, kind, data in parts:
        disposition = f'form-data; name="{name}"' + (f'; filename="{file}"' if file is not None else "")
        head = f"--{boundary}\r\nContent-Disposition: {disposition}\r\n" + (f"Content-Type: {kind}\r\n" if kind else "")
        body += head.encode() + b"\r\n" + data + b"\r\n"
    return body + f"--{boundary}--\r\n".encode()


class Objects:
    """A signed-in client of the storage of one server."""

    def __init__(self, auth, session):
        self.auth, self.token, self.me = auth, session["access_token"], session["user"]["id"]

    def ask(self, method, path, body=None, kind=None, headers=None, token=None):
        fields = {"apikey": self.auth.key, "Authorization": f"Bearer {token or self.token}", **(headers or {})}
        if isinstance(body, (dict, list)):
            body, kind = json.dumps(body), "application/json"
        if kind:
            fields["Content-Type"] = kind
        return self.auth.ask_raw(method, "/storage/v1/" + path, body, fields)

    def put(self, name, data=JPEG, kind="image/jpeg", method="POST", **headers):
        return self.ask(method, f"object/photos/{self.me}/{name}", data, kind, headers)

    def get(self, name, **headers):
        return self.ask("GET", f"object/photos/{self.me}/{name}", headers=headers)


class Leftovers(Case):
    def test_of_killed_uploads_go_with_the_next_start(self):
        server = self.serve()
        control = Auth(server.http, key=None)
        keys = control.ask("GET", "keys", headers={}, root="/zonekit/").json
        auth = Auth(server.http, keys["anonKey"])
        mara = Objects(auth, auth.sign_up("mara@example.test").json)
        self.assertEqual(mara.put("kept.jpg").status, 200)
        server.kill()
        folder = pathlib.Path(server.data, "cloud/com.example.swisscoin/development", mara.me, "private/assets")
        kept = [path for path in folder.rglob("*") if path.is_file()]
        self.assertEqual(len(kept), 1)
        for name in ("a" * 64, "b" * 64 + ".new", kept[0].name + ".new"):
            path = folder / name[:2] / name
            path.parent.mkdir(mode=0o700, exist_ok=True)
            path.write_bytes(JPEG)
        check = run_zonekit("check", server.data)
        self.assertEqual(check.returncode, 0, check.stdout)
        self.assertIn(f"3 files of {3 * len(JPEG)} bytes belong to no object", check.stdout)
        self.assertEqual(json.loads(run_zonekit("check", server.data, "--json").stdout.splitlines()[-1])["leftovers"], 3)
        server = self.serve(server.data)
        self.assertEqual([path for path in folder.rglob("*") if path.is_file()], kept)
        mara.auth = self.keep(Auth(server.http, keys["anonKey"]))
        self.assertEqual(mara.get("kept.jpg").body, JPEG)
        self.assertNotIn("belong to no object", run_zonekit("check", server.data).stdout)

    def test_of_an_account_without_objects_go_too(self):
        server = self.serve()
        keys = Auth(server.http, key=None).ask("GET", "keys", headers={}, root="/zonekit/").json
        mara = Objects(None, Auth(server.http, keys["anonKey"]).sign_up("mara@example.test").json)
        server.kill()
        folder = pathlib.Path(server.data, "cloud/com.example.swisscoin/development", mara.me, "private/assets/aa")
        folder.mkdir(mode=0o700, parents=True)
        (folder / ("a" * 64 + ".new")).write_bytes(JPEG)
        self.assertIn(f"1 file of {len(JPEG)} bytes belongs to no object", run_zonekit("check", server.data).stdout)
        self.serve(server.data)
        self.assertEqual(list(folder.iterdir()), [])

    def test_stay_where_the_objects_cannot_be_read(self):
        server = self.serve()
        keys = Auth(server.http, key=None).ask("GET", "keys", headers={}, root="/zonekit/").json
        auth = Auth(server.http, keys["anonKey"])
        mara = Objects(auth, auth.sign_up("mara@example.test").json)
        mara.put("kept.jpg")
        self.assertEqual(server.end(), 0)
        folder = pathlib.Path(server.data, "cloud/com.example.swisscoin/development", mara.me, "private")
        (folder / "zones/Objects.zone").rename(folder / "Objects.kept")
        server = self.serve(server.data)
        self.assertEqual(server.end(), 0)
        self.assertEqual(len([path for path in folder.glob("assets/*/*") if path.is_file()]), 1)


class StorageCase(AuthCase):
    def setUp(self):
        super().setUp()
        self.mara = Objects(self.auth, self.auth.sign_up(self.email).json)

    def assert_refused(self, reply, code, error, message=None, status=400):
        self.assertEqual((reply.status, reply.json["statusCode"], reply.json["error"]), (status, code, error), reply.body)
        if message:
            self.assertEqual(reply.json["message"], message)

    def assets(self, account=None):
        folder = pathlib.Path(self.server.data, "cloud/com.example.swisscoin/development", account or self.mara.me)
        return sorted(path.name for path in folder.glob("private/assets/*/*"))


class Uploads(StorageCase):
    def test_bytes_come_back_as_they_went(self):
        stored = self.mara.put("persons/a.jpg")
        self.assertEqual(stored.status, 200, stored.body)
        self.assertEqual(stored.json["Key"], f"photos/{self.mara.me}/persons/a.jpg")
        uuid.UUID(stored.json["Id"])
        reply = self.mara.get("persons/a.jpg")
        self.assertEqual((reply.status, reply.body), (200, JPEG))
        self.assertEqual(reply.headers["content-type"], "image/jpeg")
        self.assertEqual(reply.headers["etag"], f'"{hashlib.sha256(JPEG).hexdigest()}"')
        self.assertRegex(reply.headers["last-modified"], r"^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$")

    def test_a_form_holds_the_file_in_its_first_part_with_a_file_name(self):
        for name, boundary in (("file", "limit"), ("", '"a limit"')):
            body = form(
                [("cacheControl", None, None, b"60"), ("metadata", None, None, b'{"kind":"cat"}'), (name, "a.png", "image/png", JPEG)],
                boundary.strip('"'),
            )
            reply = self.mara.put(f"{len(boundary)}.png", body, f"multipart/form-data; boundary={boundary}")
            self.assertEqual(reply.status, 200, reply.body)
            found = self.mara.get(f"{len(boundary)}.png")
            self.assertEqual((found.body, found.headers["content-type"]), (JPEG, "image/png"))
            self.assertEqual(found.headers["cache-control"], "max-age=60")
            info = self.mara.ask("GET", f"object/info/photos/{self.mara.me}/{len(boundary)}.png").json
            self.assertEqual((info["metadata"], info["size"]), ({"kind": "cat"}, len(JPEG)))

    def test_the_fields_of_a_raw_upload_say_what_a_form_does(self):
        own = base64.b64encode(b'{"kind":"dog"}').decode()
        self.mara.put("raw.heic", kind="image/heic; q=1", **{"cache-control": "max-age=9", "x-metadata": own})
        info = self.mara.ask("GET", f"object/info/photos/{self.mara.me}/raw.heic").json
        self.assertEqual(
            {key: info[key] for key in ("name", "bucket_id", "content_type", "cache_control", "metadata")},
            {
                "name": f"{self.mara.me}/raw.heic", "bucket_id": "photos", "content_type": "image/heic",
                "cache_control": "max-age=9", "metadata": {"kind": "dog"},
            },
        )

    def test_a_path_is_taken_once_unless_the_client_replaces_it(self):
        first = self.mara.put("b.jpg").json["Id"]
        self.assert_refused(self.mara.put("b.jpg", b"new"), "409", "Duplicate", "The resource already exists")
        self.assertEqual(self.mara.get("b.jpg").body, JPEG)
        for method, data, headers in (("POST", b"new", {"x-upsert": "true"}), ("PUT", b"newer", {})):
            self.assertEqual(self.mara.put("b.jpg", data, method=method, **headers).json["Id"], first)
            self.assertEqual(self.mara.get("b.jpg").body, data)

    def test_bytes_are_kept_once_and_removed_with_their_last_object(self):
        for name in ("c.jpg", "d.jpg"):
            self.mara.put(name)
        self.assertEqual(self.assets(), [hashlib.sha256(JPEG).hexdigest()])
        self.assert_refused(self.mara.put("c.jpg", b"refused"), "409", "Duplicate")
        self.mara.put("c.jpg", b"other", method="PUT")
        self.assertEqual(len(self.assets()), 2)
        self.mara.ask("DELETE", "object/photos", {"prefixes": [f"{self.mara.me}/{name}" for name in ("c.jpg", "d.jpg")]})
        self.assertEqual(self.assets(), [])

    def test_what_cannot_be_an_object_is_refused(self):
        for path in (f"{self.mara.me}/../x.jpg", f"{self.mara.me}//x.jpg", f"{self.mara.me}/a%00b", f"{self.mara.me}/" + "x" * 1100):
            self.assert_refused(self.mara.ask("POST", f"object/photos/{path}", JPEG, "image/jpeg"), "400", "InvalidKey")
        for name in ("caf\u00e9.jpg", "cafe\u0301.jpg", "a#b", "a%b", "a[b]", "a{b}", "a^b", "a`b", "a\"b", "a<b>", "a~b", "a|b", "a\\b", "\U0001f600"):
            path = f"{self.mara.me}/{urllib.parse.quote(name, safe='')}"
            for method in ("POST", "PUT"):
                self.assert_refused(
                    self.mara.ask(method, f"object/photos/{path}", JPEG, "image/jpeg"), "400", "InvalidKey", f"Invalid key: {self.mara.me}/{name}"
                )
            self.assert_refused(self.mara.ask("GET", f"object/photos/{path}"), "404", "not_found")
        allowed = "aZ09_!-.*'() &$@=;:+,?"
        self.assertEqual(self.mara.put(urllib.parse.quote(allowed, safe="")).json["Key"], f"photos/{self.mara.me}/{allowed}")
        longest = "x" * (1024 - len(self.mara.me) - 1)
        self.assertEqual(self.mara.put(longest).status, 200)
        self.assert_refused(self.mara.put("x" + longest), "400", "InvalidKey")
        self.assert_refused(self.mara.put("x.txt", kind="text/plain;charset=UTF-8"), "415", "invalid_mime_type", "mime type text/plain is not supported")
        self.assert_refused(self.mara.ask("POST", f"object/videos/{self.mara.me}/x", b"x", "image/png"), "404", "Bucket not found", "Bucket not found")
        self.assert_refused(self.mara.put("f", b"--x", "multipart/form-data; boundary=y"), "400", "InvalidRequest")
        self.assertEqual(self.assets(), [hashlib.sha256(JPEG).hexdigest()])
        self.assertEqual(self.mara.put("big", bytes(8 << 20)).status, 200)
        self.assertEqual(self.mara.put("bigger", bytes((8 << 20) + 1)).status, 413)

    def test_a_form_is_read_wherever_it_ends(self):
        body = form([("cacheControl", None, None, b"60"), ("file", "a.jpg", "image/jpeg", b"abc")])
        for length in range(len(body) + 1):
            reply = self.mara.put("cut.jpg", body[:length], "multipart/form-data; boundary=limit", **{"x-upsert": "true"})
            self.assertIn(reply.status, (200, 400), reply.body)
        self.assertEqual(self.mara.get("cut.jpg").body, b"abc")


class Downloads(StorageCase):
    def setUp(self):
        super().setUp()
        self.mara.put("a.jpg")

    def test_a_part_is_sent_where_one_is_asked_for(self):
        for asked, status, body, range_of in (
            ("bytes=0-9", 206, JPEG[:10], f"bytes 0-9/{len(JPEG)}"),
            ("bytes=10-", 206, JPEG[10:], f"bytes 10-{len(JPEG) - 1}/{len(JPEG)}"),
            ("bytes=-5", 206, JPEG[-5:], f"bytes {len(JPEG) - 5}-{len(JPEG) - 1}/{len(JPEG)}"),
            ("bytes=5-999999", 206, JPEG[5:], f"bytes 5-{len(JPEG) - 1}/{len(JPEG)}"),
            ("bytes=1-2,5-6", 200, JPEG, None), ("lines=1-2", 200, JPEG, None), ("bytes=9-1", 200, JPEG, None),
        ):
            reply = self.mara.get("a.jpg", Range=asked)
            self.assertEqual((reply.status, reply.body, reply.headers.get("content-range")), (status, body, range_of), asked)
        beyond = self.mara.get("a.jpg", Range="bytes=999999-")
        self.assertEqual((beyond.status, beyond.headers["content-range"]), (416, f"bytes */{len(JPEG)}"))

    def test_a_known_version_is_not_sent_again(self):
        tag = self.mara.get("a.jpg").headers["etag"]
        for asked, status in ((tag, 304), (f'"x", W/{tag}', 304), ("*", 304), ('"x"', 200)):
            reply = self.mara.get("a.jpg", **{"If-None-Match": asked})
            self.assertEqual((reply.status, reply.body), (status, b"" if status == 304 else JPEG))
        self.assertEqual(self.mara.get("a.jpg").body, JPEG)

    def test_head_says_whether_an_object_exists(self):
        for name, status in (("a.jpg", 200), ("none.jpg", 400)):
            reply = self.mara.ask("HEAD", f"object/photos/{self.mara.me}/{name}")
            self.assertEqual((reply.status, reply.body), (status, b""))

    def test_the_account_in_a_path_may_be_in_any_case(self):
        for path in (f"object/photos/{self.mara.me.upper()}/a.jpg", f"object/authenticated/photos/{self.mara.me}/a.jpg"):
            self.assertEqual(self.mara.ask("GET", path).body, JPEG)

    def test_an_object_belongs_to_its_account_alone(self):
        eve = Objects(self.auth, self.auth.sign_up("eve" + self.email).json)
        mine = f"photos/{self.mara.me}/a.jpg"
        self.assert_refused(eve.ask("GET", f"object/{mine}"), "404", "not_found", "Object not found")
        self.assert_refused(eve.ask("GET", f"object/info/{mine}"), "404", "not_found")
        self.assert_refused(eve.ask("POST", f"object/sign/{mine}", {"expiresIn": 60}), "404", "not_found")
        self.assert_refused(eve.ask("PUT", f"object/{mine}", b"x", "image/png"), "403", "Unauthorized", "new row violates row-level security policy")
        self.assertEqual(eve.ask("DELETE", "object/photos", {"prefixes": [f"{self.mara.me}/a.jpg"]}).json, [])
        self.assertEqual(eve.ask("POST", "object/list/photos", {"prefix": self.mara.me}).json, [])
        self.assert_refused(self.mara.ask("GET", f"object/{mine}", token=self.keys["anonKey"]), "404", "not_found")
        self.assertEqual(self.mara.ask("GET", f"object/{mine}", token=self.keys["serviceRoleKey"]).body, JPEG)
        self.assertEqual(self.mara.get("a.jpg").body, JPEG)

    def test_what_is_not_served_says_so(self):
        self.assert_refused(self.mara.ask("POST", "object/move", {}), "404", "not_found", "/storage/v1/object/move is not served by this version")
        self.assert_refused(self.mara.ask("GET", f"object/public/photos/{self.mara.me}/a.jpg"), "404", "Bucket not found")
        bad = self.auth.ask_raw("GET", f"/storage/v1/object/photos/{self.mara.me}/a.jpg", None, {"apikey": self.auth.key, "Authorization": "Bearer x"})
        self.assert_refused(bad, "403", "Unauthorized", "Invalid JWT")


class Lists(StorageCase):
    def names(self, prefix, **more):
        reply = self.mara.ask("POST", "object/list/photos", {"prefix": prefix, **more})
        return [(entry["name"], entry["id"] is None) for entry in reply.json]

    def test_objects_and_folders_of_a_folder_are_listed(self):
        for name in ("persons/b.jpg", "persons/a.jpg", "groups/c.jpg", "d.jpg"):
            self.mara.put(name)
        me = self.mara.me
        self.assertEqual(self.names(me), [("d.jpg", False), ("groups", True), ("persons", True)])
        self.assertEqual(self.names(me.upper() + "/persons/"), [("a.jpg", False), ("b.jpg", False)])
        self.assertEqual(self.names(me + "/persons", limit=1, offset=1), [("b.jpg", False)])
        newest = {"sortBy": {"column": "created_at", "order": "desc"}}
        self.assertEqual(self.names(me + "/persons", **newest), [("a.jpg", False), ("b.jpg", False)])
        self.assertEqual(self.names(me + "/persons", search="b"), [("b.jpg", False)])
        self.assertEqual(self.names(""), [(me, True)])
        entry = self.mara.ask("POST", "object/list/photos", {"prefix": me, "limit": 1}).json[0]
        self.assertEqual((entry["metadata"]["size"], entry["metadata"]["mimetype"]), (len(JPEG), "image/jpeg"))

    def test_removal_names_what_was_there(self):
        self.mara.put("a.jpg")
        paths = [f"{self.mara.me}/{name}" for name in ("a.jpg", "none.jpg")]
        removed = self.mara.ask("DELETE", "object/photos", {"prefixes": paths}).json
        self.assertEqual([entry["name"] for entry in removed], paths[:1])
        self.assert_refused(self.mara.get("a.jpg"), "404", "not_found")
        self.assert_refused(
            self.mara.ask("DELETE", "object/photos", {"prefixes": paths * 501}), "400", "InvalidRequest",
            "at most 1000 objects of one request are allowed",
        )
        for body in ({}, {"prefixes": [7]}, []):
            self.assert_refused(self.mara.ask("DELETE", "object/photos", body), "400", "InvalidRequest")


class Links(StorageCase):
    def follow(self, url):
        return self.auth.ask_raw("GET", "/storage/v1" + url, None, {})

    def test_a_link_needs_no_key_and_opens_one_object(self):
        self.mara.put("a b.jpg".replace(" ", "%20"))
        signed = self.mara.ask("POST", f"object/sign/photos/{self.mara.me}/a%20b.jpg", {"expiresIn": "60"})
        url = signed.json["signedURL"]
        self.assertTrue(url.startswith(f"/object/sign/photos/{self.mara.me}/a%20b.jpg?token="), url)
        self.assertEqual(self.follow(url).body, JPEG)
        self.mara.put("other.jpg")
        for wrong in (url.replace("a%20b", "other"), url + "x", url.partition("?")[0], url.partition("=")[0] + "=" + self.mara.token):
            self.assert_refused(self.follow(wrong), "403", "Unauthorized", "Invalid JWT")
        token = url.partition("=")[2]
        denied = self.mara.ask("GET", f"object/photos/{self.mara.me}/a%20b.jpg", token=token)
        self.assert_refused(denied, "403", "Unauthorized")

    def test_a_link_ends_when_it_was_asked_to(self):
        self.mara.put("a.jpg")
        before = time.time()
        url = self.mara.ask("POST", f"object/sign/photos/{self.mara.me}/a.jpg", {"expiresIn": 2}).json["signedURL"]
        after = time.time()
        claims = part(url.partition("=")[2], 1)
        self.assertTrue(before - 0.002 <= claims["exp"] - 2 <= after + 0.002, (before, claims, after))
        self.assertEqual(self.follow(url).body, JPEG)

        def refusal():
            asked = time.time()
            reply = self.follow(url)
            self.assertEqual(reply.status == 400, reply.body != JPEG)
            return (asked, reply) if reply.status == 400 else None

        asked, reply = eventually(refusal, "the link ends", 10)
        self.assertGreater(time.time(), claims["exp"])
        self.assertLess(asked - claims["exp"], 5, "the server takes no link for 30 s longer")
        self.assert_refused(reply, "403", "Unauthorized", "Invalid JWT")

    def test_many_links_are_made_at_once(self):
        self.mara.put("a.jpg")
        paths = [f"{self.mara.me}/{name}" for name in ("a.jpg", "none.jpg")]
        links = self.mara.ask("POST", "object/sign/photos", {"expiresIn": 60, "paths": paths}).json
        self.assertEqual([(link["path"], link["error"] is None) for link in links], list(zip(paths, (True, False))))
        self.assertEqual(self.follow(links[0]["signedURL"]).body, JPEG)
        self.assertIsNone(links[1]["signedURL"])
        for seconds in (0, "x", None):
            self.assert_refused(self.mara.ask("POST", "object/sign/photos", {"expiresIn": seconds, "paths": paths}), "400", "InvalidRequest")


class Crashes(Case):
    """What was answered survives a crash, and what could not be stored is refused."""

    def client(self, server):
        auth = self.keep(Auth(server.http))
        return auth, auth.sign_up("mara@example.test").json

    def test_an_object_that_was_answered_survives_kill_9(self):
        folder = self.folder()
        server = self.keep(Server(folder / "data"))
        mara = Objects(*self.client(server))
        for number in range(20):
            self.assertEqual(mara.put(f"{number}.jpg", JPEG + bytes([number])).status, 200)
        server.kill()
        again = self.keep(Server(folder / "data"))
        after = Objects(self.keep(Auth(again.http)), {"access_token": mara.token, "user": {"id": mara.me}})
        for number in range(20):
            self.assertEqual(after.get(f"{number}.jpg").body, JPEG + bytes([number]))

    def test_a_full_disk_refuses_an_upload_and_keeps_what_was_there(self):
        folder = self.mount("6m")
        server = self.keep(Server(folder / "data"))
        mara = Objects(*self.client(server))
        self.assertEqual(mara.put("a.jpg").status, 200)
        refused = mara.put("a.jpg", bytes(7 << 20), method="PUT")
        self.assertEqual((refused.status, refused.json["statusCode"]), (503, "503"), refused.body)
        self.assertTrue(int(refused.headers["retry-after"]) > 0)
        self.assertEqual(mara.get("a.jpg").body, JPEG)
        self.assertEqual(list(folder.rglob("*.new")), [])
