"""Two devices with Swiss Coin and a table server as processes (swiss-coin, 6 and 7). What a device holds is what it
lists."""

import json
import uuid

from devices import SOON, World
from supabase_http import Auth
from support import eventually, run_zonekit

MARA = "mara@example.test secret1"
TUNING = ("--app", "swiss-coin", "--eager", "--tune", "localQuiet=50")


class SwissWorld(World):
    """Devices that have no account until somebody signs in."""

    def start(self, name, *arguments, **more):
        return super().start(name, *TUNING, *arguments, user=None)

    def plan(self, *faults):
        """What the server does wrong from now on."""
        client = self.keep(self.server.cloud())
        reply = client.request("PUT", "/zonekit/faults", json.dumps({"faults": list(faults)}))
        self.assertEqual(reply.status, 200, reply.json)

    def status(self, name):
        return self.does(name, "status")["status"]

    def rows(self, name, table):
        """The rows of a table on a device by ID, without their authors, which a device knows of others only."""
        rows = self.does(name, f"list {table} 1000").get("tables", {}).get(table, [])
        return {row["id"]: {key: value for key, value in row.items() if key != "changed_by"} for row in rows}

    def names(self, name):
        return sorted(row["name"] for row in self.rows(name, "persons").values())

    def sees(self, name, names, patience=SOON):
        return eventually(lambda: self.names(name) == sorted(names), f"{name} has the persons {names}", patience)

    def migration_lines(self, name):
        """The lines of a migration that a device has printed so far. The lines of its end arrive one by one."""
        return [event["text"] for event in self.devices[name].heard() if event["event"] == "migration"]

    def settles(self, *names):
        for name in names:
            eventually(lambda: self.status(name)["pending"] == 0, f"{name} has sent everything")

    def signed_up(self):
        """Device A with a new account, whose channel is live."""
        self.start("A")
        self.does("A", f"signup {MARA}")
        self.live("A")
        self.sees("A", ["Me"])
        self.settles("A")

    def foreign(self, method, path, body=None):
        """What a plain client does with the rows of the account."""
        client = Auth(self.server.http)
        try:
            token = client.sign_in("mara@example.test").json["access_token"]
            reply = client.ask(method, path, body, bearer=token, root="/rest/v1/")
            self.assertLess(reply.status, 300, reply.body)
        finally:
            client.close()

    def person(self, name, called):
        (key,) = [key for key, row in self.rows(name, "persons").items() if row["name"] == called]
        return key

    def live(self, name):
        eventually(lambda: self.status(name)["realtime"]["connected"], f"{name} has a live channel")

    def two_devices(self):
        self.signed_up()
        self.start("B")
        self.does("B", f"signin {MARA}")
        self.live("B")
        self.sees("B", ["Me"])


