"""Clients of the two sockets: CloudKit Web Services over HTTP, raw bytes over the same port, and the push socket."""

import http.client
import json
import socket
import typing
import urllib.parse

CONTAINER = "iCloud.com.example.interop"
ZONE = "Notes"
TIMEOUT = 15.0


def connect(address, source=None):
    """A stream to `host:port`, from that address of this machine, or to `unix:/path`."""
    if address.startswith("unix:"):
        stream = socket.socket(socket.AF_UNIX)
        stream.settimeout(TIMEOUT)
        stream.connect(address.removeprefix("unix:"))
        return stream
    host, _, port = address.rpartition(":")
    stream = socket.create_connection((host.strip("[]"), int(port)), TIMEOUT, source and (source, 0))
    stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return stream


def encoded(query):
    """A query with percent-encoding only: the server does not take a plus sign for a blank (e.1)."""
    return urllib.parse.urlencode(query, quote_via=urllib.parse.quote)


def zone_id(zone):
    """A zone by its name, or an ID as it is."""
    return zone if isinstance(zone, dict) else {"zoneName": zone}


def values(fields):
    """Plain values as fields without a type."""
    return {name: {"value": value} for name, value in fields.items()}


def operation(kind, name, fields=None, *, raw=None, tag=None, record_type="Note", **more):
    """One entry of `operations`; `fields` are plain values, `raw` are fields as they go over the wire."""
    record = {"recordName": name, "recordType": record_type, "fields": values(fields or {}) | (raw or {}), **more}
    if tag is not None:
        record["recordChangeTag"] = tag
    return {"operationType": kind, "record": {key: value for key, value in record.items() if value is not None}}


class Reply(typing.NamedTuple):
    """An HTTP response; header names are in lower case."""

    status: int
    headers: dict
    body: bytes

    @property
    def json(self):
        return json.loads(self.body)

    def succeeded(self):
        """The body of a response that must have succeeded."""
        if self.status != 200:
            raise AssertionError(f"HTTP {self.status}: {self.body[:500]!r}")
        return self.json


class _Connection(http.client.HTTPConnection):
    def __init__(self, address):
        super().__init__("localhost", timeout=TIMEOUT)
        self._address = address

    def connect(self):
        self.sock = connect(self._address)


