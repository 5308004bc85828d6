"""The service of documents for a client that is written literally from the interfaces, and what such clients send."""

import itertools
import json

from document_http import DocumentCase, change, item, log, stamp, weight
from literal_client import LiteralClient, converge

LOG = "foodLogs", "l1"


class LiteralCase(DocumentCase):
    def client(self, device="A", **more):
        return LiteralClient(self.documents_of(device=device), **more)

    def journal(self, record=None):
        """The texts of the entries of the conflict journal about a document."""
        entries = [entry["data"] for entry in self.documents.feed(feed="conflicts")[0]]
        return [json.dumps(entry) for entry in entries if record in (None, entry["record"])]

    def stored(self, name="l1", collection="foodLogs"):
        return self.documents.document(collection, name)

    def living(self, name="l1"):
        return sorted(one["_id"] for one in self.stored(name)["items"] if one["deletedAt"] is None)


class ALiteralClient(LiteralCase):
    def test_logs_edits_and_deletes(self):
        for language in ("swift", "typescript"):
            with self.subTest(language):
                user = f"{self.user}-{language}"
                one = LiteralClient(self.documents_of(user, "A"), language)
                other = LiteralClient(self.documents_of(user, "B"), language)
                one.add(LOG, "oats")
                self.assertEqual(one.sync(), 1)
                other.sync()
                other.add(LOG, "milk")
                self.assertEqual(other.sync(), 1)
                one.sync()
                self.assertEqual(one.content(), {"l1": (None, {"oats": 1_000, "milk": 1_000})})
                one.delete(LOG)
                one.sync()
                other.sync()
                self.assertEqual((other.content(), other.pending), ({}, set()))

    def test_is_done_after_a_merge(self):
        for language, restamps, quick in itertools.product(("swift", "typescript"), (False, True), (False, True)):
            with self.subTest(language=language, restamps=restamps, quick=quick):
                user = f"{self.user}-{language}-{restamps}-{quick}"
                one = LiteralClient(self.documents_of(user, "A"), language, restamps=restamps)
                other = LiteralClient(self.documents_of(user, "B"), language, clock=0 if quick else 50, restamps=restamps)
                one.add(LOG, "oats")
                one.sync()
                other.sync()
                one.add(LOG, "milk")
                one.edit(LOG, notes="one")
                other.add(LOG, "bread")
                other.edit(LOG, notes="other")
                one.sync()
                self.assertLessEqual(other.sync(), 3)
                self.assertEqual(other.pending, set())
                one.sync()
                self.assertEqual(one.content(), other.content())
                self.assertEqual(set(one.content()["l1"][1]), {"oats", "milk", "bread"})
                self.assertEqual(one.sync() + other.sync(), 0)

    def test_ends_every_exchange_and_loses_nothing_at_random(self):
        for seed in range(6):
            with self.subTest(seed=seed):
                clients = [
                    LiteralClient(
                        self.documents_of(f"{self.user}-{seed}", f"D{index}"), ("swift", "typescript")[(seed + index) % 2],
                        clock=40 * index, restamps=index == 1)
                    for index in range(3)
                ]
                self.assertLessEqual(converge(clients, seed, 40), 4)
                self.assertEqual([client.pending for client in clients], [set()] * 3)
                self.assertEqual(clients[0].content(), clients[1].content())
                self.assertEqual(clients[0].content(), clients[2].content())

    def test_reads_all_documents_by_time_alone(self):
        for start in (0, 200, 400):
            made = [change("create", "families", f"f{index}", {"name": "F"}) for index in range(start, min(450, start + 200))]
            self.applied(self.documents.push(*made))
        client = self.client()
        client.pull()
        self.assertEqual(len(client.known), 450)
        other = self.client(language="swift")
        other.pull()
        self.assertEqual(len(other.known), 450)
        self.applied(self.documents.push(change("create", "families", "last", {"name": "F"})))
        client.pull()
        self.assertIn(("families", "last"), client.known)

    def test_with_small_pages_reads_each_commit_whole(self):
        for start in range(0, 30, 10):
            made = [change("create", "families", f"f{index}", {"name": "F"}) for index in range(start, start + 10)]
            self.applied(self.documents.push(*made))
        found, since = set(), "0001-01-01T00:00:00Z"
        for _ in range(40):
            page = self.documents.pull(since=since, limit=3).json
            found |= {entry["documentId"] for entry in page["changes"]}
            since = page["serverTime"]
            if not page["hasMore"]:
                break
        self.assertEqual(len(found), 30)


