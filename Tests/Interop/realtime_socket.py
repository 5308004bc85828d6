"""A client of a realtime socket with nothing but the standard library: the handshake, frames, and both text forms."""

import base64
import hashlib
import json
import os
import socket
import struct

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"


class Refused(Exception):
    def __init__(self, status, headers, body):
        super().__init__(f"{status} {body!r}")
        self.status, self.headers, self.body = status, headers, body


class RealtimeSocket:
    """An open socket. `receive` returns messages as (join_ref, ref, topic, event, payload)."""

    def __init__(self, address, key, version="1.0.0", headers=None, device=None):
        host, port = address.rsplit(":", 1)
        self.version = version
        self.stream = socket.create_connection((host, int(port)), timeout=10)
        self.buffer = b""
        nonce = base64.b64encode(os.urandom(16)).decode()
        fields = {
            "Host": address, "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": nonce,
        }
        fields.update(headers or {})
        query = "&".join(f"{name}={value}" for name, value in (("apikey", key), ("vsn", version), ("device", device)) if value)
        lines = [f"GET /realtime/v1/websocket?{query} HTTP/1.1"] + [f"{n}: {v}" for n, v in fields.items() if v]
        self.stream.sendall("\r\n".join(lines + ["", ""]).encode())
        while b"\r\n\r\n" not in self.buffer:
            self._read()
        head, _, self.buffer = self.buffer.partition(b"\r\n\r\n")
        first, *rest = head.decode().split("\r\n")
        headers = {line.split(": ", 1)[0].lower(): line.split(": ", 1)[1] for line in rest}
        status = int(first.split(" ")[1])
        if status != 101:
            while len(self.buffer) < int(headers.get("content-length", 0)):
                self._read()
            self.close()
            raise Refused(status, headers, self.buffer)
        accept = base64.b64encode(hashlib.sha1((nonce + GUID).encode()).digest()).decode()
        assert headers["sec-websocket-accept"] == accept, headers
        self.refs = 0

    def _read(self):
        piece = self.stream.recv(65536)
        if not piece:
            raise EOFError("the server ended the connection")
        self.buffer += piece

    def _take(self, count):
        while len(self.buffer) < count:
            self._read()
        taken, self.buffer = self.buffer[:count], self.buffer[count:]
        return taken

    def send_frame(self, opcode, data, final=True):
        mask = os.urandom(4)
        head = bytes([(0x80 if final else 0) | opcode])
        if len(data) < 126:
            head += bytes([0x80 | len(data)])
        elif len(data) < 65536:
            head += bytes([0x80 | 126]) + struct.pack(">H", len(data))
        else:
            head += bytes([0x80 | 127]) + struct.pack(">Q", len(data))
        padded = (mask * (len(data) // 4 + 1))[: len(data)]
        body = (int.from_bytes(data, "big") ^ int.from_bytes(padded, "big")).to_bytes(len(data), "big")
        self.stream.sendall(head + mask + body)

    def receive_frame(self):
        first, second = self._take(2)
        assert second & 0x80 == 0, "a server does not mask"
        count = second & 0x7F
        if count == 126:
            (count,) = struct.unpack(">H", self._take(2))
        elif count == 127:
            (count,) = struct.unpack(">Q", self._take(8))
        return first & 0x0F, self._take(count)

    def send(self, topic, event, payload, join_ref=None, ref=None):
        """Sends a message; returns its reference."""
        if ref is None:
            self.refs += 1
            ref = str(self.refs)
        if self.version == "2.0.0":
            text = [join_ref, ref, topic, event, payload]
        else:
            text = {"topic": topic, "event": event, "payload": payload, "ref": ref, "join_ref": join_ref}
        self.send_frame(TEXT, json.dumps(text).encode())
        return ref

    def receive_text(self):
        """The next text frame."""
        opcode, data = self.receive_frame()
        assert opcode == TEXT, (opcode, data)
        return data.decode()

    def receive(self):
        message = json.loads(self.receive_text())
        if self.version == "2.0.0":
            return tuple(message)
        assert sorted(message) == ["event", "payload", "ref", "topic"], message
        return None, message["ref"], message["topic"], message["event"], message["payload"]

    def receive_close(self):
        """The code of the close frame that comes next."""
        opcode, data = self.receive_frame()
        assert opcode == CLOSE, (opcode, data)
        return int.from_bytes(data, "big") if data else None

    def join(self, topic, entries, token=None, **config):
        """Joins a channel; returns the reply and the state that follows, if entries were asked for."""
        ref = str(self.refs + 1)
        payload = {"config": {"postgres_changes": entries, **config}}
        if token:
            payload["access_token"] = token
        self.send(topic, "phx_join", payload, join_ref=ref)
        reply = self.receive()
        assert reply[1:4] == (ref, topic, "phx_reply"), reply
        if reply[4]["status"] != "ok" or not entries:
            return reply[4], None
        state = self.receive()
        assert state[1:4] == (None, topic, "system"), state
        return reply[4], state[4]

    def close(self):
        self.stream.close()
