"""Clients of a server of tables over HTTP."""

import http.client
import json
import time

from support.processes import BenchmarkError


class Client:
    """A client of a server on a connection that is kept."""

    def __init__(self, address, fields):
        self.address, self.fields = address, fields
        self.connection = http.client.HTTPConnection(address, timeout=120)

    def again(self):
        """The same client on another connection."""
        return Client(self.address, self.fields)

    def ask(self, method, path, body=None, **more):
        """Milliseconds until the answer was read, and the answer."""
        text = None if body is None else json.dumps(body)
        began = time.perf_counter()
        self.connection.request(method, path, text, {**self.fields, **more})
        response = self.connection.getresponse()
        content = response.read()
        took = (time.perf_counter() - began) * 1000
        if response.status >= 300:
            raise BenchmarkError(f"{method} {path[:200]} was answered {response.status}: {content[:300]!r}")
        return took, content


def signed_in(address, key, email):
    client = Client(address, {"apikey": key, "Content-Type": "application/json"})
    _, answer = client.ask("POST", "/auth/v1/signup", {"email": email, "password": "secret1"})
    client.fields["Authorization"] = "Bearer " + json.loads(answer)["access_token"]
    return client
