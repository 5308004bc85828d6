"""How long a change of a row takes from its writer to somebody who watches the table, one change after the other."""

import base64
import http.client
import json
import os
import socket
import struct
import time

from support.processes import BenchmarkError

PATIENCE = 20


class Channel:
    """A realtime socket of our server that watches reminders, with the frames of RFC 6455 that it needs."""

    def __init__(self, address, key, token):
        host, port = address.rsplit(":", 1)
        self.stream = socket.create_connection((host, int(port)), timeout=PATIENCE)
        self.stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        nonce = base64.b64encode(os.urandom(16)).decode()
        self.stream.sendall((
            f"GET /realtime/v1/websocket?apikey={key}&vsn=1.0.0 HTTP/1.1\r\nHost: {address}\r\nConnection: Upgrade\r\n"
            f"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {nonce}\r\n\r\n").encode())
        self.file = self.stream.makefile("rb")
        if b" 101 " not in self.file.readline():
            raise BenchmarkError("the realtime socket was not opened")
        while self.file.readline() != b"\r\n":
            pass
        entry = {"event": "*", "schema": "public", "table": "reminders"}
        self.send({"topic": "realtime:bench", "event": "phx_join", "ref": "1", "join_ref": "1", "payload": {
            "access_token": token, "config": {"postgres_changes": [entry]}}})
        while self.receive()["event"] != "system":
            pass

    def send(self, message):
        data = json.dumps(message).encode()
        self.stream.sendall(b"\x81\xfe" + struct.pack(">H", len(data)) + bytes(4) + data)

    def receive(self):
        _, length = self.file.read(2)
        if length == 126:
            (length,) = struct.unpack(">H", self.file.read(2))
        return json.loads(self.file.read(length))

    def close(self):
        self.file.close()
        self.stream.close()


class Stream:
    """PocketBase's server-sent events of the collection `persons`."""

    def __init__(self, base):
        self.connection = http.client.HTTPConnection(base.address, timeout=PATIENCE)
        self.connection.request("GET", "/api/realtime", headers={"Authorization": base.token})
        self.response = self.connection.getresponse()
        client = json.loads(self.receive())["clientId"]
        base.ask("POST", "/api/realtime", {"clientId": client, "subscriptions": ["persons/*"]})

    def receive(self):
        while True:
            line = self.response.readline()
            if not line:
                raise BenchmarkError("PocketBase ended the stream of events")
            if line.startswith(b"data:"):
                return line[5:]

    def close(self):
        self.connection.close()


def milliseconds(watcher, address, path, fields, row, count):
    """The times of that many changes. `row` makes a new row."""
    connection = http.client.HTTPConnection(address, timeout=PATIENCE)
    connection.connect()
    connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    times = []
    for _ in range(count):
        body = json.dumps(row())
        began = time.perf_counter()
        connection.request("POST", path, body, {"Content-Type": "application/json", **fields})
        watcher.receive()
        times.append((time.perf_counter() - began) * 1000)
        response = connection.getresponse()
        content = response.read()
        if response.status >= 300:
            raise BenchmarkError(f"a row was answered {response.status}: {content[:200]!r}")
    connection.close()
    return times
