"""`/metrics` and `/health`: what a Prometheus server and a unit file read."""

import json
import shutil
import subprocess
import urllib.error
import urllib.request

from support import Case, ServerCase, eventually
from test_file_permissions import AS_OWNER


def get(server, path, method="GET", **fields):
    """Status, content type and text of an answer."""
    request = urllib.request.Request(f"http://{server.http}{path}", headers=fields, method=method)
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.status, answer.headers["Content-Type"], answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.headers["Content-Type"], error.read().decode()


def samples(text):
    """The values of a text of metrics, by name with labels."""
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines)}


class Metrics(ServerCase):
    def setUp(self):
        super().setUp()
        self.cloud.create_zone()

    def metrics(self, query="", **fields):
        status, kind, text = get(self.server, f"/metrics{query}", **fields)
        self.assertEqual((status, kind), (200, "text/plain; version=0.0.4; charset=utf-8"), text)
        return samples(text)

    def test_promtool_finds_nothing(self):
        if not (promtool := shutil.which("promtool")):
            self.skip("promtool is not installed (Debian: prometheus)")
        self.cloud.create_zone('Z "quoted" \\ and\nbroken')
        self.cloud.save("n")
        get(self.server, "/nowhere")
        text = get(self.server, "/metrics?zones=1")[2]
        self.assertIn(r'zone="Z \"quoted\" \\ and\nbroken"', text)
        check = subprocess.run([promtool, "check", "metrics"], input=text, capture_output=True, text=True, timeout=60)
        self.assertEqual((check.returncode, check.stdout + check.stderr), (0, ""))

    def test_all_names_begin_alike_and_have_help(self):
        text = get(self.server, "/metrics?zones=1")[2]
        families = [line.split()[2] for line in text.splitlines() if line.startswith("# TYPE ")]
        self.assertEqual(families, [line.split()[2] for line in text.splitlines() if line.startswith("# HELP ")])
        self.assertEqual([name for name in families if not name.startswith("zonekit_")], [])
        self.assertEqual(len(families), len(set(families)))

    def test_requests_are_counted_by_endpoint_and_outcome(self):
        def count(of, outcome):
            labels = f'protocol="cloudkit",endpoint="{of}",outcome="{outcome}"'
            return self.metrics().get(f"zonekit_requests_total{{{labels}}}", 0)

        before = count("records/modify", "success")
        for number in range(3):
            self.cloud.save(f"n{number}")
        self.assertEqual(count("records/modify", "success"), before + 3)
        self.cloud.call("records/lookup", {"records": 7})
        self.assertEqual(count("records/lookup", "client_error"), 1)
        duration = 'zonekit_request_duration_seconds_%s{protocol="cloudkit",endpoint="records/modify"%s}'
        found = self.metrics()
        self.assertEqual(found[duration % ("bucket", ',le="+Inf"')], found[duration % ("count", "")])
        self.assertGreater(found[duration % ("sum", "")], 0)

    def test_commits_and_syncs_take_time(self):
        before = self.metrics()
        self.cloud.save("n")
        after = self.metrics()
        success = 'zonekit_commits_total{outcome="success"}'
        self.assertEqual(after[success], before[success] + 1)
        for name in ("commit", "fsync"):
            count, sum_ = f"zonekit_{name}_duration_seconds_count", f"zonekit_{name}_duration_seconds_sum"
            self.assertGreater(after[count], before[count])
            self.assertGreater(after[sum_], before[sum_])

    def test_connections_and_pushes_are_counted(self):
        before = self.metrics()
        self.keep(self.server.push_client(user="nanny", device="d7")).welcomed()
        self.assertEqual(self.metrics()['zonekit_connections{use="push"}'], before['zonekit_connections{use="push"}'] + 1)
        raw = self.keep(self.server.raw())
        raw.send(b"nonsense\r\n\r\n")
        raw.response()
        malformed = 'zonekit_shed_requests_total{reason="malformed"}'
        self.assertEqual(self.metrics()[malformed], before[malformed] + 1)

    def test_the_process_is_measured(self):
        found = self.metrics()
        memory = found["zonekit_resident_memory_bytes"] / (1 << 20)
        self.assertAlmostEqual(memory, self.server.memory(), delta=16)
        self.assertGreater(found["zonekit_open_files"], 5)
        self.assertLess(found["zonekit_open_files"], found["zonekit_open_files_limit"])

    def test_zones_have_figures_on_request_only(self):
        self.cloud.create_zone("Z")
        self.cloud.save("n", zone="Z")
        self.assertEqual([name for name in self.metrics() if name.startswith("zonekit_zone_")], [])
        found = self.metrics("?zones=1")
        [name] = [name for name in found if name.startswith("zonekit_zone_records{") and 'zone="Z"' in name]
        self.assertEqual(found[name], 1)
        status, _, text = get(self.server, "/metrics?zone=1")
        self.assertEqual(status, 400)
        self.assertIn("zones=1", text)

    def test_only_reading_is_allowed(self):
        for path in ("/metrics", "/health"):
            self.assertEqual(get(self.server, path, method="POST")[0], 405)
            self.assertEqual(get(self.server, path, method="HEAD")[0::2], (200, ""))
        self.assertEqual(get(self.server, "/metrics/more")[0], 404)

    def test_pages_of_other_origins_read_nothing(self):
        self.assertEqual(get(self.server, "/metrics", Origin="http://evil.example")[0], 403)
        self.assertEqual(get(self.server, "/metrics", Host="evil.example")[0], 403)


