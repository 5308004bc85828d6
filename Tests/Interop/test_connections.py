"""More connections than the server has file handles for: the others wait, and those that are open go on."""

import json
import select
import urllib.request

from clients import connect
from support import Case, eventually


class Connections(Case):
    def limited(self):
        """A server with few file handles."""
        return self.serve(prefix=("prlimit", "--nofile=200:200"))

    def connections(self, server):
        with urllib.request.urlopen(f"http://{server.http}/zonekit/status", timeout=10) as reply:
            return json.load(reply)["connections"]

    def answered(self, streams):
        """Those of the streams on which the server has sent something."""
        return select.select(streams, [], [], 0)[0]

    def test_connections_above_the_limit_wait_and_open_ones_go_on(self):
        server = self.limited()
        cloud = self.keep(server.cloud("nanny"))
        cloud.create_zone()
        cloud.subscribe()
        watcher = self.keep(server.push_client(user="nanny", device="w"))
        watcher.welcomed()
        limit = self.connections(server)["limit"]
        request = f"GET {cloud.path('zones/list')} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
        streams = [self.keep(connect(server.http, f"127.0.0.{2 + number % 2}")) for number in range(limit + 40)]
        for stream in streams:
            stream.sendall(request)
        served = limit - 2
        eventually(lambda: len(self.answered(streams)) >= served, "as many as the limit allows are answered")
        cloud.save("n")
        self.assertIn("aps", watcher.next())
        self.assertEqual(len(self.answered(streams)), served)
        for stream in self.answered(streams)[:30]:
            streams.remove(stream)
            stream.close()
        eventually(lambda: len(self.answered(streams)) == served, "those that waited take the places of those that left")
        for stream in streams:
            stream.close()
        eventually(lambda: self.connections(server)["open"] <= 3, "all are closed")
        self.assertTrue(server.is_running())

    def test_push_connections_leave_room_for_requests(self):
        server = self.limited()
        cloud = self.keep(server.cloud("nanny"))
        cloud.create_zone()
        cloud.subscribe()
        limit = self.connections(server)["limitOfPush"]
        clients = [
            self.keep(server.push_client(user="nanny", device=f"d{number}", source=f"127.0.0.{2 + number % 2}"))
            for number in range(limit + 60)
        ]
        streams = [client.stream for client in clients]
        eventually(lambda: len(self.answered(streams)) >= limit - 1, "as many as the limit allows are welcomed")
        self.keep(server.cloud("other")).create_zone()
        counts = self.connections(server)
        self.assertGreater(counts["limit"], counts["limitOfPush"])
        self.assertLessEqual(counts["open"], counts["limit"])
        cloud.save("n")
        clients[0].welcomed()
        self.assertIn("aps", clients[0].next())
        early = self.answered(streams)
        late = [stream for stream in streams[1:] if stream not in early]
        self.assertGreaterEqual(len(late), 60)
        for client in clients:
            if client.stream in early:
                client.close()
        eventually(lambda: len(self.answered(late)) == len(late), "those that waited are welcomed")

    def test_one_address_cannot_take_all_connections(self):
        server = self.limited()
        counts = self.connections(server)
        self.assertLess(counts["limitOfAddress"], counts["limit"])
        greedy = [self.keep(connect(server.http, "127.0.0.2")) for _ in range(counts["limit"] + 20)]
        eventually(lambda: self.connections(server)["refused"] >= 20, "those above the limit of the address are refused")
        refused = [stream for stream in greedy if stream in self.answered(greedy)]
        self.assertEqual(len(refused), counts["limit"] + 20 - counts["limitOfAddress"])
        answer = refused[0].recv(65_536).decode()
        self.assertTrue(answer.startswith("HTTP/1.1 503 "), answer)
        self.assertIn("This address has too many open connections.", answer)
        self.assertIn("\r\nRetry-After: 1\r\n", answer)
        self.keep(server.cloud("nanny")).create_zone()
        watcher = self.keep(server.push_client(user="nanny", device="w"))
        watcher.welcomed()
        greedy[0].close()
        for stream in greedy[1:]:
            stream.close()
        eventually(lambda: self.connections(server)["open"] <= 3, "the places of the address are free")
        again = self.keep(connect(server.http, "127.0.0.2"))
        again.sendall(b"GET /zonekit/status HTTP/1.1\r\nHost: localhost\r\n\r\n")
        self.assertIn(b"200 OK", again.recv(64))

    def test_push_connections_of_an_address_leave_room_for_its_requests(self):
        server = self.limited()
        limit = self.connections(server)["limit"]
        for _ in range(limit):
            self.keep(connect(server.push))
        eventually(lambda: self.connections(server)["refused"] > 0, "some are refused")
        self.keep(server.cloud("nanny")).create_zone()
