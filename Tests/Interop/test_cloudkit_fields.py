"""CloudKit Web Services: fields and their types (b.4, b.5), numbersAsStrings (c.4) and desiredKeys (c.1)."""

from clients import operation
from support import ServerCase

PLACE = {
    "latitude": 48.137,
    "longitude": 11.575,
    "altitude": 519.5,
    "horizontalAccuracy": 5.0,
    "verticalAccuracy": 8.5,
    "course": 271.25,
    "speed": 1.5,
    "timestamp": 1767323045000,
}

# A field as it is sent, and as it must come back.
ROUND_TRIPS = {
    "STRING": ["", "Milk", "Zoë 👶", "a\0b", "\u2028", "line\nline", '"\\/', "x" * 10_000, "e\u0301"],
    "INT64": [0, 1, -1, 2**63 - 1, -(2**63), 2**53 + 1],
    "DOUBLE": [0.5, -0.1, 2, 1e308, 5e-324, 0.1 + 0.2, 123456789.123456789],
    "BYTES": ["", "AA==", "AAECAwQ=", "/+8="],
    "ENCRYPTED_BYTES": ["c2VjcmV0"],
    "TIMESTAMP": [0, 1767323045000, -1, 253402300799999],
    "REFERENCE": [{"recordName": "r", "action": "NONE"}],
    "LOCATION": [PLACE],
    "STRING_LIST": [[], ["a"], ["b", "a", "b", ""]],
    "INT64_LIST": [[], [3, -1, 2**63 - 1]],
    "DOUBLE_LIST": [[], [0, 1.5, -2.25]],
    "BYTES_LIST": [[], ["AA==", ""]],
    "TIMESTAMP_LIST": [[], [1767323045000, 0]],
    "REFERENCE_LIST": [[], [{"recordName": "r", "action": "NONE"}, {"recordName": "s", "action": "NONE"}]],
    "LOCATION_LIST": [[], [PLACE]],
}


class FieldCase(ServerCase):
    def setUp(self):
        super().setUp()
        # A container of its own, because all zones of a container have one schema.
        self.cloud = self.client(container=f"iCloud.com.example.{self.user}")
        self.cloud.create_zone()

    def save_field(self, field, record_type="Note", name="n"):
        """The field as it comes back, or the item's error."""
        reply = self.cloud.modify(
            operation("forceUpdate", name, raw={"f": field}, record_type=record_type), atomic=False
        )
        self.assertEqual(reply.status, 200, reply.json)
        item = reply.json["records"][0]
        return item if "serverErrorCode" in item else item["fields"].get("f")

    def check_field(self, field, expected, record_type="Note"):
        self.assertEqual(self.save_field(field, record_type), expected)
        self.assertEqual(self.cloud.lookup("n")[0]["fields"].get("f"), expected)
        self.assertEqual(self.cloud.feed()[0][-1]["fields"].get("f"), expected)

    def check_refused(self, field, record_type="Note", name="n"):
        item = self.save_field(field, record_type, name)
        self.assertIn("serverErrorCode", item or {}, f"{field} was taken as {item}")
        self.assert_item_error(item, "BAD_REQUEST")
        return item["reason"]


def add_round_trip(kind, values):
    def test(self):
        for value in values:
            with self.subTest(value=str(value)[:80]):
                self.check_field({"value": value, "type": kind}, {"value": value, "type": kind})

    setattr(FieldTypes, f"test_{kind}_comes_back_as_it_was", test)


