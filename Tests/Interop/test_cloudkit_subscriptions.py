"""CloudKit Web Services: subscriptions (a.1 rows 11 to 13; b.8) and push tokens (rows 27 and 28; f.1)."""

import base64
import urllib.parse

from support import PushClient, ServerCase

SILENT = {"shouldSendContentAvailable": True}
EVERYTHING = {"subscriptionID": "all", "subscriptionType": "database", "notificationInfo": SILENT}


class Subscriptions(ServerCase):
    def listed(self, cloud=None):
        return [
            item["subscriptionID"]
            for item in (cloud or self.cloud).call("subscriptions/list").succeeded()["subscriptions"]
        ]

    def modify_one(self, kind, subscription):
        return self.cloud.modify_subscriptions((kind, subscription))[0]

    def test_a_created_subscription_is_answered_listed_and_found(self):
        saved = self.modify_one("create", EVERYTHING)
        for key, value in EVERYTHING.items():
            if key == "notificationInfo":
                self.assertIs(saved[key]["shouldSendContentAvailable"], True)
            else:
                self.assertEqual(saved[key], value)
        for reply in (
            self.cloud.call("subscriptions/list"),
            self.cloud.call("subscriptions/list", method="GET"),
            self.cloud.call("subscriptions/list", b""),
            self.cloud.call("subscriptions/lookup", {"subscriptions": [{"subscriptionID": "all"}]}),
        ):
            self.assertEqual(reply.succeeded()["subscriptions"], [saved])

    def test_a_new_account_has_none(self):
        self.assertEqual(self.listed(), [])

    def test_lookup_takes_objects_and_bare_strings_and_says_which_are_missing(self):
        saved = self.modify_one("create", EVERYTHING)
        body = {"subscriptions": ["all", {"subscriptionID": "nowhere"}, "nowhere", {"subscriptionID": "all"}]}
        items = self.cloud.call("subscriptions/lookup", body).succeeded()["subscriptions"]
        self.assertEqual((items[0], items[3]), (saved, saved))
        for item in items[1:3]:
            self.assert_item_error(item, "NOT_FOUND", key="subscriptionID")
            self.assertEqual(item["subscriptionID"], "nowhere")

    def test_creating_the_same_id_again_replaces_it(self):
        self.modify_one("create", EVERYTHING)
        self.modify_one("create", {**EVERYTHING, "notificationInfo": {**SILENT, "alertBody": "News"}})
        items = self.cloud.call("subscriptions/list").json["subscriptions"]
        self.assertEqual([item["notificationInfo"]["alertBody"] for item in items], ["News"])

    def test_equal_content_under_another_id_is_welcome(self):
        self.modify_one("create", EVERYTHING)
        self.modify_one("create", {**EVERYTHING, "subscriptionID": "twin"})
        self.assertCountEqual(self.listed(), ["all", "twin"])

    def test_update_needs_an_existing_one(self):
        self.assert_item_error(self.modify_one("update", EVERYTHING), "NOT_FOUND", key="subscriptionID")
        self.modify_one("create", EVERYTHING)
        changed = self.modify_one("update", {**EVERYTHING, "notificationInfo": {"alertBody": "News"}})
        self.assertEqual(changed["notificationInfo"]["alertBody"], "News")

    def test_a_deleted_one_is_acknowledged_with_both_keys_and_gone(self):
        self.modify_one("create", EVERYTHING)
        self.assertEqual(
            self.modify_one("delete", {"subscriptionID": "all"}), {"subscriptionID": "all", "deleted": True}
        )
        self.assertEqual(self.listed(), [])
        self.assert_item_error(self.modify_one("delete", {"subscriptionID": "all"}), "NOT_FOUND", key="subscriptionID")

    def test_one_without_an_id_gets_one(self):
        saved = self.modify_one("create", {"subscriptionType": "database", "notificationInfo": SILENT})
        self.assertTrue(saved["subscriptionID"])
        self.assertEqual(self.listed(), [saved["subscriptionID"]])

    def test_a_zone_subscription_names_an_existing_custom_zone(self):
        self.cloud.create_zone()
        zone = {"subscriptionID": "zone", "subscriptionType": "zone", "notificationInfo": SILENT}
        saved = self.modify_one("create", {**zone, "zoneID": {"zoneName": "Notes"}})
        self.assertEqual(saved["zoneID"]["zoneName"], "Notes")
        self.assertTrue(saved["zoneID"]["ownerRecordName"])
        for zone_id, code in (
            (None, "BAD_REQUEST"),
            ({"zoneName": "_defaultZone"}, "BAD_REQUEST"),
            ({"zoneName": "Nowhere"}, "ZONE_NOT_FOUND"),
        ):
            item = self.modify_one("create", {**zone, "subscriptionID": "bad", "zoneID": zone_id})
            self.assert_item_error(item, code, key="subscriptionID")
        self.assertEqual(self.listed(), ["zone"])

    def test_unknown_and_missing_types_are_item_errors(self):
        for kind in ("telepathy", None, 7):
            item = self.modify_one("create", {**EVERYTHING, "subscriptionType": kind})
            self.assert_item_error(item, "BAD_REQUEST", key="subscriptionID")
        self.assertEqual(self.listed(), [])

    def test_a_query_subscription_is_kept_or_refused_but_never_dropped_in_silence(self):
        query = {
            "subscriptionID": "q",
            "subscriptionType": "query",
            "firesOn": ["create"],
            "query": {"recordType": "Note"},
            "notificationInfo": SILENT,
        }
        item = self.modify_one("create", query)
        if "serverErrorCode" in item:
            self.assert_item_error(item, "BAD_REQUEST", key="subscriptionID")
            self.assertEqual(self.listed(), [])
        else:
            self.assertEqual((item["subscriptionType"], item["firesOn"]), ("query", ["create"]))
            self.assertEqual(self.listed(), ["q"])

    def test_notification_info_comes_back(self):
        info = {
            "alertBody": "News",
            "soundName": "ping",
            "shouldBadge": True,
            "shouldSendContentAvailable": True,
            "alertLocalizationKey": "KEY",
            "alertLocalizationArgs": ["title"],
            "alertLaunchImage": "image.png",
            "alertActionLocalizationKey": "OPEN",
            "category": "news",
        }
        saved = self.modify_one("create", {**EVERYTHING, "notificationInfo": info})
        self.assertEqual(saved["notificationInfo"], saved["notificationInfo"] | info)

    def test_results_come_in_the_order_of_the_operations_and_each_sees_those_before(self):
        second = {**EVERYTHING, "subscriptionID": "b"}
        items = self.cloud.modify_subscriptions(
            ("create", EVERYTHING),
            ("delete", {"subscriptionID": "nowhere"}),
            ("create", second),
            ("delete", {"subscriptionID": "all"}),
        )
        self.assertEqual([item["subscriptionID"] for item in items], ["all", "nowhere", "b", "all"])
        self.assertEqual(["serverErrorCode" in item for item in items], [False, True, False, False])
        self.assertEqual(self.listed(), ["b"])

    def test_they_belong_to_one_account_container_and_environment(self):
        self.modify_one("create", EVERYTHING)
        for other in (
            self.client("a stranger"),
            self.client(environment="production"),
            self.client(container="iCloud.com.example.other"),
        ):
            self.assertEqual(self.listed(other), [])

    def test_malformed_requests_are_refused(self):
        for body in (
            {},
            {"operations": 7},
            {"operations": [7]},
            {"operations": [{"operationType": "create"}]},
            {"operations": [{"operationType": "burn", "subscription": EVERYTHING}]},
        ):
            with self.subTest(body=body):
                self.assert_top_level_error(self.cloud.call("subscriptions/modify", body), 400, "BAD_REQUEST")
        self.assert_top_level_error(self.cloud.call("subscriptions/lookup", {}), 400, "BAD_REQUEST")


