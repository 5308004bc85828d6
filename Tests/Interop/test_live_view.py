"""What the live page of a server gets: its files, the view of devices and cloud, records, and lines of the program."""

import http.client
import json
import threading

from devices import World
from support import PATIENCE, Server, eventually, run_zonekit


class View:
    """A live page's stream of events, folded into the view that a page would show."""

    def __init__(self, address):
        self.state = {}
        self.requests = []
        self.parts = 0
        self.connection = http.client.HTTPConnection(address, timeout=PATIENCE)
        self.connection.request("GET", "/zonekit/events?page=1")
        self.response = self.connection.getresponse()
        threading.Thread(target=self._read, daemon=True).start()

    def close(self):
        self.connection.close()

    def _read(self):
        event = None
        try:
            for line in self.response:
                if line.startswith(b"event: "):
                    event = line[7:].strip().decode()
                elif line.startswith(b"data: "):
                    self._take(event, json.loads(line[6:]))
        except (OSError, http.client.HTTPException, ValueError, AttributeError):
            return

    def _take(self, event, data):
        if event == "request":
            self.requests.append(data)
        elif event == "view":
            self.state = data
        elif event == "part":
            self.parts += 1
            devices = {device["name"]: device for device in self.state["devices"]}
            devices.update({device["name"]: device for device in data.pop("devices", [])})
            for name in data.pop("gone", []):
                devices.pop(name)
            self.state = {**self.state, **data, "devices": list(devices.values())}

    def device(self, name):
        return next((device for device in self.state.get("devices", []) if device["name"] == name), {})

    def shows(self, sentence):
        eventually(lambda: sentence in "\n".join(self.state.get("sentences", [])), f"the view says: {sentence}")


class LiveViewWorld(World):
    def view(self):
        view = View(self.server.http)
        self.addCleanup(view.close)
        return view

    def get(self, path, **fields):
        connection = http.client.HTTPConnection(self.server.http, timeout=PATIENCE)
        self.addCleanup(connection.close)
        connection.request("GET", path, headers=fields)
        response = connection.getresponse()
        return response, response.read()

    def records(self, query):
        response, body = self.get(f"/zonekit/records?app=NannyAndMe&user=nanny&zone=NannyAndMe&{query}")
        return response.status, json.loads(body)

    def act(self, *words):
        connection = http.client.HTTPConnection(self.server.http, timeout=PATIENCE)
        self.addCleanup(connection.close)
        connection.request(
            "POST", "/zonekit/actions", json.dumps({"words": words}), {"Content-Type": "application/json"})
        response = connection.getresponse()
        return response.status, json.loads(response.read())

    def pair(self):
        """Two devices that hold a profile and an action."""
        self.start("A")
        self.does("A", "log diaper pee")
        self.start("B")
        self.settled("A", "B")
        self.agree("A", "B")


