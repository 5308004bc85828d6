"""CloudKit Web Services: the change feeds (a.1 rows 5 and 6; c.6; j.4)."""

import random

from clients import operation
from support import ServerCase, fold

GARBAGE = ["garbage", "!!!", "AAAA", "Wjox", "YWJjZGVmZ2hpamtsbW5vcA==", "x" * 5000, "\u0000", "ü"]


class ZoneFeed(ServerCase):
    def setUp(self):
        super().setUp()
        self.zone = self.cloud.create_zone()

    def test_an_empty_zone_has_an_empty_feed(self):
        page = self.cloud.zone_changes()
        self.assertEqual((page["records"], page["moreComing"]), ([], False))
        self.assertEqual(page["zoneID"], self.zone["zoneID"])
        self.assert_base64(page["syncToken"])

    def test_without_a_token_the_feed_has_the_whole_history_tombstones_included(self):
        for name in "abc":
            self.cloud.save(name)
        self.cloud.delete("b")
        records = self.cloud.feed()[0]
        self.assertEqual(
            [(record["recordName"], record["deleted"]) for record in records], [("a", False), ("c", False), ("b", True)]
        )

    def test_a_tombstone_names_the_record_and_nothing_else(self):
        self.cloud.save("n", {"a": 1})
        self.cloud.delete("n")
        tombstone = self.cloud.feed()[0][0]
        self.assertEqual((tombstone["recordName"], tombstone["deleted"]), ("n", True))
        self.assertIsNone(tombstone.get("recordType"))
        self.assertTrue(tombstone["recordChangeTag"])
        self.assertEqual(tombstone["zoneID"]["zoneName"], "Notes")
        self.assertNotIn("fields", tombstone)

    def test_each_record_comes_once_with_its_latest_state_in_the_order_of_the_last_change(self):
        for name in "abc":
            self.cloud.save(name, {"version": 1})
        for name in "ca":
            self.cloud.save(name, {"version": 2})
        records = self.cloud.feed()[0]
        self.assertEqual(
            [(record["recordName"], record["fields"]["version"]["value"]) for record in records],
            [("b", 1), ("c", 2), ("a", 2)],
        )

    def test_a_token_leads_to_what_came_after_it(self):
        self.cloud.save("old")
        token = self.cloud.feed()[1]
        self.cloud.save("new")
        self.assertEqual([record["recordName"] for record in self.cloud.feed(token=token)[0]], ["new"])

    def test_when_caught_up_the_token_stays_the_same(self):
        self.cloud.save("n")
        token = self.cloud.feed()[1]
        for _ in range(3):
            page = self.cloud.zone_changes(token=token)
            self.assertEqual((page["records"], page["syncToken"], page["moreComing"]), ([], token, False))

    def test_the_tokens_of_the_zone_and_of_its_feed_are_the_same(self):
        self.cloud.save("n")
        token = self.cloud.feed()[1]
        self.assertEqual(self.cloud.call("zones/list").json["zones"][1]["syncToken"], token)
        self.assertEqual(self.cloud.database_changes()["zones"][0]["syncToken"], token)

    def test_an_empty_token_counts_as_none(self):
        self.cloud.save("n")
        self.assertEqual(self.cloud.feed(token="")[0], self.cloud.feed()[0])

    def test_every_page_size_gives_the_same_records(self):
        names = [f"n-{number:03}" for number in range(230)]
        self.cloud.save_all(names)
        for name in names[::7]:
            self.cloud.delete(name)
        whole = self.cloud.feed()[0]
        self.assertEqual(len(whole), 230)
        for size in range(1, 201):
            self.assertEqual(self.cloud.feed(resultsLimit=size)[0], whole, f"pages of {size}")
        page = self.cloud.zone_changes(resultsLimit=100)
        self.assertEqual((len(page["records"]), page["moreComing"]), (100, True))

    def test_a_page_has_at_most_200_records(self):
        self.cloud.save_all(f"n-{number}" for number in range(201))
        for more in ({}, {"resultsLimit": 201}, {"resultsLimit": 10**9}):
            page = self.cloud.zone_changes(**more)
            self.assertEqual((len(page["records"]), page["moreComing"]), (200, True))

    def test_nothing_more_is_promised_where_nothing_is(self):
        self.cloud.save_all(f"n-{number}" for number in range(20))
        page = self.cloud.zone_changes(resultsLimit=20)
        self.assertEqual((len(page["records"]), page["moreComing"]), (20, False))

    def test_only_the_desired_types_come_and_all_tombstones(self):
        for name in "abc":
            self.cloud.save(name, record_type="Note" if name != "b" else "List")
        self.cloud.save("gone", record_type="List")
        self.cloud.delete("gone")
        records, token = self.cloud.feed(desiredRecordTypes=["Note"])
        self.assertEqual([record["recordName"] for record in records], ["a", "c", "gone"])
        self.assertEqual(self.cloud.feed(token=token)[0], [])

    def test_pages_of_one_type_skip_what_is_between(self):
        self.cloud.save_all((f"x-{number}" for number in range(300)), record_type="Other")
        self.cloud.save("n")
        records, token = self.cloud.feed(desiredRecordTypes=["Note"], resultsLimit=10)
        self.assertEqual([record["recordName"] for record in records], ["n"])
        self.assertEqual(self.cloud.feed(token=token)[0], [])

    def test_reverse_gives_the_newest_first_page_by_page(self):
        self.cloud.save_all(f"n-{number}" for number in range(25))
        forward = self.cloud.feed()[0]
        self.assertEqual(self.cloud.feed(reverse=True, resultsLimit=7)[0], forward[::-1])

    def test_settings_of_a_zone_count_before_those_of_the_request(self):
        self.cloud.save_all(f"n-{number}" for number in range(5))
        self.cloud.create_zone("Other")
        self.cloud.save_all([f"o-{number}" for number in range(5)], zone="Other")
        body = {
            "resultsLimit": 2,
            "zones": [{"zoneID": {"zoneName": "Notes"}}, {"zoneID": {"zoneName": "Other"}, "resultsLimit": 4}],
        }
        zones = self.cloud.call("changes/zone", body).succeeded()["zones"]
        self.assertEqual([len(zone["records"]) for zone in zones], [2, 4])

    def test_a_zone_that_fails_leaves_the_others_alone(self):
        self.cloud.save("n")
        body = {
            "zones": [
                {"zoneID": {"zoneName": "Nowhere"}},
                {"zoneID": {"zoneName": "Notes"}},
                {"zoneID": {"zoneName": "_defaultZone"}},
            ]
        }
        nowhere, notes, default = self.cloud.call("changes/zone", body).succeeded()["zones"]
        self.assert_item_error(nowhere, "ZONE_NOT_FOUND", key="zoneID")
        self.assertEqual(nowhere["zoneID"]["zoneName"], "Nowhere")
        self.assertEqual(len(notes["records"]), 1)
        self.assert_item_error(default, "BAD_REQUEST", key="zoneID")
        self.assertEqual(default["reason"], "AppDefaultZone does not support getChanges call")

    def test_zones_are_required(self):
        self.assert_top_level_error(self.cloud.call("changes/zone", {}), 400, "BAD_REQUEST")

    def test_the_public_database_has_no_feeds(self):
        public = self.client(scope="public")
        for what, body in (
            ("changes/zone", {"zones": [{"zoneID": {"zoneName": "_defaultZone"}}]}),
            ("changes/database", {}),
        ):
            reply = public.call(what, body)
            item = reply.json if reply.status != 200 else reply.json["zones"][0]
            self.assertEqual(item.get("serverErrorCode"), "BAD_REQUEST", reply.json)