class SubscriptionLimits(ServerCase):
    def save(self, number, **info):
        subscription = {
            "subscriptionID": f"s{number}", "subscriptionType": "database",
            "notificationInfo": {"shouldSendContentAvailable": True, **info},
        }
        body = {"operations": [{"operationType": "create", "subscription": subscription}]}
        return self.cloud.call("subscriptions/modify", body).succeeded()["subscriptions"][0]

    def test_the_texts_of_a_notification_have_a_limit(self):
        texts = ("alertBody", "alertLocalizationKey", "alertActionLocalizationKey", "soundName", "category")
        for name in texts:
            self.assertNotIn("serverErrorCode", self.save(1, **{name: "x" * 8192}))
            self.assertEqual(self.save(1, **{name: "x" * 8193})["serverErrorCode"], "BAD_REQUEST")
        self.assertEqual(self.save(1, alertBody="ä" * 4097)["serverErrorCode"], "BAD_REQUEST")
        self.assertEqual(self.save(1, alertLocalizationArgs=["x" * 60] * 200)["serverErrorCode"], "BAD_REQUEST")

    def test_a_database_has_a_hundred_subscriptions_at_most(self):
        for number in range(100):
            self.assertNotIn("serverErrorCode", self.save(number))
        refused = self.save(100)
        self.assertEqual(refused["serverErrorCode"], "BAD_REQUEST")
        self.assertIn("100", refused["reason"])
        self.assertNotIn("serverErrorCode", self.save(99), "one that is there can be saved again")
        body = {"operations": [{"operationType": "delete", "subscription": {"subscriptionID": "s0"}}]}
        self.cloud.call("subscriptions/modify", body).succeeded()
        self.assertNotIn("serverErrorCode", self.save(100))