class FieldTypes(FieldCase):
    def test_a_bool_is_stored_as_a_number(self):
        self.check_field({"value": True, "type": "INT64"}, {"value": 1, "type": "INT64"})
        self.check_field({"value": False}, {"value": 0, "type": "INT64"})

    def test_decimal_strings_are_taken_for_numbers(self):
        for kind, text, number in (
            ("INT64", "9223372036854775807", 2**63 - 1),
            ("DOUBLE", "1.5", 1.5),
            ("TIMESTAMP", "1767323045000", 1767323045000),
        ):
            self.assertEqual(
                self.save_field({"value": text, "type": kind}, f"Of{kind}", kind), {"value": number, "type": kind}
            )

    def test_numbers_out_of_range_are_refused(self):
        for number in (2**63, -(2**63) - 1, 10**30):
            self.check_refused({"value": number, "type": "INT64"})

    def test_values_of_another_type_are_refused(self):
        for kind, value in (
            ("STRING", 1),
            ("STRING", {"a": 1}),
            ("INT64", "one"),
            ("INT64", 1.5),
            ("INT64", []),
            ("DOUBLE", "x"),
            ("BYTES", "not base64!"),
            ("BYTES", 7),
            ("TIMESTAMP", "noon"),
            ("REFERENCE", "r"),
            ("REFERENCE", {}),
            ("LOCATION", {"latitude": 1}),
            ("STRING_LIST", "a"),
            ("STRING_LIST", [1]),
            ("INT64_LIST", [1, "x"]),
            ("REFERENCE", {"recordName": "r", "action": "EXPLODE"}),
        ):
            with self.subTest(kind=kind, value=value):
                self.check_refused({"value": value, "type": kind})

    def test_an_unknown_type_is_refused(self):
        self.assertIn("NO_SUCH_TYPE", self.check_refused({"value": 1, "type": "NO_SUCH_TYPE"}))

    def test_something_that_is_no_field_is_refused(self):
        for field in (3, "text", [1], True):
            self.check_refused(field)

    def test_old_type_names_are_taken(self):
        self.check_field({"value": 3, "type": "NUMBER_INT64"}, {"value": 3, "type": "INT64"}, "OldInt")
        self.cloud.delete("n")
        self.check_field({"value": 1.5, "type": "NUMBER_DOUBLE"}, {"value": 1.5, "type": "DOUBLE"}, "OldDouble")

    def test_a_reference_without_an_action_has_none(self):
        self.assertEqual(
            self.save_field({"value": {"recordName": "r"}, "type": "REFERENCE"})["value"]["action"], "NONE"
        )

    def test_a_location_needs_only_latitude_and_longitude(self):
        place = self.save_field({"value": {"latitude": 1, "longitude": -2.5}, "type": "LOCATION"})
        self.assertEqual((place["value"]["latitude"], place["value"]["longitude"]), (1, -2.5))

    def test_an_encrypted_field_stays_encrypted(self):
        field = {"value": "secret", "type": "STRING", "isEncrypted": True}
        self.check_field(field, field)

    def test_a_lone_surrogate_does_no_harm(self):
        reply = self.cloud.call(
            "records/modify",
            b'{"zoneID":{"zoneName":"Notes"},"operations":[{"operationType":"forceUpdate","record":'
            b'{"recordName":"n","recordType":"Note","fields":{"f":{"value":"\\ud800"}}}}]}',
        )
        self.assertIn(reply.status, (200, 400))
        self.assertTrue(reply.json)
        self.cloud.feed()

    def test_field_names_are_identifiers_of_at_most_255_characters(self):
        for name in ("a", "Z9_", "x" * 255):
            self.assertIn(name, self.cloud.save("n", {name: 1})["fields"])
        for name in ("", "1a", "_a", "a-b", "a b", "ä", "x" * 256):
            item = self.cloud.modify(operation("forceUpdate", "n", {name: 1}), atomic=False).succeeded()["records"][0]
            self.assertIn("serverErrorCode", item, f"the field name {name!r} was taken")
            self.assert_item_error(item, "BAD_REQUEST")


for _kind, _values in ROUND_TRIPS.items():
    add_round_trip(_kind, _values)


