"""The server's own paths, /zonekit/…, beside CloudKit Web Services (the interface contract, HTTP)."""

from clients import RawConnection
from support import ServerCase, eventually


class OwnPaths(ServerCase):
    """What is not CloudKit: /zonekit/… (the interface contract, HTTP)."""

    def test_status_is_the_clouds_part_of_the_dump(self):
        self.cloud.create_zone()
        self.cloud.save("n")
        reply = self.cloud.request("GET", "/zonekit/status")
        self.assertIn("application/json", reply.headers["content-type"])
        cloud = reply.succeeded().get("cloud", reply.json)
        self.assertLessEqual({"zones", "subscriptions", "registrations", "pushes"}, set(cloud))

    def test_metrics_are_prometheus_text(self):
        reply = self.cloud.request("GET", "/zonekit/metrics")
        self.assertEqual(reply.status, 200, reply.body[:200])
        self.assertTrue(reply.headers["content-type"].startswith("text/plain"))
        samples = [line for line in reply.body.decode().splitlines() if line and not line.startswith("#")]
        self.assertTrue(samples)
        for sample in samples:
            self.assertRegex(sample, r"^[a-zA-Z_:][a-zA-Z0-9_:]*(\{.*\})? [-+0-9.eE]+(NaN|Inf)?( \d+)?$")

    def test_events_are_told_live(self):
        listener = self.keep(RawConnection(self.server.http))
        listener.send(b"GET /zonekit/events HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n")
        response = listener.response()
        self.assertEqual(response.status, 200, response.body[:200])
        self.assertTrue(response.headers["content-type"].startswith("text/event-stream"))
        self.cloud.create_zone("Told-of-live")
        self.assertTrue(eventually(lambda: b"Told-of-live" in listener.stream.recv(65536), "an event names the zone"))

    def test_faults_can_be_listed_and_cleared(self):
        self.assertEqual(self.cloud.request("GET", "/zonekit/faults").status, 200)
        self.assertIn(self.cloud.request("DELETE", "/zonekit/faults").status, (200, 204))

    def test_the_page_is_there(self):
        reply = self.cloud.request("GET", "/zonekit/")
        self.assertEqual(reply.status, 200, reply.body[:200])
        self.assertTrue(reply.headers["content-type"].startswith("text/html"))