class LiveView(LiveViewWorld):
    def test_a_dropped_push_is_named_until_the_device_has_the_change(self):
        self.pair()
        view = self.view()
        view.shows("A and B hold the same 2 records")
        self.assertEqual(
            self.act("fault", "add", "drop the next push to B"),
            (200, {"done": True, "said": "added fault 1: drop the next push to B"}))
        eventually(lambda: view.state["faults"] == ["drop the next push to B"], "the view lists the fault as a sentence")
        self.assertRegex(self.verb("fault", "list"), r"\n1 +0 +drop the next push to B\n")
        self.does("A", "log feeding bottle volume 120")
        view.shows("B is behind by 1 record: the push of ")
        view.shows(" was dropped by the fault plan")
        eventually(lambda: view.state["faults"] == ["drop the next push to B; hit 1 time"], "the fault has hit")
        self.assertEqual(view.device("B")["standing"]["level"], "behind")
        self.assertEqual([zone["app"] for zone in view.state["cloud"]["zones"]], ["NannyAndMe"])
        [hop] = view.state["changes"][0]["hops"]
        self.assertEqual((hop["on"], hop["isThere"]), ("B", False))
        self.assertIn("was dropped by the fault plan", hop["reason"])
        self.check_reasons_of(view.state["changes"][0]["record"], view)
        self.assertEqual(self.act("tell", "B", "sync")[0], 200)
        view.shows("A and B hold the same 3 records")
        eventually(lambda: view.state["changes"][0]["hops"][0]["mergedAt"], "the hop has times")
        self.assertGreater(view.parts, 1)
        self.assertIn(
            ("cloudkit", "A", 200), {(request["protocol"], request["device"], request["status"]) for request in view.requests})
        run = run_zonekit("diff", "A", "B", data=self.data)
        self.assertIn("A and B hold the same 3 records\n", run.stdout)

    def check_reasons_of(self, record, view):
        """The record beside its places, the sentence of the view and `zonekit diff` have one reason why B lacks it."""
        _, body = self.get(f"/zonekit/record?app=NannyAndMe&user=nanny&zone=NannyAndMe&record={record}")
        (place,) = [place for place in json.loads(body)["places"] if place["place"] == "B"]
        reason = place["reason"]
        self.assertIn("was dropped by the fault plan", reason)
        self.assertIn(reason, run_zonekit("diff", "A", "B", data=self.data).stdout)
        view.shows(reason.partition(": ")[2])

    def test_a_device_that_goes_or_is_not_running_is_told(self):
        self.pair()
        view = self.view()
        eventually(lambda: view.device("B").get("running"), "B runs")
        self.assertEqual(self.devices["B"].quit(), 0)
        eventually(lambda: view.device("B").get("running") is False, "B does not run")
        self.does("A", "log diaper poo")
        view.shows("B is behind by 1 record: it is not running")
        self.assertEqual(self.act("tell", "B", "sync")[0], 503)
        self.verb("erase", "B", "--yes")
        eventually(lambda: view.device("B") == {}, "B is gone")

    def test_faults_of_requests_are_named(self):
        self.pair()
        view = self.view()
        self.assertEqual(self.act("fault", "add", "the cloud loses the answers to the next 1 saves of A")[0], 200)
        self.does("A", "log diaper pee")
        eventually(lambda: [request for request in view.requests if request["fault"]], "a request with its fault")
        faulted = next(request for request in view.requests if request["fault"])
        self.assertEqual((faulted["status"], faulted["device"]), (None, "A"))

    def test_records_come_page_by_page_and_by_their_text(self):
        self.start("A")
        for volume in (110, 120, 130):
            self.does("A", f"log feeding bottle volume {volume}")
        self.settled("A")
        status, all_of_them = self.records("limit=10")
        self.assertEqual((status, all_of_them["total"], all_of_them["next"]), (200, 4, None))
        names, after = [], ""
        while True:
            _, page = self.records(f"limit=3{after}")
            names += [record["record"] for record in page["records"]]
            if not page["next"]:
                break
            after = f"&after={page['next']}"
        self.assertEqual(names, [record["record"] for record in all_of_them["records"]])
        _, found = self.records("filter=120")
        self.assertEqual([record["fields"]["bottleVolume"] for record in found["records"]], ["120"])
        one = found["records"][0]["record"]
        response, body = self.get(f"/zonekit/record?app=NannyAndMe&user=nanny&zone=NannyAndMe&record={one}")
        places = {place["place"]: place for place in json.loads(body)["places"]}
        self.assertEqual(sorted(places), ["A", "cloud"])
        self.assertEqual(places["A"]["fields"], places["cloud"]["fields"])
        for query in ("limit=0", "limit=x", "limit=501"):
            self.assertEqual(self.records(query)[0], 400)
        self.assertEqual(self.get("/zonekit/records?app=Nothing&user=nanny&zone=Z")[0].status, 400)
        self.assertEqual(self.get("/zonekit/records?app=NannyAndMe")[0].status, 400)

    def test_a_line_acts_on_the_zone_of_the_account_that_it_names(self):
        self.pair()
        status, answer = self.act("fault", "add", 'purge zone "Nanny" of account "nanny"')
        self.assertEqual((status, answer["reason"]), (400, "zonekit: nanny has no zone Nanny; it has NannyAndMe"))
        view = self.view()
        self.assertEqual(self.act("fault", "add", 'purge zone "NannyAndMe" of account "nanny"')[0], 200)
        zones = lambda: view.state.get("cloud", {}).get("zones", [])
        eventually(lambda: [zone["deleted"] for zone in zones()] == [True], "the zone is purged")

    def test_only_lines_that_a_page_may_use_are_carried_out(self):
        self.start("A")
        self.does("A", "log diaper pee")
        for words in (["serve"], ["device", "C"], ["fault", "clear", "--data", "/tmp"], [], ["erase", "A", "--yes"]):
            self.assertEqual(self.act(*words)[0], 400, words)
        self.assertEqual(self.act("fault", "add", "the moon is full")[0], 400)
        self.assertEqual(self.act("tell", "A", "dance")[0], 400)

    def test_a_line_resets_a_running_device(self):
        self.pair()
        status, answer = self.act("reset", "local", "A", "--yes")
        self.assertEqual(status, 200, answer)
        self.assertIn("reset local A\n  device A  2 records", answer["said"])
        self.devices["A"].hears(lambda event: event.get("fact") == "reset", "is reset")
        self.agree("A", "B")
        status, answer = self.act("reset", "zone", "NannyAndMe", "--yes")
        self.assertEqual(status, 503)
        self.assertIn(str(self.server.pid), answer["reason"])

    def test_the_files_of_the_page_load_nothing_else_and_other_sites_read_nothing(self):
        self.start_server()
        for path in ("/", "/zonekit/", "/zonekit/page.css", "/zonekit/page.js"):
            response, body = self.get(path)
            self.assertEqual(response.status, 200, path)
            self.assertIn("default-src 'none'; script-src 'self'", response.headers["Content-Security-Policy"])
            self.assertIn("require-trusted-types-for 'script'; trusted-types zonekit", response.headers["Content-Security-Policy"])
            self.assertEqual(response.headers["X-Content-Type-Options"], "nosniff")
            self.assertEqual(response.headers["Cross-Origin-Opener-Policy"], "same-origin")
            self.assertGreater(len(body), 1_000)
        self.assertEqual(self.get("/favicon.ico")[0].status, 204)
        for path in ("/zonekit/events?page=1", "/zonekit/records?app=NannyAndMe&user=nanny&zone=NannyAndMe", "/zonekit/status"):
            response, body = self.get(path, **{"Sec-Fetch-Site": "cross-site"})
            self.assertEqual(response.status, 403, path)

    def test_a_strict_server_shows_the_page_and_no_data_without_its_key(self):
        self.server = Server(self.data, "--auth", "strict")
        self.addCleanup(self.server.close)
        self.assertEqual(self.get("/")[0].status, 200)
        self.assertEqual(self.get("/zonekit/events?page=1")[0].status, 403)
        key = self.server.ready["key"]
        response, _ = self.get("/zonekit/records?app=NannyAndMe&user=n&zone=Z", Authorization=f"Bearer {key}")
        self.assertEqual(response.status, 200)
