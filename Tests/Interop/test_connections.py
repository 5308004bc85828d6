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
        streams = [self.keep(connect(server.http)) for _ in range(limit + 40)]
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
        clients = [self.keep(server.push_client(user="nanny", device=f"d{number}")) for number in range(limit + 60)]
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