class Inference(FieldCase):
    def test_a_value_without_a_type_gets_the_one_it_shows(self):
        cases = {
            "STRING": "text",
            "INT64": 7,
            "DOUBLE": 1.5,
            "LOCATION": {"latitude": 1.5, "longitude": 2.5},
            "REFERENCE": {"recordName": "r", "action": "NONE"},
            "STRING_LIST": ["a"],
            "INT64_LIST": [1, 2],
            "DOUBLE_LIST": [1.5, 2.5],
            "REFERENCE_LIST": [{"recordName": "r", "action": "NONE"}],
            "UNKNOWN_LIST": [],
        }
        for kind, value in cases.items():
            with self.subTest(kind):
                field = self.save_field({"value": value}, f"Untyped_{kind}", kind)
                self.assertEqual(field["type"], kind)
                if kind != "LOCATION":
                    self.assertEqual(field["value"], value)

    def test_a_list_may_be_called_just_LIST(self):
        self.assertEqual(self.save_field({"value": ["a"], "type": "LIST"}), {"value": ["a"], "type": "STRING_LIST"})

    def test_the_schema_decides_over_the_looks_of_a_value(self):
        cases = [
            ("DOUBLE", 1.5, 2, 2),
            ("TIMESTAMP", 1767323045000, 1767323045001, 1767323045001),
            ("TIMESTAMP", 1767323045000, 1767323045001.75, 1767323045001),
            ("BYTES", "AA==", "AAE=", "AAE="),
            ("STRING_LIST", ["a"], [], []),
            ("DOUBLE_LIST", [1.5], [2, 3], [2, 3]),
            ("TIMESTAMP_LIST", [5], [6], [6]),
        ]
        for number, (kind, first, untyped, expected) in enumerate(cases):
            with self.subTest(kind=kind, untyped=untyped):
                record_type, name = f"Known_{number}", f"n-{number}"
                self.save_field({"value": first, "type": kind}, record_type, name)
                self.assertEqual(
                    self.save_field({"value": untyped}, record_type, name), {"value": expected, "type": kind}
                )

    def test_the_schema_holds_for_other_records_of_the_type(self):
        self.save_field({"value": 1.5}, name="first")
        self.assertEqual(self.save_field({"value": 2}, name="second"), {"value": 2, "type": "DOUBLE"})

    def test_a_mismatch_with_the_schema_names_the_field_and_the_expected_type(self):
        self.save_field({"value": 7, "type": "INT64"})
        reason = self.check_refused({"value": "seven", "type": "STRING"})
        self.assertRegex(reason, r"\bf\b")
        self.assertIn("INT64", reason)
        self.assertEqual(self.cloud.lookup("n")[0]["fields"]["f"], {"value": 7, "type": "INT64"})


class Clearing(FieldCase):
    def test_null_and_empty_forms_take_a_field_away(self):
        for form in ({"value": None}, {}, None, {"value": None, "type": "STRING"}):
            with self.subTest(form=form):
                self.cloud.save("n", {"f": "text", "kept": 1})
                self.assertIsNone(self.save_field(form))
                self.assertEqual(list(self.cloud.lookup("n")[0]["fields"]), ["kept"])

    def test_an_empty_list_stays(self):
        self.cloud.save("n", {"f": ["a"]})
        self.check_field({"value": [], "type": "STRING_LIST"}, {"value": [], "type": "STRING_LIST"})

    def test_an_empty_string_stays(self):
        self.check_field({"value": ""}, {"value": "", "type": "STRING"})