class ABaseByNumber(LiteralCase):
    """Two clients may count to the same number."""

    def test_of_another_writer_never_removes_an_item_without_a_trace(self):
        one, other = self.client("A"), self.client("B")
        one.add(LOG, "oats")
        one.sync()
        other.sync()
        other.add(LOG, "milk")
        other.sync()
        one.add(LOG, "bread")
        one.push()
        self.assertEqual(one.answers[-1]["conflicts"][0]["resolution"], "merge")
        other.add(LOG, "salt")
        other.sync()
        one.push()
        one.sync()
        other.sync()
        lost = {"oats", "milk", "bread", "salt"} - set(self.living())
        for name in lost:
            self.assertTrue(any(f'\\"{name}\\"' in entry for entry in self.journal("foodLogs.l1")), (name, self.journal()))
        self.assertEqual(one.content(), other.content())

    def test_that_came_by_chance_keeps_both_versions(self):
        for names, pulled in ((True, False), (False, True), (False, False)):
            with self.subTest(names=names, pulled=pulled):
                name = f"l-{names}-{pulled}"
                first, second = self.documents_of(device="A"), self.documents_of(device="B")
                self.applied(first.push(change("create", "foodLogs", name, log(item("oats")), at=10)))
                early = self.documents.pull().json["serverTime"]
                self.applied(first.push(change("update", "foodLogs", name, log(item("oats"), item("salt")), at=20, version=1)))
                seen = {"tag": self.stored(name)["tag"][:-1] + "0"} if names else {}
                more = {"lastPulledAt": early} if pulled else {}
                second.push(change("update", "foodLogs", name, log(item("oats"), item("milk"), **seen), at=30, version=2), **more)
                if "salt" not in self.living(name):
                    self.assertTrue(any("salt" in entry for entry in self.journal(f"foodLogs.{name}")))

    def test_that_was_read_leaves_no_entry(self):
        first, second = self.documents_of(device="A"), self.documents_of(device="B")
        self.applied(first.push(change("create", "weightLogs", "w", weight(70_000), at=10)))
        pulled = second.pull().json["serverTime"]
        self.applied(second.push(change("update", "weightLogs", "w", weight(71_000), at=20, version=1), lastPulledAt=pulled))
        self.applied(first.push(change("update", "weightLogs", "w", weight(72_000), at=30, version=2)))
        self.applied(second.push(change("update", "weightLogs", "w", weight(73_000), at=5, tag=self.stored("w", "weightLogs")["tag"])))
        self.assertEqual(self.journal(), [])
        self.assertEqual(self.stored("w", "weightLogs")["weightG"], 73_000)

    def test_does_not_erase_what_nobody_read_without_a_trace(self):
        first, second = self.documents_of(device="A"), self.documents_of(device="B")
        self.applied(first.push(change("create", "weightLogs", "w", weight(70_000), at=10)))
        second.push(change("delete", "weightLogs", "w", at=5, version=1, erase=True))
        self.assertTrue(self.stored("w", "weightLogs") or any("70000" in entry for entry in self.journal("weightLogs.w")))


class ACreate(LiteralCase):
    def test_of_an_existing_document_is_decided_by_the_order(self):
        first, second = self.documents_of(device="A"), self.documents_of(device="B")
        for version in (None, 0, 1):
            with self.subTest(version=version):
                name, more = f"w{version}", {} if version is None else {"version": version}
                self.applied(first.push(change("create", "weightLogs", name, weight(70_000), at=20)))
                early = self.conflict(second.push(change("create", "weightLogs", name, weight(60_000), at=10, **more)))
                self.assertEqual((early["resolution"], early["serverData"]["weightG"]), ("server_wins", 70_000))
                self.assertEqual(len(self.journal(f"weightLogs.{name}")), 1)
                late = self.applied(second.push(change("create", "weightLogs", name, weight(80_000), at=30, **more)))[0]
                self.assertEqual((late["version"], self.stored(name, "weightLogs")["weightG"]), (2, 80_000))
                self.assertTrue(any("70000" in entry for entry in self.journal(f"weightLogs.{name}")))

    def test_whose_answer_was_lost_is_recognised(self):
        for version in (None, 0, 1):
            made = change("create", "foodLogs", f"l{version}", log(item("oats")), at=20)
            if version is not None:
                made["version"] = version
            self.assertTrue(self.applied(self.documents.push(made))[0]["changed"])
            again = self.applied(self.documents.push(made))[0]
            self.assertEqual((again["changed"], again["version"]), (False, 1))
        self.assertEqual(self.journal(), [])

    def test_in_a_report_is_reported(self):
        self.applied(self.documents.push(change("create", "weightLogs", "w", weight(70_000), at=20)))
        found = self.conflict(self.documents.push(change("create", "weightLogs", "w", weight(1_000), at=10, version=1), onConflict="report"))
        self.assertEqual((found["resolution"], found["clientVersion"]), ("server_wins", 1))