class Strict(Case):
    def setUp(self):
        self.server = self.serve(None, "--auth", "strict")

    def test_this_machine_reads_sums_without_the_key(self):
        status, _, text = get(self.server, "/metrics")
        self.assertEqual(status, 200, text)

    def test_names_of_zones_need_the_key(self):
        self.assertEqual(get(self.server, "/metrics?zones=1")[0], 403)
        key = {"Authorization": f"Bearer {self.server.ready['key']}"}
        self.assertEqual(get(self.server, "/metrics?zones=1", **key)[0], 200)

    def test_a_proxy_does_not_read_for_others(self):
        for name in ("Forwarded", "X-Forwarded-For", "X-Real-IP", "Via"):
            self.assertEqual(get(self.server, "/metrics", **{name: "for=192.0.2.1"})[0], 403, name)


class Health(Case):
    def health(self, server, **fields):
        status, kind, text = get(server, "/health", **fields)
        self.assertEqual(kind, "application/json")
        return status, json.loads(text)

    def test_a_server_that_can_commit_is_ready(self):
        server = self.serve(None, "--auth", "strict")
        self.assertEqual(self.health(server), (200, {"ready": True, "zonekit": server.ready["zonekit"]}))
        self.assertEqual(self.health(server, Host="anything.example")[0], 200)

    def test_a_full_disk_is_a_reason_until_there_is_room_again(self):
        disk = self.mount("8m")
        server = self.serve(disk / "data")
        self.assertEqual(self.health(server)[0], 200)
        filler = disk / "filler"
        with filler.open("wb") as file, self.assertRaises(OSError):
            while True:
                file.write(bytes(1 << 16))
                file.flush()
        status, found = eventually(lambda: (answer := self.health(server))[0] == 503 and answer, "503")
        self.assertEqual((found["ready"], found["kind"]), (False, "full"))
        self.assertIn("No space left on device", found["reason"])
        self.assertNotIn(str(disk), found["reason"])
        filler.unlink()
        eventually(lambda: self.health(server)[0] == 200, "200 again")

    def test_a_store_that_may_not_be_written_is_a_reason(self):
        server = self.serve(prefix=AS_OWNER)
        cloud = server.data / "cloud"
        cloud.chmod(0o500)
        self.addCleanup(cloud.chmod, 0o700)
        status, found = self.health(server)
        self.assertEqual((status, found["kind"]), (503, "readOnly"))

    def test_a_store_that_is_gone_is_a_reason(self):
        server = self.serve()
        shutil.rmtree(server.data / "cloud")
        status, found = self.health(server)
        self.assertEqual((status, found["ready"]), (503, False))
        self.assertIn("No such file or directory", found["reason"])
