"""The rules that `serve --strict` turns on, each in its two forms."""

from clients import operation
from support import Case

CONTAINER = "iCloud.com.example.interop"


class Strictness(Case):
    def setUp(self):
        self.data = self.folder() / "data"
        server = self.serve(self.data)
        self.keep(cloud := server.cloud("mara"))
        cloud.create_zone("Notes")
        fields = {"text": {"value": "x", "type": "STRING"}, "at": {"value": 1, "type": "TIMESTAMP"}}
        for name in ("a", "b", "c"):
            cloud.save(name, raw=fields)
        server.end()

    def modes(self):
        """A client of a lenient server over the data, and then one of a strict one, each with whether it is strict."""
        for arguments in ((), ("--strict",)):
            server = self.serve(self.data, *arguments)
            with self.subTest(arguments=arguments):
                yield self.keep(server.cloud("mara")), bool(arguments), server
            server.end()

    def result(self, cloud, *operations):
        return cloud.modify(*operations, atomic=False).succeeded()["records"][0]

    def assert_result(self, result, code):
        if code:
            self.assert_item_error(result, code)
        else:
            self.assertNotIn("serverErrorCode", result)

    def test_a_record_type_that_the_container_does_not_have(self):
        for cloud, strict, _ in self.modes():
            result = self.result(cloud, operation("create", None, {"text": "x"}, record_type=f"Late{strict}"))
            self.assert_result(result, strict and "NOT_FOUND")
            self.assertEqual(result.get("reason"), "did not find record type: LateTrue" if strict else None)

    def test_a_field_that_the_container_does_not_have(self):
        for cloud, strict, _ in self.modes():
            result = self.result(cloud, operation("create", None, {f"late{strict}": "x"}))
            self.assert_result(result, strict and "BAD_REQUEST")
            self.assertEqual(result.get("reason"), "Field lateTrue not found in Note" if strict else None)

    def test_a_delete_without_a_change_tag(self):
        for cloud, strict, _ in self.modes():
            deleting = {"operationType": "delete", "record": {"recordName": "b" if strict else "a"}}
            self.assert_result(self.result(cloud, deleting), strict and "CONFLICT")

    def test_an_empty_sync_token(self):
        for cloud, strict, _ in self.modes():
            page = cloud.zone_changes(token="")
            self.assertEqual(len(page["records"]), 0 if strict else 3)
            self.assertEqual(cloud.zone_changes(token=page["syncToken"])["records"], [])
            self.assertEqual(len(cloud.zone_changes()["records"]), 3)
            self.assertEqual(len(cloud.database_changes("")["zones"]), 0 if strict else 1)

    def test_a_time_with_a_fraction(self):
        for cloud, strict, _ in self.modes():
            result = self.result(cloud, operation("create", None, {"at": 1.5}))
            self.assert_result(result, strict and "BAD_REQUEST")
            self.assert_result(self.result(cloud, operation("create", None, {"at": 1})), None)

    def test_a_list_of_no_type_to_compare_with(self):
        for cloud, strict, _ in self.modes():
            for comparator in ("IN", "NOT_IN"):
                wanted = {"comparator": comparator, "fieldName": "text", "fieldValue": {"value": ["x"]}}
                body = {"zoneID": {"zoneName": "Notes"}, "query": {"recordType": "Note", "filterBy": [wanted]}}
                reply = cloud.call("records/query", body)
                if strict:
                    self.assert_top_level_error(reply, 400, "BAD_REQUEST")
                else:
                    reply.succeeded()
                wanted["fieldValue"]["type"] = "STRING_LIST"
                cloud.call("records/query", body).succeeded()

    def test_tokens_and_a_signature_in_one_request(self):
        for cloud, strict, server in self.modes():
            path = f"/database/1/{CONTAINER}/development/public/records/lookup?ckAPIToken=t&ckWebAuthToken=user:mara"
            headers = {
                "X-Apple-CloudKit-Request-KeyID": "k" * 64,
                "X-Apple-CloudKit-Request-ISO8601Date": "2026-01-02T03:04:05Z",
                "X-Apple-CloudKit-Request-SignatureV1": "c2lnbmF0dXJl",
            }
            reply = cloud.request("POST", path, b'{"records":[]}', headers)
            if strict:
                self.assert_top_level_error(reply, 401, "AUTHENTICATION_FAILED")
            else:
                reply.succeeded()
