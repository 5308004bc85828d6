"""What tests of assets share: a client of CloudKit Web Services' assets, and the bytes and forms that it sends."""

import base64
import hashlib
import http.client
import json
import pathlib
import urllib.parse

from clients import ZONE, operation
from support import PATIENCE, ServerCase

PHOTO = b"\xff\xd8\xff" + bytes(range(256)) * 40
MEGABYTE = 1 << 20


def checksum(data):
    return base64.b64encode(hashlib.sha256(data).digest()).decode()


def form(data, name="files", file="file", boundary="----WebKitFormBoundary7MA4YWxkTrZu0gW"):
    """A form with one part, as OpenCloudKit writes it. Returns the body and its media type."""
    head = f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"; filename="{file}"\r\n'
    head += "Content-Type: application/octet-stream\r\n\r\n"
    body = head.encode() + data + f"\r\n--{boundary}--\r\n".encode()
    return body, f"multipart/form-data; boundary={boundary}"


class Assets:
    """What a client does with assets of one cloud."""

    def __init__(self, cloud):
        self.cloud = cloud

    def tokens(self, *pairs, zone=ZONE):
        """The reply to a request for uploads. A pair is the record's name, or None, and the field."""
        tokens = [
            {"recordType": "Note", "fieldName": field, **({"recordName": name} if name else {})} for name, field in pairs
        ]
        return self.cloud.call("assets/upload", {"tokens": tokens, "zoneID": {"zoneName": zone}})

    def url(self, name="n", field="photo", **more):
        return self.tokens((name, field), **more).succeeded()["tokens"][0]["url"]

    def ask(self, method, url, body=None, headers=None, encode_chunked=False):
        """The reply to a request without any sign-in, over a connection of its own."""
        parts = urllib.parse.urlsplit(url)
        connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=PATIENCE * 6)
        try:
            connection.request(method, parts.path, body, headers or {}, encode_chunked=encode_chunked)
            response = connection.getresponse()
            return response.status, response.headers, response.read()
        finally:
            connection.close()

    def post(self, url, data, kind="application/octet-stream"):
        status, _, body = self.ask("POST", url, data, {"Content-Type": kind} if kind else {})
        return status, json.loads(body)

    def upload(self, data, name="n", field="photo", **more):
        """The dictionary that is sent with the record."""
        status, answer = self.post(self.url(name, field, **more), data)
        assert status == 200, answer
        return answer["singleFile"]

    def save(self, asset, name="n", field="photo", kind="forceUpdate", **more):
        value = {"value": asset, **({"type": more.pop("type")} if "type" in more else {})}
        reply = self.cloud.modify(operation(kind, name, raw={field: value}), atomic=False, **more)
        return reply.json["records"][0]

    def attach(self, data, name="n", field="photo"):
        """The asset as it is read, after an upload and a save."""
        return self.save(self.upload(data, name, field), name, field)["fields"][field]["value"]

    def read(self, name="n", field="photo"):
        return self.cloud.lookup(name)[0]["fields"][field]["value"]

    def limit(self, **limits):
        """Changes limits of the server."""
        self.cloud.request("PUT", "/zonekit/faults", json.dumps({"faults": [], "limits": limits})).succeeded()

    def get(self, url, method="GET", **headers):
        return self.ask(method, url, headers={key.replace("_", "-"): value for key, value in headers.items()})


class AssetCase(ServerCase):
    def setUp(self):
        super().setUp()
        self.cloud.create_zone()
        self.assets = Assets(self.cloud)

    def files(self, user=None):
        """The files of assets of a user, finished or not."""
        folder = pathlib.Path(self.server.data, "cloud")
        return sorted(path.name for path in folder.glob(f"*/*/{user or self.user}/*/assets/*/*"))

    def assert_refused(self, item, *words):
        self.assert_item_error(item, "BAD_REQUEST")
        for word in words:
            self.assertIn(word, item["reason"])