class FeedProperties(ServerCase):
    """j.4, over random histories."""

    def history(self, seed, steps=300):
        """Random saves and deletes of a few names; the tokens seen on the way with what was known there."""
        rng = random.Random(seed)
        self.cloud.create_zone()
        tokens = [(self.cloud.zone_changes()["syncToken"], {})]
        known = {}
        for _ in range(steps):
            names = rng.sample(range(40), rng.choice([1, 1, 1, 3, 8]))
            batch = [
                operation(
                    rng.choice(["forceUpdate", "forceReplace", "forceDelete"]), f"n-{name}", {"value": rng.random()}
                )
                for name in names
            ]
            batch = [
                item
                if item["operationType"] != "forceDelete" or item["record"]["recordName"] in known
                else operation("forceUpdate", item["record"]["recordName"])
                for item in batch
            ]
            for record in self.cloud.modify(*batch).succeeded()["records"]:
                known = fold([record], known)
            if rng.random() < 0.1:
                tokens.append((self.cloud.zone_changes(token=tokens[-1][0])["syncToken"], dict(known)))
        return tokens, known

    def test_folding_the_feed_from_any_token_gives_the_store(self):
        for seed in (1, 2):
            with self.subTest(seed=seed):
                self.cloud = self.client(f"{self.user}-{seed}")
                tokens, known = self.history(seed)
                self.assertEqual(fold(self.cloud.feed()[0]), known)
                for size in (1, 17, 200):
                    token, then = random.Random(seed * size).choice(tokens)
                    self.assertEqual(fold(self.cloud.feed(token=token, resultsLimit=size)[0], then), known)
                for name, tag in known.items():
                    self.assertEqual(self.cloud.lookup(name)[0]["recordChangeTag"], tag)

    def test_every_intermediate_token_leads_to_the_same_rest(self):
        self.history(3)
        whole, rest = self.cloud.feed()[0], None
        token, read = None, 0
        while rest is None or rest:
            page = self.cloud.zone_changes(token=token, resultsLimit=5)
            token, read = page["syncToken"], read + len(page["records"])
            rest = self.cloud.feed(token=token)[0]
            self.assertEqual(rest, whole[read:])
            self.assertEqual(self.cloud.feed(token=token)[0], rest, "a token can be used again")