class NumbersAsStrings(FieldCase):
    FIELDS = {
        "i": {"value": 9007199254740993, "type": "INT64"},
        "d": {"value": 1.5, "type": "DOUBLE"},
        "t": {"value": 1767323045000, "type": "TIMESTAMP"},
        "il": {"value": [1, 2], "type": "INT64_LIST"},
        "dl": {"value": [0.5], "type": "DOUBLE_LIST"},
        "tl": {"value": [5], "type": "TIMESTAMP_LIST"},
        "s": {"value": "7", "type": "STRING"},
        "p": {"value": {"latitude": 1.5, "longitude": 2.5}, "type": "LOCATION"},
    }

    def check_record(self, record):
        plain = {name: field["value"] for name, field in record["fields"].items()}
        place = plain.pop("p")
        self.assertEqual(
            plain,
            {
                "i": "9007199254740993",
                "d": "1.5",
                "t": "1767323045000",
                "il": ["1", "2"],
                "dl": ["0.5"],
                "tl": ["5"],
                "s": "7",
            },
        )
        self.assertEqual((place["latitude"], place["longitude"]), (1.5, 2.5), "coordinates stay numbers")
        self.assertIsInstance(record["created"]["timestamp"], int)
        self.assertEqual(record["fields"]["i"]["type"], "INT64")

    def test_numbers_become_strings_in_every_answer_that_asks_for_it(self):
        for spelling in ("numbersAsStrings", "numberAsStrings"):
            with self.subTest(spelling):
                more = {spelling: True}
                self.check_record(
                    self.cloud.modify(operation("forceUpdate", "n", raw=self.FIELDS), **more).succeeded()["records"][0]
                )
                self.check_record(self.cloud.lookup("n", **more)[0])
                self.check_record(self.cloud.zone_changes(**more)["records"][0])
                body = {"zones": [{"zoneID": {"zoneName": "Notes"}}], **more}
                self.check_record(self.cloud.call("changes/zone", body).succeeded()["zones"][0]["records"][0])

    def test_numbers_stay_numbers_otherwise(self):
        self.cloud.modify(operation("forceUpdate", "n", raw=self.FIELDS), numbersAsStrings=True).succeeded()
        record = self.cloud.lookup("n", numbersAsStrings=False)[0]
        self.assertEqual(record["fields"]["i"]["value"], 9007199254740993)
        self.assertEqual(record["fields"]["d"]["value"], 1.5)


class DesiredKeys(FieldCase):
    def setUp(self):
        super().setUp()
        self.cloud.save("n", {"a": 1, "b": "two", "c": [3]})

    def names(self, item):
        return sorted(self.assert_saved(item)["fields"])

    def test_they_limit_the_fields_of_a_lookup(self):
        for keys, expected in ((["a"], ["a"]), (["c", "a", "nowhere"], ["a", "c"]), ([], []), (None, ["a", "b", "c"])):
            with self.subTest(keys=keys):
                self.assertEqual(self.names(self.cloud.lookup("n", desiredKeys=keys)[0]), expected)

    def test_those_of_an_item_count_before_those_of_the_request(self):
        self.cloud.save("m", {"a": 1, "b": "two"})
        body = {
            "records": [{"recordName": "n", "desiredKeys": ["b"]}, {"recordName": "m"}],
            "desiredKeys": ["a"],
            "zoneID": {"zoneName": "Notes"},
        }
        items = self.cloud.call("records/lookup", body).succeeded()["records"]
        self.assertEqual([self.names(item) for item in items], [["b"], ["a"]])

    def test_they_limit_the_answer_of_a_save_and_not_the_save(self):
        save = {**operation("forceUpdate", "n", {"a": 5}), "desiredKeys": ["b"]}
        reply = self.cloud.modify(save, operation("forceUpdate", "m", {"x": 1}), desiredKeys=[]).succeeded()
        self.assertEqual([self.names(item) for item in reply["records"]], [["b"], []])
        self.assertEqual(self.cloud.lookup("n")[0]["fields"]["a"]["value"], 5)

    def test_they_limit_the_fields_of_a_feed(self):
        self.assertEqual(self.names(self.cloud.zone_changes(desiredKeys=["b"])["records"][0]), ["b"])
        body = {"zones": [{"zoneID": {"zoneName": "Notes"}}], "desiredKeys": ["c"]}
        self.assertEqual(self.names(self.cloud.call("changes/zone", body).succeeded()["zones"][0]["records"][0]), ["c"])
        body["zones"][0]["desiredKeys"] = ["a"]
        self.assertEqual(self.names(self.cloud.call("changes/zone", body).succeeded()["zones"][0]["records"][0]), ["a"])