class ATime(LiteralCase):
    EARLY = ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000+00:00", "1969-12-31T23:59:59Z", "-271821-04-20T00:00:00.000Z", "0000-01-01T00:00:00Z"]
    LATE = ["4001-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z", "+275760-09-13T00:00:00.000Z", "2200-01-01T00:00:00Z"]

    def test_before_all_or_after_all_is_taken(self):
        self.applied(self.documents.push(change("create", "families", "f", {"name": "F"})))
        for time in self.EARLY:
            self.assertEqual(len(self.documents.pull(since=time).json["changes"]), 1, time)
        for time in self.LATE:
            self.assertEqual(self.documents.pull(since=time).json["changes"], [], time)
        for time in self.EARLY + self.LATE:
            self.applied(self.documents.push(change("create", "families", "f", {"name": "F"}), lastPulledAt=time))
        for time in ("", "yesterday", "2026-13-01T00:00:00Z", "2026-02-30T00:00:00Z", "2026-01-01"):
            self.refused(self.documents.pull(since=time), 400, "malformed")

    def test_of_an_edit_is_taken_as_the_first_or_the_last(self):
        for index, time in enumerate(self.EARLY):
            made = {**change("create", "weightLogs", f"e{index}", weight(70_000)), "timestamp": time}
            self.applied(self.documents.push(made))
            self.assertEqual(self.stored(f"e{index}", "weightLogs")["updatedAt"], "1970-01-01T00:00:00.000Z")
        for index, time in enumerate(self.LATE):
            made = {**change("create", "weightLogs", f"l{index}", weight(70_000)), "timestamp": time}
            self.applied(self.documents.push(made))
            self.assertEqual(self.stored(f"l{index}", "weightLogs")["updatedAt"], "2199-12-31T23:59:59.999Z")

    def test_at_the_end_of_all_times_does_not_hide_a_document(self):
        made = {**change("create", "foodLogs", "l", log(item("oats"))), "timestamp": "2199-12-31T23:59:59.999Z"}
        self.applied(self.documents.push(made))
        for version, changed in ((1, log(item("oats", 5_000))), (2, log()), (3, log(notes="n"))):
            self.applied(self.documents.push(change("update", "foodLogs", "l", changed, at=1, version=version)))
        self.assertEqual(self.stored("l")["notes"], "n")

    def test_of_an_item_is_taken_and_a_wrong_one_is_the_error_of_its_document(self):
        early = item("oats", createdAt="0001-01-01T00:00:00Z", updatedAt="0001-01-01T00:00:00Z", deletedAt=None)
        answer = self.documents.push(
            change("create", "foodLogs", "a", log(early), at=5), change("create", "foodLogs", "b", log(item("x", createdAt="soon")), at=5),
            change("create", "weightLogs", "c", weight(70_000, updatedAt="0001-01-01T00:00:00Z", lastSyncedAt="never"), at=5),
            change("create", "weightLogs", "d", {**weight(70_000), "loggedAt": "0001-01-01T00:00:00Z"}, at=5)).json
        self.assertEqual(answer["applied"], ["a", "c"])
        self.assertEqual([error["path"] for error in answer["errors"]], ["changes[1].data.items[0].createdAt", "changes[3].data.loggedAt"])
        self.assertEqual(self.stored("a")["items"][0]["updatedAt"], "1970-01-01T00:00:00.000Z")

    def test_at_which_an_item_was_made_stays_if_it_is_left_out(self):
        self.applied(self.documents.push(change("create", "foodLogs", "l", log(item("oats", createdAt=stamp(3), updatedAt=stamp(3))), at=10)))
        self.applied(self.documents.push(change("update", "foodLogs", "l", log(item("oats", 5_000)), at=20, version=1)))
        self.assertEqual(self.stored("l")["items"][0]["createdAt"], stamp(3))
        self.assertEqual(self.stored("l")["items"][0]["updatedAt"], stamp(20))
        self.applied(self.documents.push(change("update", "foodLogs", "l", log(item("oats", 5_000), notes="n"), at=30, version=2)))
        self.assertEqual(self.stored("l")["items"][0]["updatedAt"], stamp(20), "an item that was not changed is no newer")