class Tokens(ServerCase):
    def setUp(self):
        super().setUp()
        self.cloud.create_zone()
        self.cloud.save("n")
        self.token = self.cloud.feed()[1]

    def check_zone_refuses(self, token, cloud=None):
        item = (cloud or self.cloud).zone_changes(token=token)
        self.assertIn("serverErrorCode", item, f"the token {token[:60]!r} was taken")
        self.assert_item_error(item, "BAD_REQUEST", key="zoneID")
        return item["reason"]

    def check_database_refuses(self, token):
        reply = self.cloud.call("changes/database", {"syncToken": token})
        self.assert_top_level_error(reply, 400, "BAD_REQUEST")
        return reply.json["reason"]

    def test_garbage_is_refused_by_the_zone_and_by_the_database(self):
        for token in GARBAGE:
            with self.subTest(token=token[:20]):
                self.assertIn("Unknown sync continuation type", self.check_zone_refuses(token))
                self.check_database_refuses(token)

    def test_a_truncated_token_is_refused(self):
        for length in range(4, len(self.token)):
            self.check_zone_refuses(self.token[:length])
        self.assertIn("Invalid continuation format", self.check_zone_refuses(self.token[: len(self.token) // 4 * 2]))

    def test_an_altered_token_is_refused_or_harmless(self):
        alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        for place in range(len(self.token.rstrip("="))):
            other = alphabet[(alphabet.index(self.token[place]) + 1) % 64]
            altered = self.token[:place] + other + self.token[place + 1 :]
            with self.subTest(altered=altered):
                self.check_zone_refuses(altered)

    def test_tokens_of_the_wrong_kind_of_feed_are_refused(self):
        self.check_zone_refuses(self.cloud.database_changes()["syncToken"])
        self.check_database_refuses(self.token)

    def test_the_token_of_another_zone_is_refused(self):
        other = self.cloud.create_zone("Other")
        self.check_zone_refuses(other["syncToken"])

    def test_the_token_of_another_account_is_refused(self):
        other = self.client("somebody else entirely")
        other.create_zone()
        self.check_zone_refuses(self.token, other)
        other.database_changes()
        self.assert_top_level_error(
            other.call("changes/database", {"syncToken": self.cloud.database_changes()["syncToken"]}),
            400,
            "BAD_REQUEST",
        )

    def test_the_token_of_a_zone_that_was_created_anew_has_expired(self):
        self.cloud.delete_zone()
        self.assert_item_error(self.cloud.zone_changes(token=self.token), "ZONE_NOT_FOUND", key="zoneID")
        self.cloud.create_zone()
        reason = self.check_zone_refuses(self.token)
        self.assertRegex(reason.lower(), "token|expired")
        self.cloud.save("m")
        self.check_zone_refuses(self.token)
        self.assertEqual([record["recordName"] for record in self.cloud.feed()[0]], ["m"])

    def test_a_token_that_is_no_string_is_refused(self):
        for token in (7, ["x"], {"a": 1}):
            body = {"zones": [{"zoneID": {"zoneName": "Notes"}, "syncToken": token}]}
            reply = self.cloud.call("changes/zone", body)
            item = reply.json if reply.status == 400 else reply.json["zones"][0]
            self.assertEqual(item.get("serverErrorCode"), "BAD_REQUEST", reply.json)
        self.assertEqual(self.cloud.feed(syncToken=None)[0], self.cloud.feed()[0], "null counts as absent")


class DatabaseFeed(ServerCase):
    def names(self, token=None, **more):
        return [zone["zoneID"]["zoneName"] for zone in self.cloud.database_changes(token, **more)["zones"]]

    def test_an_empty_database_has_a_stable_token(self):
        first = self.cloud.database_changes()
        self.assertEqual((first["zones"], first["moreComing"]), ([], False))
        self.assert_base64(first["syncToken"])
        self.assertEqual(self.cloud.database_changes(), first)
        self.assertEqual(self.cloud.database_changes(first["syncToken"]), first)

    def test_all_custom_zones_come_without_a_token_and_the_default_zone_does_not(self):
        for name in ("A", "B"):
            self.cloud.create_zone(name)
        self.cloud.save("n", zone="_defaultZone")
        self.assertEqual(self.names(), ["A", "B"])

    def test_a_token_leads_to_the_zones_that_changed_since(self):
        for name in ("A", "B", "C"):
            self.cloud.create_zone(name)
        token = self.cloud.database_changes()["syncToken"]
        self.assertEqual(self.names(token), [])
        self.cloud.save("n", zone="C")
        self.cloud.save("n", zone="A")
        self.assertEqual(self.names(token), ["C", "A"])
        self.cloud.save("m", zone="C")
        self.assertEqual(self.names(token), ["A", "C"])

    def test_when_caught_up_the_token_stays_the_same(self):
        self.cloud.create_zone()
        token = self.cloud.database_changes()["syncToken"]
        self.assertEqual(self.cloud.database_changes(token), {"zones": [], "syncToken": token, "moreComing": False})

    def test_a_deleted_zone_is_told_of_until_the_token_passes_it(self):
        self.cloud.create_zone("A")
        self.cloud.create_zone("B")
        token = self.cloud.database_changes()["syncToken"]
        self.cloud.delete_zone("A")
        changes = self.cloud.database_changes(token)
        zone = changes["zones"][0]
        self.assertEqual((zone["zoneID"]["zoneName"], zone["deleted"]), ("A", True))
        self.assertTrue(zone["zoneID"]["ownerRecordName"])
        self.assertEqual(self.names(changes["syncToken"]), [])
        self.assertIn("A", self.names(token))

    def test_a_zone_that_was_created_anew_comes_as_a_live_one(self):
        self.cloud.create_zone()
        token = self.cloud.database_changes()["syncToken"]
        self.cloud.delete_zone()
        self.cloud.create_zone()
        zones = self.cloud.database_changes(token)["zones"]
        self.assertEqual(
            [(zone["zoneID"]["zoneName"], zone.get("deleted", False)) for zone in zones], [("Notes", False)]
        )

    def test_pages_of_every_size_give_all_zones(self):
        names = [f"Z{number:02}" for number in range(23)]
        self.cloud.modify_zones(*[("create", name) for name in names])
        for size in (1, 2, 5, 22, 23, 200):
            found, token, more = [], None, True
            while more:
                page = self.cloud.database_changes(token, resultsLimit=size)
                self.assertLessEqual(len(page["zones"]), size)
                found += [zone["zoneID"]["zoneName"] for zone in page["zones"]]
                token, more = page["syncToken"], page["moreComing"]
            self.assertEqual(found, names)

    def test_a_failed_batch_changes_nothing(self):
        self.cloud.create_zone()
        self.cloud.save("n")
        token = self.cloud.database_changes()["syncToken"]
        self.assertEqual(self.cloud.modify(operation("create", "new"), operation("create", "n")).status, 400)
        self.assertEqual(self.cloud.database_changes(token)["syncToken"], token)