class PushTokens(ServerCase):
    def test_a_created_token_is_32_bytes_of_base64_with_a_courier_url(self):
        for root in ("device", "database"):
            reply = self.cloud.device_call(
                "tokens/create", {"apnsEnvironment": "development", "clientId": "c"}, root=root
            )
            created = reply.succeeded()
            self.assertEqual(created["apnsEnvironment"], "development")
            self.assert_base64(created["apnsToken"])
            self.assertEqual(len(base64.b64decode(created["apnsToken"])), 32)
            url = urllib.parse.urlsplit(created["webcourierURL"])
            query = dict(pair.split("=", 1) for pair in url.query.split("&"))
            self.assertEqual(urllib.parse.unquote(query["tok"]), created["apnsToken"])
            self.assertEqual((url.path, query["ttl"]), ("/aps", "43200"))

    def test_every_created_token_is_another(self):
        tokens = {
            self.cloud.device_call("tokens/create", {"apnsEnvironment": "development"}).json["apnsToken"]
            for _ in range(20)
        }
        self.assertEqual(len(tokens), 20)

    def test_registering_echoes_the_token_and_can_be_repeated(self):
        created = self.cloud.device_call("tokens/create", {"apnsEnvironment": "development", "clientId": "c"}).json
        body = {"apnsEnvironment": "development", "apnsToken": created["apnsToken"], "clientId": "c"}
        for root in ("device", "database", "device"):
            self.assertEqual(self.cloud.device_call("tokens/register", body, root=root).succeeded(), created)

    def test_a_registered_token_is_welcome_at_the_push_socket(self):
        client = self.keep(PushClient(self.server.push, {"token": self.cloud.register(), "device": "d"}))
        self.assertIn("welcome", client.next())

    def test_a_native_token_can_be_registered(self):
        body = {"apnsEnvironment": "production", "apnsToken": base64.b64encode(b"x" * 32).decode(), "clientId": "c"}
        self.assertEqual(self.cloud.device_call("tokens/register", body).succeeded()["apnsToken"], body["apnsToken"])

    def test_a_token_belongs_to_the_account_that_created_it_or_registered_it_first(self):
        other = self.client(self.user + "2")
        created = self.cloud.device_call("tokens/create", {"apnsEnvironment": "development"}).json["apnsToken"]
        native = base64.b64encode(self.user.encode()).decode()
        self.cloud.device_call("tokens/register", {"apnsEnvironment": "development", "apnsToken": native}).succeeded()
        for token in (created, native):
            body = {"apnsEnvironment": "development", "apnsToken": token, "clientId": "c"}
            self.assert_top_level_error(other.device_call("tokens/register", body), 403, "ACCESS_DENIED")
            self.cloud.device_call("tokens/register", body).succeeded()
            self.assert_top_level_error(other.device_call("tokens/register", body), 403, "ACCESS_DENIED")

    def test_replaced_tokens_do_not_stay(self):
        device = self.client(self.user + "2", client_id="phone")
        for _ in range(30):
            last = device.register("phone")
        status = self.cloud.request("GET", "/zonekit/status").json["cloud"]["registrations"]
        mine = [item["token"] for item in status if item["user"] == self.user + "2"]
        self.assertEqual(mine, [last[:8] + "…"])

    def test_the_environment_is_development_or_production(self):
        for body in ({}, {"apnsEnvironment": "staging"}, {"apnsEnvironment": 7}):
            self.assert_top_level_error(self.cloud.device_call("tokens/create", body), 400, "BAD_REQUEST")
        for body in (
            {"apnsEnvironment": "development"},
            {"apnsEnvironment": "development", "apnsToken": ""},
            {"apnsEnvironment": "development", "apnsToken": 7},
        ):
            self.assert_top_level_error(self.cloud.device_call("tokens/register", body), 400, "BAD_REQUEST")

    def test_asking_with_get_says_what_is_allowed(self):
        for what in ("tokens/create", "tokens/register"):
            reply = self.cloud.device_call(what, None, method="GET")
            self.assertEqual(reply.status, 405)
            self.assertIn("POST", reply.headers["allow"])