class Metadata(LiteralCase):
    MEMBERS = {"version": 9, "tag": "x", "updatedAt": "never", "deletedAt": 5, "deviceId": "Q", "committedAt": None, "lastSyncedAt": "2026-01-01T00:00:00Z", "totals": 1}

    def test_is_no_content_wherever_it_stands(self):
        inside = {name: value for name, value in self.MEMBERS.items() if name not in ("updatedAt", "deletedAt")}
        made = change("create", "foodLogs", "l", log(item("oats", createdAt=stamp(1), updatedAt=stamp(1))), at=10)
        self.applied(self.documents.push(made))
        before = self.stored("l")
        made["data"] = log(item("oats", createdAt=stamp(1), updatedAt=stamp(1), **inside, userId="q"), **self.MEMBERS)
        made["lastSyncedAt"] = "2026-01-01T00:00:00Z"
        again = self.applied(self.documents.push(made))[0]
        self.assertEqual((again["changed"], self.stored("l")), (False, before))
        self.assertNotIn("lastSyncedAt", json.dumps(before))

    def test_never_decides_a_tie(self):
        self.applied(self.documents.push(change("create", "weightLogs", "w", weight(70_000, lastSyncedAt="a"), at=10)))
        again = self.applied(self.documents_of(device="B").push(change("update", "weightLogs", "w", weight(70_000, lastSyncedAt="b"), at=10)))[0]
        self.assertEqual((again["changed"], self.journal()), (False, []))


class AStubbornClient(LiteralCase):
    """A client is asked to merge with one version once. A repeat of a push is answered alike, but not without end."""

    def test_that_repeats_itself_is_done_in_the_end(self):
        self.applied(self.documents_of(device="A").push(change("create", "foodLogs", "l", log(item("oats"), notes="n"), at=30)))
        mine = change("update", "foodLogs", "l", log(item("bread"), notes="mine"), at=25)
        verdicts = [self.conflict(self.documents_of(device="B").push(mine))["resolution"] for _ in range(10)]
        self.assertEqual(verdicts, ["merge"] * 8 + ["server_wins"] * 2)
        self.assertEqual(self.living("l"), ["bread", "oats"])

    def test_that_does_not_merge_is_done_after_two_pushes(self):
        for base in ({}, {"version": 1}, {"version": 99}):
            with self.subTest(base=base):
                name = f"l{base.get('version')}"
                first, second = self.documents_of(device="A"), self.documents_of(device="B")
                self.applied(first.push(change("create", "foodLogs", name, log(item("oats"), notes="first"), at=20)))
                self.applied(first.push(change("update", "foodLogs", name, log(item("oats"), item("milk"), notes="second"), at=30, version=1)))
                mine = change("update", "foodLogs", name, log(item("bread"), notes="mine"), at=25, **base)
                self.assertEqual(self.conflict(second.push(mine))["resolution"], "merge")
                self.assertEqual(self.stored(name)["version"], 2)
                self.assertEqual(self.conflict(second.push(mine))["resolution"], "merge")
                mine["timestamp"] = stamp(26)
                found = self.conflict(second.push(mine))
                self.assertEqual((found["resolution"], found["serverData"]["notes"], found["serverVersion"]), ("server_wins", "second", 3))
                self.assertEqual(self.living(name), ["bread", "milk", "oats"])
                self.assertTrue(any("mine" in entry for entry in self.journal(f"foodLogs.{name}")))
                self.assertEqual(self.conflict(second.push(mine))["resolution"], "server_wins")
                self.assertEqual(self.stored(name)["version"], 3)