class SwissDevices(SwissWorld):
    def test_a_comparison_says_that_no_event_announces_a_new_person(self):
        self.two_devices()
        self.does("A", 'person add "Ben"')
        self.settles("A")
        said = self.verb("diff", "A", "B", expect=1)
        self.assertRegex(said, "B has not seen .* the service announces no changes of such records, the next fetch brings it")
        self.does("B", "pull")
        self.sees("B", ["Ben", "Me"])
        self.verb("diff", "A", "B")

    def test_a_comparison_says_that_a_device_is_offline_whatever_announces_the_change(self):
        self.two_devices()
        self.does("B", "offline")
        self.does("A", 'person add "Ben"')
        self.does("A", 'spend 84.50 "Dinner" for me,Ben')
        self.settles("A")
        said = self.verb("diff", "A", "B", expect=1)
        self.assertRegex(said, "\nB is behind by [0-9]+ records: it is offline\n")
        self.assertEqual(said.count("B has not seen") + 1, said.count(": it is offline"))
        self.assertGreater(said.count("B has not seen"), 3)
        self.does("B", "online")
        self.sees("B", ["Ben", "Me"])
        self.does("A", "offline")
        self.does("A", 'edit "Ben" name "Benno"')
        said = self.verb("diff", "A", "B", expect=1)
        self.assertRegex(said, "A changed it at .* and has not sent that yet: it is offline")
        self.assertNotIn("nor seen", said)

    def test_an_event_that_a_fault_holds_back_is_under_way(self):
        self.two_devices()
        self.does("A", 'person add "Ben"')
        self.verb("fault", "add", "delay the next push to B by 60s")
        self.does("A", 'spend 84.50 "Dinner" for me,Ben')
        self.settles("A")
        said = self.verb("diff", "A", "B", expect=1)
        self.assertIn("the event of its channel is under way: a fault of the service holds it back", said)
        self.assertRegex(self.verb("diagnostics"), r"channel \S*user-sync-\S+ of B: .*, 1 held back by a fault")

    def test_diagnostics_speak_of_channel_session_and_events(self):
        self.two_devices()
        self.does("A", 'person add "Ben"')
        self.does("A", 'spend 84.50 "Dinner" for me,Ben')
        eventually(lambda: self.rows("B", "financial_transactions"), "B has the expense", SOON)
        dump = json.loads(self.verb("diagnostics", "--json"))
        b = next(device for device in dump["devices"] if device["name"] == "B")
        self.assertEqual((b["protocol"], b["session"]["email"], b["session"]["goesOn"]), ("tables", "mara@example.test", True))
        for member in ("since", "lastSentAt", "lastReceivedAt", "lastHandledAt", "lastLedToChangeAt"):
            self.assertRegex(b["realtime"][member] or "", r"^\d{4}-\d\d-\d\dT", member)
        for trace in dump["traces"]:
            stations = [trace[name] for name in ("committedAt", "receivedAt", "mergedAt") if trace[name]]
            self.assertEqual(stations, sorted(stations), trace)
        said = self.verb("diagnostics")
        self.assertRegex(said, r"device B, user mara@example.test, ")
        self.assertRegex(said, r"channel +user-sync-.*, joined since")
        self.assertRegex(said, r"events +last sent .*, received .*, handled .*, led to change ")
        self.assertRegex(said, r"session +mara@example.test, signed in")
        self.assertRegex(said, r"tables +\w+: fetched up to ")
        self.assertRegex(said, r"accounts 1, sockets 2, channels 2, verdicts: ")
        self.assertNotRegex(said, "subscription|pushes: made|RECEIVED +-")
        self.assertRegex(said, r"SwissCoin +mara@example.test ")
        self.assertNotRegex(said, "-\\d+ +\\d+ +\\d+$")
        # The counters belong to the process of a device.
        self.assertEqual(self.devices["B"].quit(), 0)
        self.assertNotIn("own echoes", self.verb("diagnostics", "--device", "B"))

    def test_a_second_device_sees_the_rows_of_the_first_one_after_its_sign_in(self):
        self.signed_up()
        self.does("A", 'person add "Ben"')
        self.settles("A")
        self.start("B")
        self.assertEqual(self.names("B"), [])
        answer = self.does("B", f"signin {MARA}")
        self.assertEqual(answer["email"], "mara@example.test")
        self.sees("B", ["Ben", "Me"])
        self.assertEqual(self.rows("A", "persons"), self.rows("B", "persons"))

    def test_an_expense_appears_on_the_other_device_with_its_splits_by_an_event(self):
        self.two_devices()
        self.does("A", 'person add "Ben"')
        self.does("A", 'spend 84.50 "Dinner" for me,Ben')
        eventually(lambda: self.rows("B", "financial_transactions"), "B has the expense", SOON)
        for table in ("persons", "financial_transactions", "transaction_splits", "transaction_payers"):
            self.assertEqual(self.rows("A", table), self.rows("B", table), table)
        self.assertIn("A, B and the cloud are equal", self.verb("diff", "A", "B"))
        status = self.status("B")
        self.assertEqual(status["realtime"]["lastEvent"], "financial_transactions - INSERT")
        self.assertEqual(self.status("A")["realtime"]["ownEchoes"], 1)
        self.devices["B"].hears(
            lambda event: event["event"] == "notice" and event["text"] == "New transaction added", "the notice")

    def test_a_first_pull_reads_ahead_and_asks_for_each_page_once(self):
        self.signed_up()
        self.devices["A"].kill()
        pages, size = 20, 200
        for _ in range(pages):
            rows = [{"id": str(uuid.uuid4()), "name": "Ben"} for _ in range(size)]
            self.foreign("POST", "persons", rows)
        self.start("B")
        # A fault that changes nothing counts the requests.
        self.plan({"do": "delayAnswer", "on": ["readRows"], "table": "persons", "milliseconds": 0, "times": 999})
        self.does("B", f"signin {MARA}")
        self.devices["B"].hears(
            lambda event: event.get("fact") == "syncFinished" and event["records"] > pages * size, "the first pull")
        (fault,) = self.keep(self.server.cloud()).request("GET", "/zonekit/faults").json["faults"]
        # A page of its own for "Me", and one of a sync after the channel has joined.
        self.assertLessEqual(fault["hits"], pages + 3)

    def test_a_row_that_another_client_deletes_is_hidden_on_both_devices(self):
        self.two_devices()
        self.does("A", 'spend 10 "Tea"')
        (tea,) = eventually(lambda: self.rows("B", "financial_transactions"), "B has the expense")
        self.foreign("PATCH", f"financial_transactions?id=eq.{tea}", {"deleted_at": "2026-05-04T07:08:09Z"})
        for name in ("A", "B"):
            eventually(lambda: not self.rows(name, "financial_transactions"), f"{name} hides the expense", SOON)
            self.assertEqual(self.rows(name, "transaction_splits"), {})

    def test_a_row_that_the_server_refuses_is_set_aside_with_its_reason_and_the_others_are_sent(self):
        self.signed_up()
        self.does("A", 'person add "Ben"')
        self.settles("A")
        ben = self.person("A", "Ben")
        self.does("A", "offline")
        self.does("A", 'spend 10 "Tea" by Ben for me')
        self.does("A", 'person add "Ann"')
        self.foreign("DELETE", f"persons?id=eq.{ben}")
        self.does("A", "online")
        eventually(lambda: self.status("A")["quarantined"] > 0, "a row is set aside")
        eventually(lambda: self.status("A")["tables"]["persons"]["pending"] == 0, "Ann is sent")
        reasons = [item["reason"] for item in self.status("A")["send"]["quarantined"]]
        self.assertTrue(any("is not present in table" in reason for reason in reasons), reasons)
        (tea,) = self.rows("A", "financial_transactions")
        self.assertEqual(self.does("A", f"trace {tea}")["trace"]["state"], "failed")
        self.does("A", f"edit {tea} payer_id none")
        eventually(lambda: self.does("A", f"trace {tea}")["trace"]["state"] == "synced", "the corrected row is sent")

    def test_status_tells_since_when_what_the_app_cannot_read_and_when_each_table_was_moved(self):
        self.two_devices()
        self.does("B", 'subscribe "Music" 19.90 monthly')
        self.settles("B")
        eventually(lambda: self.rows("A", "subscriptions"), "A has the subscription", SOON)
        status = self.status("A")
        self.assertRegex(status["since"], r"^\d{4}-\d\d-\d\dT")
        self.assertEqual((status["refused"], status["lastError"]), (0, None))
        music = status["tables"]["subscriptions"]
        self.assertIsNone(music["sync_last_push_subscriptions"])
        self.assertIsNotNone(music["sync_last_pull_subscriptions"])
        self.assertIsNotNone(self.status("B")["tables"]["subscriptions"]["sync_last_push_subscriptions"])
        (key,) = self.rows("A", "subscriptions")
        self.foreign("PATCH", f"subscriptions?id=eq.{key}", {"cycle": "now and then"})
        eventually(lambda: self.status("A")["refused"] == 1, "A cannot read the row", SOON)
        self.assertEqual(self.rows("A", "subscriptions"), {})
        self.does("A", "offline")
        self.assertEqual(self.status("A")["state"], "offline")
        self.assertGreater(self.status("A")["since"], status["since"])
        # The dump of a stopped device has the same members.
        running = self.status("A")
        self.assertEqual(self.devices["A"].quit(), 0)
        (stopped,) = json.loads(self.verb("diagnostics", "--device", "A", "--json"))["devices"]
        self.assertEqual(set(stopped), set(running))
        self.assertEqual((stopped["state"], stopped["running"]), ("notRunning", False))
        for member in ("email", "refused", "tables", "photos", "pending"):
            self.assertEqual(stopped[member], running[member], member)
        self.assertFalse(stopped["realtime"]["connected"])
        self.assertEqual(stopped["realtime"]["channel"], running["realtime"]["channel"])

    def test_a_failed_sync_is_told_in_the_words_of_the_app(self):
        self.signed_up()
        self.plan({"do": "refuse", "on": ["readRows"], "status": 503, "code": "53100", "message": "no room", "times": 1})
        self.does("A", "pull")
        eventually(lambda: self.status("A")["lastError"], "the sync has failed")
        self.assertIn("no room", self.status("A")["lastError"]["text"])
        self.assertEqual(self.devices["A"].quit(), 0)
        run = run_zonekit("device", "A", "--data", self.data, "--server", "http://127.0.0.1:1", "-c", "sync", "--linger", "1")
        self.assertRegex(run.stdout, r"Sync error: ")

    def test_a_lost_answer_makes_no_conflict_and_no_second_row(self):
        self.two_devices()
        self.plan({"do": "loseAnswer", "on": ["upsertRows"], "times": 1})
        self.does("A", 'person add "Ben"')
        self.settles("A")
        self.does("B", "pull")
        self.sees("B", ["Ben", "Me"])
        self.assertEqual([self.status(name)["conflicts"]["total"] for name in ("A", "B")], [0, 0])

    def test_an_expired_access_token_is_replaced_once_and_the_sync_goes_on(self):
        self.signed_up()
        self.plan({"do": "refuse", "on": ["upsertRows"], "status": 401, "code": "PGRST303", "times": 1})
        self.does("A", 'person add "Ben"')
        self.settles("A")
        self.assertEqual(self.status("A")["syncError"], None)

    def test_edits_that_both_make_offline_converge(self):
        self.two_devices()
        self.does("A", 'person add "Ben"')
        self.settles("A")
        self.does("B", "pull")
        self.sees("B", ["Ben", "Me"])
        for name in ("A", "B"):
            self.does(name, "offline")
        (ben,) = [key for key, row in self.rows("A", "persons").items() if row["name"] == "Ben"]
        self.does("A", f'edit {ben} name "Ben A"')
        self.does("A", 'person add "Ann"')
        self.does("B", f'edit {ben} name "Ben B"')
        self.does("B", 'person add "Bea"')
        for name in ("B", "A"):
            self.does(name, "online")
        self.settles("A", "B")

        def same():
            for name in ("A", "B"):
                self.does(name, "pull")
            self.assertEqual(self.rows("A", "persons"), self.rows("B", "persons"))
            self.assertEqual(self.names("A"), ["Ann", "Bea", "Ben B", "Me"])
            return True

        eventually(same, "both devices have the same persons")
        trace = self.does("A", f"trace {ben}")["trace"]
        self.assertEqual((trace["state"], trace["updatedAt"] is None), ("synced", False))
        self.assertEqual(trace["times"]["edited_at"][:19], self.rows("A", "persons")[ben]["edited_at"][:19])
        for name in ("A", "B"):
            eventually(
                lambda: [entry["rule"] for entry in self.status(name)["conflicts"]["last"]] == ["editedAt"],
                f"{name} has the loser in its journal",
            )

    def test_nothing_is_lost_or_doubled_when_server_and_device_are_killed_under_edits(self):
        self.two_devices()
        wanted = ["Me"]
        for number in range(12):
            self.devices["A"].say(f'person add "P{number}"')
            wanted.append(f"P{number}")
            if number == 4:
                self.server.kill()
            if number == 7:
                self.start_server()
        self.does("A", 'person add "last"')
        self.devices["A"].kill()
        self.start("A")
        eventually(lambda: self.ask("A", "pull")["event"] == "answer", "A goes on")
        self.settles("A")
        self.sees("B", wanted + ["last"])
        self.assertEqual(self.rows("A", "persons"), self.rows("B", "persons"))
        self.assertEqual(self.status("B")["conflicts"]["total"], 0)

    def test_a_session_goes_on_after_a_restart(self):
        self.signed_up()
        self.devices["A"].kill()
        self.start("A")
        self.live("A")
        self.does("A", 'person add "Ben"')
        self.settles("A")
        # Another sync can follow at once, when the channel has joined.
        eventually(lambda: self.status("A")["indicator"]["text"] == "Last synced just now", "A says that it has synced")
        self.assertEqual(self.status("A")["email"], "mara@example.test")

    def test_a_session_that_ended_keeps_the_rows_and_goes_on_with_the_next_sign_in(self):
        self.signed_up()
        self.verb("account", "revoke", "mara@example.test")
        self.devices["A"].kill()
        self.start("A")
        eventually(lambda: self.status("A")["state"] == "signedOut", "the session is over")
        self.assertIn("Invalid Refresh Token", self.status("A")["indicator"]["text"])
        self.does("A", 'person add "Ben"')
        self.assertIn("3 rows of mara@example.test, 1 not sent", self.refuses("A", "signin ben@example.test secret1"))
        self.does("A", f"signin {MARA}")
        self.settles("A")
        self.assertEqual(self.names("A"), ["Ben", "Me"])

    def test_another_account_is_refused_until_the_first_one_signs_out(self):
        self.signed_up()
        self.assertIn("mara@example.test is signed in; signout first", self.refuses("A", "signup ben@example.test secret2"))
        self.does("A", "offline")
        self.does("A", 'person add "Ben"')
        self.assertIn("1 edit not sent", self.refuses("A", "signout"))
        self.does("A", "signout --discard")
        self.assertEqual(self.names("A"), [])
        self.assertIn("needs the server", self.refuses("A", f"signin {MARA}"))
        self.does("A", "online")
        self.assertEqual(self.refuses("A", "signin mara@example.test wrong1"), "Invalid login credentials")
        self.assertEqual(self.refuses("A", f"signup {MARA}"), "User already registered")
        self.does("A", "signup ben@example.test secret2")
        self.sees("A", ["Me"])
        self.assertEqual(self.status("A")["conflicts"]["last"][0]["rule"], "accountChanged")

    def test_options_for_accounts_of_the_other_apps_do_not_apply(self):
        for option in (["--user", "mara"], ["--signed-out"]):
            run = run_zonekit("device", "A", "--app", "SwissCoin", *option, "-c", "list", data=self.data)
            self.assertEqual(run.returncode, 2)
            self.assertIn("signin EMAIL PASSWORD", run.stderr)

    def test_a_channel_in_the_first_version_of_messages_works_too(self):
        self.signed_up()
        self.start("B", "--vsn", "1.0.0")
        self.does("B", f"signin {MARA}")
        self.live("B")
        self.does("A", 'spend 10 "Tea"')
        eventually(lambda: self.rows("B", "financial_transactions"), "B has the expense", SOON)

    def test_a_row_is_sent_at_once_when_its_user_asks_for_it(self):
        self.signed_up()
        self.devices["A"].kill()
        device = self.start("A", "--tune", "localQuiet=60000")
        self.live("A")
        eventually(lambda: self.status("A")["state"] == "idle", "A is idle")
        for name in ("Ann", "Ben"):
            self.does("A", f'person add "{name}"')
        self.assertEqual(self.status("A")["pending"], 2)
        (ben,) = [key for key, row in self.rows("A", "persons").items() if row["name"] == "Ben"]
        self.does("A", f"send {ben[:8]}")
        self.settles("A")
        sent = [event["record"] for event in device.heard() if event.get("fact") == "recordSent"]
        self.assertEqual((sent[0], len(sent)), (f"persons/{ben}", 2))


if __name__ == "__main__":
    import unittest

    unittest.main()
