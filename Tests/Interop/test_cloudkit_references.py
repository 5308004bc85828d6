"""CloudKit Web Services: references that bind (b.5): DELETE_SELF, VALIDATE and NONE."""

from clients import operation
from support import ServerCase


def reference(target, action):
    return {"value": {"recordName": target, "action": action}, "type": "REFERENCE"}


class References(ServerCase):
    def setUp(self):
        super().setUp()
        self.cloud.create_zone()

    def save_reference(self, source, target, action, **more):
        return self.cloud.save(source, raw={"to": reference(target, action)}, **more)

    def names_in_feed(self, token):
        return [(record["recordName"], record["deleted"]) for record in self.cloud.feed(token=token)[0]]

    def names(self):
        return {record["recordName"] for record in self.cloud.feed()[0] if not record["deleted"]}

    def test_deleting_a_target_deletes_what_refers_to_it_all_the_way_down(self):
        self.cloud.save("root")
        self.save_reference("child", "root", "DELETE_SELF")
        self.save_reference("grandchild", "child", "DELETE_SELF")
        self.cloud.save("bystander", raw={"to": reference("root", "NONE")})
        token = self.cloud.zone_changes()["syncToken"]
        self.cloud.delete("root")
        self.assertEqual(self.names(), {"bystander"})
        self.assertCountEqual(self.names_in_feed(token), [("root", True), ("child", True), ("grandchild", True)])

    def test_a_reference_in_a_list_binds_too(self):
        self.cloud.save("root")
        value = [{"recordName": "other", "action": "NONE"}, {"recordName": "root", "action": "DELETE_SELF"}]
        self.cloud.save("child", raw={"all": {"value": value, "type": "REFERENCE_LIST"}})
        self.cloud.delete("root")
        self.assertEqual(self.names(), set())

    def test_a_reference_that_was_taken_away_binds_no_more(self):
        self.cloud.save("root")
        self.save_reference("child", "root", "DELETE_SELF")
        self.cloud.save("child", raw={"to": {"value": None}})
        self.cloud.delete("root")
        self.assertEqual(self.names(), {"child"})

    def test_a_circle_of_references_ends(self):
        self.save_reference("a", "b", "DELETE_SELF")
        self.save_reference("b", "a", "DELETE_SELF")
        self.save_reference("self", "self", "DELETE_SELF")
        self.cloud.delete("a")
        self.assertEqual(self.names(), {"self"})
        self.cloud.delete("self")
        self.assertEqual(self.names(), set())

    def test_target_and_source_can_be_deleted_in_one_request_in_any_order(self):
        for order in (("root", "child"), ("child", "root")):
            self.cloud.save("root")
            self.save_reference("child", "root", "DELETE_SELF")
            reply = self.cloud.modify(*[operation("forceDelete", name) for name in order])
            self.assertEqual(reply.status, 200, reply.json)
            self.assertEqual(self.names(), set())

    def test_a_cascade_is_answered_with_one_entry_for_each_operation(self):
        self.cloud.save("root")
        self.save_reference("child", "root", "DELETE_SELF")
        records = self.cloud.modify(operation("forceDelete", "root"), operation("forceUpdate", "last")).succeeded()[
            "records"
        ]
        self.assertEqual(records[0]["recordName"], "root")
        self.assertEqual([record["recordName"] for record in records if not record["deleted"]], ["last"])

    def test_a_target_takes_hundreds_of_dependents_with_it(self):
        """750 at Apple (g); more may be allowed here, because a long log hangs on one profile."""
        self.cloud.save("root")
        saves = [
            operation("create", f"n-{number}", raw={"to": reference("root", "DELETE_SELF")}) for number in range(751)
        ]
        for start in range(0, 750, 150):
            self.cloud.modify(*saves[start : start + 150]).succeeded()
        item = self.cloud.modify(saves[750], atomic=False).succeeded()["records"][0]
        if "serverErrorCode" in item:
            self.assert_item_error(item, "BAD_REQUEST")
        self.cloud.delete("root")
        self.assertEqual(self.names(), set())

    def test_a_validating_reference_needs_its_target(self):
        refused = operation("create", "child", raw={"to": reference("root", "VALIDATE")})
        item = self.cloud.modify(refused, atomic=False).succeeded()["records"][0]
        self.assert_item_error(item, "VALIDATING_REFERENCE_ERROR")
        self.assertRegex(item["reason"], r"\bto\b")
        self.assertIn("root", item["reason"])
        self.cloud.save("root")
        self.assert_saved(self.cloud.modify(refused).succeeded()["records"][0])

    def test_a_target_stays_while_a_validating_reference_exists(self):
        self.cloud.save("root")
        self.save_reference("child", "root", "VALIDATE")
        item = self.cloud.modify(operation("forceDelete", "root"), atomic=False).succeeded()["records"][0]
        self.assert_item_error(item, "VALIDATING_REFERENCE_ERROR")
        self.assertEqual(self.names(), {"root", "child"})
        self.cloud.delete("child")
        self.assertIs(self.cloud.delete("root")["deleted"], True)

    def test_a_validating_reference_and_its_target_come_in_any_order(self):
        root, child = (
            operation("create", "root"),
            operation("create", "child", raw={"to": reference("root", "VALIDATE")}),
        )
        for order in ([root, child], [child, root]):
            reply = self.cloud.modify(*order)
            self.assertEqual(reply.status, 200, reply.json)
            reply = self.cloud.modify(operation("forceDelete", "root"), operation("forceDelete", "child"))
            self.assertEqual(reply.status, 200, reply.json)
            self.assertEqual(self.names(), set())

    def test_a_refused_validation_fails_the_atomic_batch(self):
        token = self.cloud.zone_changes()["syncToken"]
        reply = self.cloud.modify(
            operation("create", "other"), operation("create", "child", raw={"to": reference("root", "VALIDATE")})
        )
        self.assert_top_level_error(reply, 400, "ATOMIC_ERROR")
        self.assertEqual(
            [item["serverErrorCode"] for item in reply.json["records"]], ["ATOMIC_ERROR", "VALIDATING_REFERENCE_ERROR"]
        )
        self.assertEqual(self.names_in_feed(token), [])

    def test_a_reference_without_action_may_dangle(self):
        self.save_reference("child", "nowhere", "NONE")
        self.assertEqual(self.names(), {"child"})

    def test_deleting_self_may_dangle_until_the_target_comes_and_goes(self):
        self.save_reference("child", "later", "DELETE_SELF")
        self.cloud.save("later")
        self.cloud.delete("later")
        self.assertEqual(self.names(), set())