class ANamedDocument(LiteralCase):
    def test_of_the_journal_is_found_without_its_feed(self):
        self.applied(self.documents.push(change("create", "weightLogs", "w", weight(70_000), at=20)))
        self.conflict(self.documents.push(change("create", "weightLogs", "w", weight(60_000), at=10)))
        entry = self.documents.feed(feed="conflicts")[0][0]["documentId"]
        names = [{"collection": "conflicts", "documentId": entry}, {"collection": "weightLogs", "documentId": "w"}, {"collection": "conflicts", "documentId": "none"}]
        for more in ({}, {"feed": "conflicts"}, {"feed": "documents"}):
            found = self.documents.full(documents=names, **more).json
            self.assertEqual(found["data"]["conflicts"][0]["_id"], entry)
            self.assertEqual(found["data"]["weightLogs"][0]["_id"], "w")
            self.assertEqual((found["missing"], found["complete"]), (names[2:], True))

    def test_of_many_comes_in_answers_of_a_bounded_size(self):
        many = [{**item(f"i{index:03}", createdAt=stamp(1)), "name": "N" * 180} for index in range(500)]
        for start in range(0, 90, 30):
            self.applied(self.documents.push(*[change("create", "foodLogs", f"l{index}", log(*many)) for index in range(start, start + 30)]))
        names = [{"collection": "foodLogs", "documentId": f"l{index}"} for index in range(90)] + [{"collection": "foodLogs", "documentId": "none"}]
        body, found, missing, answers = {"documents": names}, [], [], 0
        while True:
            reply = self.documents.full(**body)
            self.assertEqual(reply.status, 200, reply.body[:300])
            self.assertLess(len(reply.body), 9 << 20)
            answer = reply.json
            answers += 1
            found += [document["_id"] for document in answer["data"].get("foodLogs", [])]
            missing += answer["missing"]
            if answer["complete"]:
                break
            body = {"documents": names, "page": answer["nextPage"]}
        self.assertEqual((sorted(found), missing), (sorted(name["documentId"] for name in names[:90]), names[90:]))
        self.assertGreater(answers, 1)
        # The names that an answer leaves out may also be asked for alone.
        first = self.documents.full(documents=names).json
        answered = {document["_id"] for document in first["data"]["foodLogs"]}
        rest = [name for name in names if name["documentId"] not in answered and name not in first["missing"]]
        second = self.documents.full(documents=rest).json
        self.assertNotIn(second["data"]["foodLogs"][0]["_id"], answered)


class AnUnknownMember(LiteralCase):
    NUMBERS = ["12345678901234567890", "1.2345678901234567890", "1e400", "-0", "1E5", "0.10", "9007199254740993", "-1.5e-400"]

    def test_passes_unchanged(self):
        value = '{"a":"\\u00e9\\/\\ud83d\\ude00\\u0000","b":[%s],"c":{"x":[],"y":null,"z":1.0}}' % ",".join(self.NUMBERS)
        data = json.dumps(log(item("oats", createdAt=stamp(1), updatedAt=stamp(1))), separators=(",", ":"))
        for place in ("document", "item"):
            with self.subTest(place):
                text = data[:-1] + f',"future":{value}}}' if place == "document" else data.replace('{"_id"', f'{{"future":{value},"_id"')
                made = json.dumps(change("create", "foodLogs", place, at=5))[:-1] + f',"data":{text}}}'
                body = '{"deviceId":"P1","changes":[%s]}' % made
                reply = self.documents.ask("POST", "push", body)
                self.assertTrue(self.applied(reply)[0]["changed"])
                self.assertFalse(self.applied(self.documents.ask("POST", "push", body))[0]["changed"])
                for answer in (self.documents.pull(), self.documents.full(limit=9), self.documents.full(documents=[{"collection": "foodLogs", "documentId": place}])):
                    self.assertIn(f'"future":{value}'.encode(), answer.body)
                known = json.dumps(change("update", "foodLogs", place, log(item("oats", 7_000)), at=9, version=1))
                self.applied(self.documents.ask("POST", "push", '{"deviceId":"P1","changes":[%s]}' % known))
                self.assertIn(f'"future":{value}'.encode(), self.documents.pull().body)

    def test_in_great_number_costs_no_more_than_its_bytes(self):
        members = ",".join(f'"m{index}":null' for index in range(200_000))
        made = json.dumps(change("create", "families", "f", {"name": "F"}))[:-2] + f",{members}}}}}"
        self.applied(self.documents.ask("POST", "push", '{"deviceId":"P1","changes":[%s]}' % made))


class ManyConflicts(LiteralCase):
    def test_of_one_push_are_all_in_the_journal(self):
        made = [change("create", "weightLogs", f"w{index}", weight(70_000), at=20) for index in range(200)]
        self.applied(self.documents.push(*made))
        stale = [change("update", "weightLogs", f"w{index}", weight(60_000), at=10) for index in range(200)]
        answer = self.documents.push(*stale).json
        self.assertEqual([conflict["resolution"] for conflict in answer["conflicts"]], ["server_wins"] * 200)
        self.assertEqual(len(self.journal()), 200)
        again = self.documents.push(*stale).json
        self.assertEqual((len(again["conflicts"]), len(self.journal())), (200, 200))
