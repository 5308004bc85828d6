"""Two devices with the diet log, a server and a plain client as processes. The devices sync documents over REST, and learn
of changes by pushes."""

import json
import shutil

from devices import World
from document_http import Documents, change, weight
from support import eventually, run_zonekit

TUNING = ("--app", "diet-log", "--eager")


class DietWorld(World):
    def start(self, name, *arguments, **more):
        return super().start(name, *TUNING, *arguments, **more)

    def weights(self, name):
        return self.does(name, "list weights")["weightLogs"]

    def plain(self):
        client = Documents(self.server.http, "nanny")
        self.addCleanup(client.close)
        return client


class DevicesOverREST(DietWorld):
    def test_a_meal_reaches_the_other_device_and_a_plain_client(self):
        self.start("A")
        self.start("B")
        self.does("A", "log lunch")
        self.does("A", 'add last "Oats" 60 g kcal 220')
        eventually(lambda: len(self.does("B", "list logs")["foodLogs"]) == 1, "B shows the meal")
        plain = self.plain()
        logs = eventually(lambda: plain.full().json["data"].get("foodLogs"), "the server has the meal")
        eventually(lambda: plain.full().json["data"]["foodLogs"][0]["totals"]["energyKcal"] == 220, "with its food")
        self.assertEqual([log["mealType"] for log in logs], ["lunch"])
        # The server keeps more about the sums of a day than it sends.
        eventually(lambda: run_zonekit("diff", "A", "B", data=self.data).returncode == 0, "nothing differs")

    def test_a_weight_of_a_plain_client_appears_on_a_device_without_being_asked(self):
        self.start("A")
        self.does("A", "weigh 70")
        plain = self.plain()
        eventually(lambda: plain.full().json["data"].get("weightLogs"), "the server has the first weight")
        self.assertEqual(plain.push(change("create", "weightLogs", "w1", weight(71_000), at=5)).json["applied"], ["w1"])
        eventually(lambda: len(self.weights("A")) == 2, "A shows both weights")

    def test_a_device_without_pushes_shows_a_change_when_it_comes_to_the_front(self):
        self.start("A")
        self.start("B", "--no-push")
        self.does("A", "weigh 70")
        plain = self.plain()
        eventually(lambda: plain.full().json["data"].get("weightLogs"), "the server has the weight")
        # Longer than the debounce of a push and the fetch that follows.
        self.start("C")
        eventually(lambda: len(self.weights("C")) == 1, "C shows the weight")
        self.assertEqual(self.weights("B"), [])
        self.does("B", "foreground")
        eventually(lambda: len(self.weights("B")) == 1, "B shows the weight")
        status = self.does("B", "status")["status"]
        self.assertEqual((status["subscription"]["state"], status["push"]["received"]), ("unknown", 0))

    def test_a_purge_takes_deleted_documents_away_and_no_unsent_edit(self):
        server = self.start_server()
        self.start("A")
        self.start("B")
        self.does("A", "weigh 70")
        gone, kept = "weightLogs." + self.weights("A")[0]["_id"], "weightLogs.kept"
        plain = self.plain()
        plain.push(change("create", "weightLogs", "kept", weight(60_000), at=5))
        eventually(lambda: len(self.weights("B")) == 2, "B shows both weights")
        # B edits one of the documents that are purged, and writes a new one.
        self.does("B", "offline")
        self.does("B", f"edit {gone} weight 71")
        self.does("B", "weigh 80")
        self.does("A", "delete " + gone)
        eventually(lambda: plain.document("weightLogs", gone[11:])["deletedAt"], "the server has the deletion")
        self.devices["A"].quit()
        # Nothing goes without --yes, in a dry run, or that is not old enough.
        self.assertIn("add --yes", run_zonekit("purge", data=self.data).stderr)
        self.assertEqual(self.purged("--dry-run", "--deleted", "0s"), [("nanny", True, 1, 0, 0)])
        self.assertEqual(self.purged("--yes"), [("nanny", False, 0, 0, 0)])
        # The server runs while the document goes, and not while its tombstone does.
        self.assertEqual(self.purged("--yes", "--deleted", "0s", "--user", "nanny"), [("nanny", False, 1, 0, 0)])
        self.assertEqual(self.purged("--dry-run", "--tombstones", "0s"), [("nanny", True, 0, 0, 1)])
        self.assertEqual(server.end(), 0)
        self.assertEqual(self.purged("--yes", "--tombstones", "0s"), [("nanny", False, 0, 0, 1)])
        for words, reason in (
            (("--user", "nobody", "--yes"), "no documents of nobody"),
            (("--deleted", "x", "--yes"), "--deleted takes a time"),
            (("--older-than", "1d"), "--older-than goes with the data of SwissCoin"),
            (("--app", "NannyAndMe", "--deleted", "1d"), "--deleted goes with the data of DietLog"),
            (("--app", "swiss-coin", "--tombstones", "1d"), "--tombstones goes with the data of DietLog"),
        ):
            run = run_zonekit("purge", *words, data=self.data)
            self.assertEqual(run.returncode, 2, words)
            self.assertIn(reason, run.stderr)
        self.start_server()
        device, before = self.devices["B"], len(self.devices["B"].heard())
        self.does("B", "online")
        eventually(
            lambda: any(event.get("fact") == "tokenExpired" for event in device.heard()[before:]), "B's cursor has expired"
        )
        plain = self.plain()
        weights = lambda: sorted(entry["weightG"] for entry in plain.full().json["data"]["weightLogs"])
        eventually(lambda: weights() == [60_000, 71_000, 80_000], "the server has both edits of B")
        self.assertEqual(plain.document("weightLogs", gone[11:])["version"], 1)
        self.assertEqual(self.does("B", "conflicts")["conflicts"][0]["rule"], "revived")
        self.start("A")
        eventually(lambda: len(self.weights("A")) == 3, "A has the weights of B")
        self.assertEqual(kept[11:], plain.document("weightLogs", "kept")["_id"])

    def purged(self, *words):
        """What a purge reports for each account."""
        lines = self.verb("purge", "--json", *words).splitlines()
        return [
            tuple(line[name] for name in ("user", "dryRun", "documents", "conflicts", "tombstones"))
            for line in map(json.loads, lines)
        ]

    def test_a_device_over_cloudkit_merges_with_one_over_rest(self):
        self.start("A")
        self.start("B", "--via", "cloudkit")
        log = self.does("A", "log lunch on 2026-11-21")["records"][0]
        self.does("A", 'add last "Oats" 60 g kcal 220')
        eventually(lambda: self.items("B", log) == ["Oats"], "B shows the meal")
        for name in "AB":
            self.does(name, "offline")
        self.does("A", f'add {log} "Apple" 1 piece kcal 90')
        self.does("B", f'add {log} "Bread" 1 slice kcal 70')
        for name in "AB":
            self.does(name, "online")
        for name in "AB":
            eventually(lambda: self.items(name, log) == ["Apple", "Bread", "Oats"], f"{name} shows all items")
        self.does("B", "weigh 70")
        eventually(lambda: len(self.weights("A")) == 1, "A shows the weight of B")
        eventually(lambda: run_zonekit("diff", "A", "B", data=self.data).returncode == 0, "nothing differs")
        # The protocol belongs to the store.
        self.stop_devices()
        for name, wire, own in (("A", "cloudkit", "rest"), ("B", "rest", "cloudkit")):
            run = run_zonekit("device", name, "--via", wire, "-c", "status", data=self.data)
            self.assertEqual(run.returncode, 2)
            self.assertIn(f"device {name} was made over {own}, and its change tags mean nothing over {wire}", run.stderr)
        run = run_zonekit("device", "B", "-c", "list weights", "--offline", data=self.data)
        self.assertEqual(run.returncode, 0, run.stderr)
        for words, reason in (
            (("--via", "cloudkit"), "--via goes with DietLog, documents, not with NannyAndMe"),
            (("--app", "diet-log", "--via", "smtp"), "--via takes rest or cloudkit, not smtp"),
        ):
            run = run_zonekit("device", "C", *words, "-c", "status", data=self.data)
            self.assertEqual(run.returncode, 2)
            self.assertIn(reason, run.stderr)

    def test_a_difference_of_a_meal_names_its_items_and_their_members(self):
        self.start("A")
        self.start("B")
        self.does("A", "log lunch on 2026-11-21")
        self.does("A", 'add last "Oats" 60 g kcal 220')
        eventually(lambda: run_zonekit("diff", "A", "B", data=self.data).returncode == 0, "nothing differs")
        self.does("B", "offline")
        self.does("A", 'add last "Apple" 1 piece kcal 90')
        eventually(lambda: self.plain().full().json["data"]["foodLogs"][0]["totals"]["energyKcal"] == 310, "it is sent")
        said = self.verb("diff", "A", "B", expect=1)
        self.assertRegex(said, r'items\["Apple"\]\.unit +A piece +B - +cloud piece')
        self.assertNotIn('\\"', said)
        lines = [json.loads(line) for line in self.verb("diff", "A", "B", "--json", expect=1).splitlines()]
        self.assertIn('items["Apple"].name', lines[0]["fields"] + lines[1]["fields"])
        said = self.verb("diagnostics")
        self.assertRegex(said, r"documents +\d+, last \S+ version ")
        self.assertRegex(said, r"DietLog: cursor \S+ of ")

    def test_an_edit_of_an_own_version_says_only_that_the_device_is_offline(self):
        self.start("A")
        self.start("B")
        self.does("A", "log lunch on 2026-11-21")
        self.does("A", 'add last "Oats" 60 g kcal 220')
        eventually(lambda: run_zonekit("diff", "A", "B", data=self.data).returncode == 0, "nothing differs")
        self.does("A", "offline")
        self.does("A", 'edit last notes "later"')
        said = self.verb("diff", "A", "B", expect=1)
        self.assertRegex(said, "A changed it at .* and has not sent that yet: it is offline")
        self.assertNotIn("nor seen", said)

    def items(self, name, log):
        """The names of a meal's items on a device, in ascending order; none if it does not have the meal."""
        logs = {"foodLogs." + entry["_id"]: entry for entry in self.does(name, "list 100")["foodLogs"]}
        return sorted(item["name"] for item in logs[log]["items"] if not item.get("deletedAt")) if log in logs else []

    def test_a_refused_document_is_not_told_as_pending(self):
        self.start("A")
        record = self.does("A", "weigh 70")["records"][0]
        plain = self.plain()
        eventually(lambda: plain.full().json["data"].get("weightLogs"), "the server has the weight")
        fault = {"do": "refuseItems", "on": ["saveRecords"], "records": [record], "error": "invalidArguments"}
        reply = self.cloud().request("PUT", "/zonekit/faults", json.dumps({"faults": [fault]}))
        self.assertEqual(reply.status, 200, reply.body)
        self.does("A", f"edit {record} weight 71")
        line = lambda: self.does("A", "status")["status"]["sync"]["text"]
        eventually(lambda: line() == "Synced just now, 1 refused", "the status names the refused document")
        self.does("A", "offline")
        self.does("A", "weigh 72")
        self.assertEqual(line(), "1 pending, offline, 1 refused")

    def test_no_push_is_refused_for_an_app_with_a_realtime_socket(self):
        run = run_zonekit("device", "S", "--app", "swiss-coin", "--no-push", "-c", "status", data=self.data)
        self.assertEqual(run.returncode, 2)
        self.assertIn("--no-push does not apply to SwissCoin", run.stderr)

    def test_decisions_of_the_server_and_of_devices_are_shown(self):
        self.start("A")
        self.does("A", "weigh 70")
        name = self.weights("A")[0]["_id"]
        plain = self.plain()
        eventually(lambda: plain.document("weightLogs", name), "the server has the weight")
        self.assertEqual(self.does("A", "conflicts")["conflicts"], [])
        # A change without a base, which is older than that of A.
        answer = plain.push(change("update", "weightLogs", name, weight(71_000), at=-1_000_000)).json
        self.assertEqual([conflict["resolution"] for conflict in answer["conflicts"]], ["server_wins"])
        entry = eventually(lambda: self.synced_conflicts("A", 1), "A's journal has the decision")[0]
        self.assertEqual(
            (entry["record"], entry["winner"], entry["rule"], entry["decidedBy"]),
            (f"weightLogs.{name}", "local", "updatedAt", "server"),
        )
        # The version that the server kept is A's own.
        self.assertEqual((entry["local"]["weightG"], entry["server"]["weightG"]), (70_000, 71_000))
        # A change that A does not know, and that is later than its own.
        self.does("A", "offline")
        self.does("A", f"edit weightLogs.{name} weight 72")
        stored = plain.document("weightLogs", name)
        late = weight(73_000)
        plain.push({**change("update", "weightLogs", name, late), "tag": stored["tag"], "timestamp": "2199-01-01T00:00:00Z"})
        self.does("A", "online")
        entry = eventually(lambda: self.synced_conflicts("A", 2), "A's journal has its own decision")[0]
        self.assertNotEqual(entry["decidedBy"], "server")
        self.assertEqual((entry["local"]["weightG"], entry["server"]["weightG"]), (72_000, 73_000))
        self.assertEqual(len(self.does("A", "conflicts 1")["conflicts"]), 1)

    def synced_conflicts(self, name, count):
        """The decisions in a device's journal after a sync; false while there are fewer than so many."""
        self.does(name, "sync")
        found = self.does(name, "conflicts")["conflicts"]
        return found if len(found) >= count else False

    def test_devices_offer_all_again_to_a_server_that_lost_its_folder(self):
        self.start("A")
        self.start("B")
        self.does("A", "weigh 70")
        eventually(lambda: len(self.weights("B")) == 1, "B shows the weight")
        self.server.kill()
        shutil.rmtree(self.data / "cloud")
        self.start_server()
        self.does("A", "sync")
        plain = self.plain()
        weights = eventually(lambda: plain.full().json["data"].get("weightLogs"), "the server has the weight again")
        self.assertEqual([entry["weightG"] for entry in weights], [70_000])
        self.assertEqual(len(self.weights("A")), 1)
        self.assertEqual(len(self.weights("B")), 1)