class Cloud:
    """One account's view of the cloud, over one connection that is kept alive."""

    def __init__(
        self, address, user, *, container=CONTAINER, environment="development", scope="private", client_id=None
    ):
        self._connection = _Connection(address)
        self._place = f"{container}/{environment}"
        self._scope = scope
        self._query = {"ckAPIToken": "t", "ckWebAuthToken": f"user:{user}"}
        if client_id:
            self._query["clientId"] = client_id

    def close(self):
        self._connection.close()

    def path(self, what, query=None):
        whole = f"/database/1/{self._place}/{self._scope}/{what}"
        return whole + "?" + encoded(self._query if query is None else query)

    def request(self, method, path, body=None, headers=None):
        if headers is None:
            headers = {} if body is None else {"Content-Type": "application/json"}
        self._connection.request(method, path, body, headers)
        response = self._connection.getresponse()
        content = response.read()
        return Reply(response.status, {name.lower(): value for name, value in response.getheaders()}, content)

    def call(self, what, body=None, *, method="POST", headers=None):
        """One operation; a body that is bytes goes as it is."""
        content = body if isinstance(body, bytes) else json.dumps(body if body is not None else {}).encode()
        headers = {"Content-Type": "application/json"} if headers is None else headers
        return self.request(method, self.path(what), None if method == "GET" else content, headers)

    def device_call(self, what, body, *, root="device", method="POST"):
        """tokens/create and tokens/register, which have no database in their path."""
        path = f"/{root}/1/{self._place}/{what}?" + encoded(self._query)
        return self.request(method, path, None if method == "GET" else json.dumps(body).encode())

    # Zones

    def modify_zones(self, *pairs):
        """Pairs of an operation type and a zone name."""
        operations = [{"operationType": kind, "zone": {"zoneID": {"zoneName": name}}} for kind, name in pairs]
        return self.call("zones/modify", {"operations": operations}).succeeded()["zones"]

    def create_zone(self, name=ZONE):
        zone = self.modify_zones(("create", name))[0]
        if "serverErrorCode" in zone:
            raise AssertionError(f"zone {name} was not created: {zone}")
        return zone

    def delete_zone(self, name=ZONE):
        return self.modify_zones(("delete", name))[0]

    # Records

    def modify(self, *operations, zone=ZONE, **more):
        body = {"operations": list(operations), **more}
        if zone is not None:
            body["zoneID"] = zone_id(zone)
        return self.call("records/modify", body)

    def save(self, name, fields=None, kind="forceUpdate", zone=ZONE, **more):
        """The saved record."""
        record = self.modify(operation(kind, name, fields, **more), zone=zone).succeeded()["records"][0]
        if "serverErrorCode" in record:
            raise AssertionError(f"{name} was not saved: {record}")
        return record

    def save_all(self, names, fields=None, zone=ZONE, **more):
        """Many records, in requests of 200."""
        names = list(names)
        for start in range(0, len(names), 200):
            batch = [operation("forceUpdate", name, fields, **more) for name in names[start : start + 200]]
            self.modify(*batch, zone=zone).succeeded()

    def delete(self, name, zone=ZONE):
        return self.modify(operation("forceDelete", name), zone=zone).succeeded()["records"][0]

    def lookup(self, *names, zone=ZONE, **more):
        body = {"records": [{"recordName": name} for name in names], "zoneID": zone_id(zone), **more}
        return self.call("records/lookup", body).succeeded()["records"]

    # Feeds

    def zone_changes(self, zone=ZONE, token=None, **more):
        """One page of one zone's feed, or that zone's error."""
        query = {"zoneID": zone_id(zone), **more}
        if token is not None:
            query["syncToken"] = token
        return self.call("changes/zone", {"zones": [query]}).succeeded()["zones"][0]

    def feed(self, zone=ZONE, token=None, **more):
        """All records after a token, and the token behind them."""
        records = []
        while True:
            page = self.zone_changes(zone, token, **more)
            if "serverErrorCode" in page:
                raise AssertionError(f"the feed of {zone} failed: {page}")
            records += page["records"]
            token = page["syncToken"]
            if not page["moreComing"]:
                return records, token

    def database_changes(self, token=None, **more):
        body = dict(more)
        if token is not None:
            body["syncToken"] = token
        return self.call("changes/database", body).succeeded()

    # Subscriptions and push tokens

    def modify_subscriptions(self, *pairs):
        """Pairs of an operation type and a subscription."""
        operations = [{"operationType": kind, "subscription": subscription} for kind, subscription in pairs]
        return self.call("subscriptions/modify", {"operations": operations}).succeeded()["subscriptions"]

    def subscribe(self, name="all", **more):
        """A silent subscription to the whole database, or what `more` says."""
        subscription = {
            "subscriptionID": name,
            "subscriptionType": "database",
            "notificationInfo": {"shouldSendContentAvailable": True},
            **more,
        }
        saved = self.modify_subscriptions(("create", subscription))[0]
        if "serverErrorCode" in saved:
            raise AssertionError(f"subscription {name} was refused: {saved}")
        return saved

    def register(self, client_id=None, environment="development"):
        """A new push token, registered for this account."""
        body = {"apnsEnvironment": environment} | ({"clientId": client_id} if client_id else {})
        token = self.device_call("tokens/create", body).succeeded()["apnsToken"]
        self.device_call("tokens/register", {**body, "apnsToken": token}).succeeded()
        return token


class RawConnection:
    """Bytes to the HTTP port, and the responses that come back one by one."""

    def __init__(self, address):
        self.stream = connect(address)
        self._file = self.stream.makefile("rb")

    def close(self):
        self._file.close()
        self.stream.close()

    def send(self, content):
        self.stream.sendall(content)

    def finish_sending(self):
        self.stream.shutdown(socket.SHUT_WR)

    def response(self):
        """The next response; None where the connection ended."""
        line = self._file.readline()
        if not line:
            return None
        version, status, _ = line.decode().split(" ", 2)
        if version != "HTTP/1.1":
            raise AssertionError(f"a response of HTTP/1.1 begins otherwise: {line!r}")
        headers = {}
        while (line := self._file.readline()) not in (b"\r\n", b""):
            name, _, value = line.decode().partition(":")
            headers[name.lower()] = value.strip()
        return Reply(int(status), headers, self._file.read(int(headers.get("content-length", 0))))

    def is_at_end(self):
        """Whether the server closes the connection, within 3 s, without another byte."""
        self.stream.settimeout(3)
        try:
            return self._file.read(1) == b""
        except ConnectionResetError:
            return True
        except TimeoutError:
            return False


class PushClient:
    """A subscriber of the push socket. With hello=None nothing is said; then `say` says anything."""

    def __init__(self, address, hello=None, source=None):
        self.stream = connect(address, source)
        self._file = self.stream.makefile("rb")
        if hello:
            self.say(json.dumps({"hello": hello}).encode() + b"\n")

    def close(self):
        self._file.close()
        self.stream.close()

    def say(self, content):
        self.stream.sendall(content)

    def next(self):
        """The next line as JSON; None where the connection ended."""
        try:
            line = self._file.readline()
        except ConnectionResetError:
            return None
        if line and not line.endswith(b"\n"):
            raise AssertionError(f"a line without an end: {line!r}")
        return json.loads(line) if line.strip() else None if not line else self.next()

    def welcomed(self):
        """This client, once the gateway has welcomed it."""
        line = self.next()
        if not line or "welcome" not in line:
            raise AssertionError(f"no welcome: {line}")
        return self
