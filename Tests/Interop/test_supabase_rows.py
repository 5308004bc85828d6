"""Rows of a Supabase-style service over plain HTTP: everything under /rest/v1."""

import http.client
import json
import threading
import urllib.parse
import uuid

from supabase_http import Auth, AuthCase

PUSH = "return=representation,resolution=merge-duplicates,zonekit-verdicts"
STAMPS = ["created_at", "updated_at", "deleted_at", "edited_at", "changed_by"]


class Rows:
    """An account's way to its rows."""

    def __init__(self, auth, bearer=None):
        self.auth = auth
        self.bearer = bearer

    def ask(self, method, path, body=None, prefer=None, **headers):
        fields = {name.replace("_", "-"): value for name, value in headers.items()}
        if prefer:
            fields["Prefer"] = prefer
        return self.auth.ask(method, path, body, bearer=self.bearer, headers=fields, root="/rest/v1/")

    def select(self, table, query="", **more):
        return self.ask("GET", f"{table}?{query}", **more)

    def upsert(self, table, rows, prefer=PUSH):
        return self.ask("POST", table, rows, prefer=prefer)


class RowCase(AuthCase):
    def setUp(self):
        super().setUp()
        session = self.auth.sign_up(self.email).json
        self.account = session["user"]["id"]
        self.rows = Rows(self.auth, session["access_token"])

    def other(self):
        auth = self.keep(Auth(self.server.http, self.keys["anonKey"]))
        session = auth.sign_up("other-" + self.email).json
        return Rows(auth, session["access_token"])

    def person(self, name="Ben", **columns):
        row = {
            "id": str(uuid.uuid4()), "owner_id": self.account, "name": name, "phone_number": None, "photo_url": None,
            "color_hex": "#3366CC", "is_archived": False, "last_viewed_date": None,
            "created_at": "2026-05-04T07:00:00.000Z", "deleted_at": None, "edited_at": "2026-05-04T07:08:10.500Z",
            "updated_at": None, "changed_by": "0F3C:40",
        }
        return row | columns

    def assert_refused(self, reply, status, code, message=None):
        self.assertEqual((reply.status, reply.json["code"]), (status, code), reply.body)
        self.assertEqual(list(reply.json), ["code", "message", "details", "hint"])
        self.assertEqual(reply.headers["proxy-status"], f"PostgREST; error={code}")
        if message:
            self.assertEqual(reply.json["message"], message)


class PushAndPull(RowCase):
    def test_a_push_inserts_merges_and_keeps(self):
        ben, cleo = self.person(), self.person("Cleo")
        reply = self.rows.upsert("persons", [ben, cleo])
        self.assertEqual((reply.status, reply.headers["zonekit-verdicts"]), (201, "inserted,inserted"))
        self.assertEqual(reply.headers["preference-applied"], "return=representation, resolution=merge-duplicates")
        self.assertEqual([row["name"] for row in reply.json], ["Ben", "Cleo"])
        stored = reply.json[0]
        self.assertEqual(stored["edited_at"], "2026-05-04T07:08:10.500+00:00")
        self.assertLess(stored["updated_at"], reply.json[1]["updated_at"])
        self.assertEqual(stored["changed_by"], "0F3C:40")
        newer = ben | {"name": "Benny", "updated_at": stored["updated_at"], "changed_by": "0F3C:41"}
        older = cleo | {"name": "Old", "edited_at": "2026-05-01T00:00:00Z", "changed_by": "1A:7"}
        reply = self.rows.upsert("persons", [newer, older])
        self.assertEqual((reply.status, reply.headers["zonekit-verdicts"]), (200, "updated,kept"))
        self.assertEqual([row["name"] for row in reply.json], ["Benny", "Cleo"])
        log = self.rows.select("conflict_log").json
        self.assertEqual([(row["key"], row["rule"], row["loser_device"]) for row in log], [(cleo["id"], "editedAt", "1A")])
        self.assertEqual(json.loads(log[0]["loser"])["name"], "Old")

    def test_a_repeat_changes_nothing(self):
        ben = self.person()
        self.rows.upsert("persons", [ben])
        later = ben | {"name": "Benny", "edited_at": "2026-05-04T08:00:00Z", "changed_by": "1A:1"}
        self.assertEqual(self.rows.upsert("persons", [later]).headers["zonekit-verdicts"], "updated")
        before = self.rows.select("persons").body
        reply = self.rows.upsert("persons", [ben])
        self.assertEqual((reply.headers["zonekit-verdicts"], reply.json[0]["name"]), ("repeat", "Benny"))
        self.assertEqual(self.rows.upsert("persons", [later]).headers["zonekit-verdicts"], "repeat")
        self.assertEqual(self.rows.select("persons").body, before)

    def test_a_pull_reads_each_row_once_up_to_the_newest_stamp(self):
        people = [self.person(f"P{number}") for number in range(7)]
        for person in people:
            self.rows.upsert("persons", person)
        feed = self.rows.select("persons", "limit=0")
        self.assertEqual((feed.json, feed.headers["content-range"]), ([], "*/*"))
        incarnation, newest, horizon = feed.headers["zonekit-feed"].split(";")
        self.assertRegex(incarnation, "^[0-9a-f]{16}$")
        self.assertEqual(horizon, "0")
        self.rows.upsert("persons", self.person("late"))
        until = urllib.parse.quote(self.rows.select("persons", "name=eq.P6").json[0]["updated_at"])
        cursor, names = "1970-01-01T00:00:00.000%2B00:00", []
        for _ in range(9):
            page = self.rows.select(
                "persons",
                f"select=*&updated_at=gt.{cursor}&updated_at=lte.{until}&order=updated_at.asc,id.asc&limit=2",
            )
            self.assertEqual(page.status, 200, page.body)
            if not page.json:
                break
            self.assertEqual(page.headers["content-range"], f"0-{len(page.json) - 1}/*")
            names += [row["name"] for row in page.json]
            cursor = urllib.parse.quote(page.json[-1]["updated_at"])
        self.assertEqual(names, [f"P{number}" for number in range(7)])

    def test_rows_have_all_columns_in_their_order(self):
        self.rows.upsert("persons", self.person(name='a "quoted"\nname \U0001f600'))
        row = self.rows.select("persons", "order=updated_at").json[0]
        own = ["id", "owner_id", "name", "phone_number", "photo_url", "color_hex", "is_archived", "last_viewed_date"]
        self.assertEqual(list(row), own + STAMPS)
        self.assertEqual(row["name"], 'a "quoted"\nname \U0001f600')
        self.assertEqual(row["created_at"], "2026-05-04T07:00:00.000+00:00")
        expense = {"title": "Dinner", "amount": 84.5, "date": "2026-05-04 09:08:09.1239+02"}
        reply = self.rows.upsert("financial_transactions", expense)
        self.assertEqual((reply.json[0]["amount"], reply.json[0]["currency"]), (84.5, "CHF"))
        self.assertEqual(reply.json[0]["date"], "2026-05-04T07:08:09.123+00:00")

    def test_owned_rows_are_deleted_with_their_owner_in_one_change(self):
        me, expense = self.person("Me"), {"id": str(uuid.uuid4()), "title": "Dinner", "amount": 20}
        self.rows.upsert("persons", me)
        self.rows.upsert("financial_transactions", expense)
        split = {"transaction_id": expense["id"], "owed_by_id": me["id"], "amount": 20}
        self.assertEqual(self.rows.upsert("transaction_splits", split).status, 201)
        path = f"financial_transactions?id=eq.{expense['id'].upper()}"
        reply = self.rows.ask("PATCH", path, {"deleted_at": "2026-05-05T00:00:00Z"}, prefer="return=representation")
        self.assertEqual(reply.status, 200, reply.body)
        split = self.rows.select("transaction_splits").json[0]
        self.assertEqual(split["deleted_at"], "2026-05-05T00:00:00.000+00:00")
        self.assertEqual(split["edited_at"], reply.json[0]["edited_at"])
        self.rows.ask("PATCH", path, {"deleted_at": None})
        self.assertIsNone(self.rows.select("transaction_splits").json[0]["deleted_at"])

    def test_the_profile_is_made_by_the_server(self):
        self.auth.sign_up("p" + self.email, data={"display_name": "Mara"})
        rows = Rows(self.auth, self.auth.sign_in("p" + self.email).json["access_token"])
        profile = rows.select("profiles").json
        self.assertEqual([row["display_name"] for row in profile], ["Mara"])
        self.assertEqual(profile[0]["edited_at"], "1970-01-01T00:00:00.000+00:00")
        self.assertEqual(self.rows.select("profiles").json[0]["display_name"], "Me")


class Reading(RowCase):
    def setUp(self):
        super().setUp()
        names = ["Ann", "ben, the 2nd", 'C"leo', "Dan"]
        for name, color in zip(names, ["#1", "#2", None, "#2"]):
            self.rows.upsert("persons", self.person(name, color_hex=color))

    def names(self, query):
        reply = self.rows.select("persons", query)
        self.assertEqual(reply.status, 200, reply.body)
        return [row["name"] for row in reply.json]

    def test_filters_find_what_they_say(self):
        cases = {
            "name=eq.Ann": ["Ann"],
            "name=neq.Ann&order=name.desc": ["ben, the 2nd", "Dan", 'C"leo'],
            "color_hex=eq.%232&order=name": ["Dan", "ben, the 2nd"],
            "color_hex=not.eq.%232": ["Ann"],
            "color_hex=is.null": ['C"leo'],
            "color_hex=not.is.null&order=name.asc": ["Ann", "Dan", "ben, the 2nd"],
            'name=in.(Dan,"ben, the 2nd","C\\"leo")&order=name': ['C"leo', "Dan", "ben, the 2nd"],
            "name=in.()": [],
            "name=like.*n": ["Ann", "Dan"],
            "name=ilike.B%25": ["ben, the 2nd"],
            'or=(name.eq.Ann,and(color_hex.eq."%232",name.like.D*))&order=name': ["Ann", "Dan"],
            "not.or=(name.eq.Ann,name.eq.Dan)&order=name": ['C"leo', "ben, the 2nd"],
            "is_archived=neq.True&order=color_hex.desc,name.desc&limit=2": ['C"leo', "ben, the 2nd"],
            "order=color_hex.asc.nullsfirst&limit=1": ['C"leo'],
            "is_archived=is.FALSE&name=gte.C&name=lt.E&order=name": ['C"leo', "Dan"],
        }
        for query, expected in cases.items():
            with self.subTest(query):
                self.assertEqual(sorted(self.names(query.replace('"', "%22").replace(" ", "+"))), sorted(expected))

    def test_columns_are_chosen_renamed_and_cast(self):
        reply = self.rows.select("persons", "select=who:name,+is_archived::text&name=eq.Ann")
        self.assertEqual(reply.json, [{"who": "Ann", "is_archived": "false"}])

    def test_counts_and_ranges(self):
        reply = self.rows.select("persons", "limit=3", prefer="count=exact")
        self.assertEqual((reply.status, reply.headers["content-range"]), (206, "0-2/4"))
        reply = self.rows.select("persons", "offset=3", prefer="count=planned")
        self.assertEqual((reply.status, reply.headers["content-range"]), (206, "3-3/4"))
        reply = self.rows.select("persons", "name=eq.x", prefer="count=exact")
        self.assertEqual((reply.status, reply.headers["content-range"]), (200, "*/0"))
        reply = self.rows.select("persons", "offset=9", prefer="count=exact")
        self.assert_refused(reply, 416, "PGRST103")
        self.assertEqual(reply.headers["content-range"], "*/4")
        reply = self.rows.ask("HEAD", "persons", prefer="count=exact")
        self.assertEqual((reply.status, reply.headers["content-range"], reply.body), (200, "0-3/4", b""))

    def test_one_row_as_an_object(self):
        single = "application/vnd.pgrst.object+json"
        reply = self.rows.select("persons", "name=eq.Ann&select=name,phone_number", Accept=single)
        self.assertEqual(reply.json, {"name": "Ann", "phone_number": None})
        self.assertEqual(reply.headers["content-type"], single + "; charset=utf-8")
        reply = self.rows.select("persons", "name=eq.Ann&select=name,phone_number", Accept=single + ";nulls=stripped")
        self.assertEqual(reply.json, {"name": "Ann"})
        for query, count in (("name=eq.x", 0), ("", 4)):
            reply = self.rows.select("persons", query, Accept=single)
            self.assert_refused(reply, 406, "PGRST116", "Cannot coerce the result to a single JSON object")
            self.assertEqual(reply.json["details"], f"The result contains {count} rows")

    def test_a_get_with_a_body_is_answered_and_the_connection_goes_on(self):
        for _ in range(2):
            self.assertEqual(len(self.rows.ask("GET", "persons", {}).json), 4)


class Writing(RowCase):
    def test_an_insert_of_a_known_key_is_refused_or_ignored(self):
        ben = self.person()
        self.assertEqual(self.rows.ask("POST", "persons", ben).status, 201)
        reply = self.rows.ask("POST", "persons", ben)
        self.assert_refused(reply, 409, "23505", 'duplicate key value violates unique constraint "persons_pkey"')
        self.assertEqual(reply.json["details"], f"Key (id)=({ben['id']}) already exists.")
        ignore = "resolution=ignore-duplicates,return=representation"
        reply = self.rows.ask("POST", "persons", [ben, self.person("Cleo")], prefer=ignore)
        self.assertEqual((reply.status, [row["name"] for row in reply.json]), (201, ["Cleo"]))

    def test_a_write_answers_as_much_as_is_asked(self):
        reply = self.rows.ask("POST", "persons", {"name": "Ann"})
        self.assertEqual((reply.status, reply.body, reply.headers["content-range"]), (201, b"", "*/*"))
        self.assertEqual(reply.headers["zonekit-verdicts"], "inserted=1;updated=0;same=0;repeat=0;kept=0")
        reply = self.rows.ask("POST", "persons", {"name": "Ben"}, prefer="return=headers-only")
        self.assertRegex(reply.headers["location"], r"^/persons\?id=eq\.[0-9a-f-]{36}$")
        reply = self.rows.ask("POST", "persons?select=name", [{"name": "C"}], prefer="return=representation,count=exact")
        self.assertEqual((reply.json, reply.headers["content-range"]), ([{"name": "C"}], "*/1"))
        for prefer, status in ((PUSH, 200), (None, 201)):
            self.assertEqual(self.rows.ask("POST", "persons", [], prefer=prefer).status, status)

    def test_patch_and_delete_change_what_they_find(self):
        ben = self.person()
        self.rows.upsert("persons", [ben, self.person("Cleo")])
        path = "persons?id=eq." + ben["id"].upper()
        before = self.rows.select("persons", "name=eq.Ben").json[0]["updated_at"]
        reply = self.rows.ask("PATCH", path, {"name": "Benny"}, prefer="return=representation")
        self.assertEqual((reply.status, reply.headers["content-range"]), (200, "0-0/*"))
        self.assertGreater(reply.json[0]["updated_at"], before)
        self.assertIsNone(reply.json[0]["changed_by"])
        self.assertEqual(self.rows.ask("PATCH", path, {"name": "B"}).status, 204)
        self.assertEqual(self.rows.ask("PATCH", path, {}, prefer="return=representation").json[0]["name"], "B")
        self.assert_refused(self.rows.ask("PATCH", path, {"id": str(uuid.uuid4())}), 400, "0A000")
        reply = self.rows.ask("DELETE", path, prefer="return=representation")
        self.assertEqual((reply.status, [row["name"] for row in reply.json]), (200, ["B"]))
        self.assertEqual(self.rows.ask("DELETE", path, prefer="return=representation").json, [])
        gone = self.rows.select("row_deletions").json
        self.assertEqual([(row["table_name"], row["key"]) for row in gone], [("persons", ben["id"])])
        self.assert_refused(self.rows.ask("DELETE", "persons"), 400, "21000", "DELETE requires a WHERE clause")

    def test_a_row_that_others_refer_to_cannot_be_removed(self):
        ben, path = self.person(), "persons?id=eq."
        self.rows.upsert("persons", ben)
        self.rows.upsert("reminders", {"to_person_id": ben["id"], "amount": 5})
        self.assert_refused(self.rows.ask("DELETE", path + ben["id"]), 409, "23503")

    def test_errors_have_the_codes_of_postgrest(self):
        ben = self.person()
        cases = [
            ("GET", "nothing", None, 404, "PGRST205"), ("GET", "rpc/f", None, 404, "PGRST202"),
            ("PUT", "persons", {}, 405, "PGRST117"), ("GET", "persons?name=near.x", None, 400, "PGRST100"),
            ("GET", "persons?select=*,splits(*)", None, 400, "PGRST100"), ("GET", "persons?x=eq.1", None, 400, "42703"),
            ("GET", "persons?order=x", None, 400, "42703"), ("GET", "persons?id=eq.x", None, 400, "22P02"),
            ("GET", "persons?updated_at=gt.x", None, 400, "22007"),
            ("GET", "persons?updated_at=gt.2026-05-04T07:08:09+00:00", None, 400, "22007"), ("POST", "persons", "{", 400, "PGRST102"),
            ("POST", "persons", {"x": 1}, 400, "PGRST204"), ("POST", "persons?columns=x", [], 400, "PGRST204"),
            ("POST", "persons", [{"name": "a"}, {}], 400, "PGRST102"), ("POST", "persons", {"name": None}, 400, "23502"),
            ("POST", "persons?on_conflict=name", ben, 400, "42P10"), ("POST", "persons", {"name": "a\u0000"}, 400, "22P05"),
            ("POST", "subscriptions", {"name": "a", "custom_cycle_days": 2**31}, 400, "22003"),
            ("POST", "settlements", {"from_person_id": str(uuid.uuid4())}, 409, "23503"),
            ("POST", "row_deletions", {"key": "a", "id": "x", "table_name": "t"}, 403, "42501"),
            ("PATCH", "persons", {"name": "a"}, 400, "21000"),
        ]
        for method, path, body, status, code in cases:
            with self.subTest(f"{method} {path} {body}"):
                self.assert_refused(self.rows.ask(method, path, body), status, code)
        self.assert_refused(self.rows.upsert("persons", [ben, ben]), 500, "21000")
        self.rows.upsert("persons", [ben])
        self.assert_refused(self.rows.upsert("persons", [{"id": ben["id"], "color_hex": "#000000"}]), 400, "23502")
        self.rows.ask("DELETE", f"persons?id=eq.{ben['id']}", None)
        self.assert_refused(self.rows.select("persons", "", Accept="text/csv"), 406, "PGRST107")
        self.assert_refused(self.rows.select("persons", "", Accept_Profile="other"), 406, "PGRST106")
        self.assert_refused(self.rows.select("persons", "", prefer="handling=strict,x=y"), 400, "PGRST122")
        self.assertEqual(self.rows.select("persons").json, [])

    def test_a_write_of_too_many_rows_changes_nothing(self):
        people = [self.person(f"P{number}") for number in range(3)]
        self.rows.upsert("persons", people)
        reply = self.rows.ask(
            "PATCH", "persons?name=like.P*", {"name": "x"}, prefer="handling=strict,max-affected=2"
        )
        self.assert_refused(reply, 400, "PGRST124")
        self.assertEqual(len(self.rows.select("persons", "name=like.P*").json), 3)


class OtherAccounts(RowCase):
    def test_see_and_change_nothing(self):
        ben = self.person()
        self.rows.upsert("persons", ben)
        other = self.other()
        self.assertEqual(other.select("persons").json, [])
        self.assert_refused(other.upsert("persons", ben), 403, "42501")
        hidden = {key: value for key, value in ben.items() if key != "owner_id"}
        message = 'new row violates row-level security policy (USING expression) for table "persons"'
        self.assert_refused(other.upsert("persons", hidden), 403, "42501", message)
        path = "persons?id=eq." + ben["id"]
        self.assertEqual(other.ask("PATCH", path, {"name": "x"}, prefer="return=representation").json, [])
        self.assertEqual(other.ask("DELETE", path, prefer="return=representation").json, [])
        self.assert_refused(other.upsert("settlements", {"to_person_id": ben["id"]}), 409, "23503")
        self.assertEqual(self.rows.select("persons").json[0]["name"], "Ben")

    def test_nobody_reads_nothing_and_writes_nothing(self):
        self.rows.upsert("persons", self.person())
        nobody = Rows(self.auth)
        self.assertEqual(nobody.select("persons").json, [])
        self.assert_refused(nobody.upsert("persons", self.person()), 401, "42501")
        live = [row["tablename"] for row in nobody.select("pg_publication_tables").json]
        self.assertEqual(len(live), 6)

    def test_the_service_sees_all_and_writes_for_owners(self):
        service = Rows(self.admin)
        self.rows.upsert("persons", self.person())
        ann = self.person("Ann")
        self.assertEqual(service.upsert("persons", ann).status, 201)
        owners = {row["owner_id"] for row in service.select("persons", f"owner_id=eq.{self.account}").json}
        self.assertEqual(owners, {self.account})
        self.assertNotIn("zonekit-feed", service.select("persons").headers)
        self.assertEqual(sorted(row["name"] for row in self.rows.select("persons").json), ["Ann", "Ben"])

    def test_may_not_write_rows_as_records(self):
        path = "/database/1/com.example.swisscoin/development/private/records/modify"
        body = {
            "zoneID": {"zoneName": "SwissCoin"},
            "operations": [{"operationType": "forceDelete", "record": {"recordName": f"profiles/{self.account}"}}],
        }
        reply = self.auth.ask(
            "POST", f"{path}?ckAPIToken=t&ckWebAuthToken=user:{self.account}", body, root="", headers={}
        )
        self.assertEqual(reply.json["serverErrorCode"], "ACCESS_DENIED", reply.body)
        self.assertIn("/rest/v1", reply.json["reason"])
        self.assertEqual(len(self.rows.select("profiles").json), 1)

    def test_a_bad_token_is_refused(self):
        reply = Rows(self.auth, self.rows.bearer[:-2]).select("persons")
        self.assertEqual((reply.status, reply.json["code"]), (401, "PGRST301"), reply.body)


class KilledServer(RowCase):
    def test_every_answered_row_is_there_once_after_a_kill_and_repeats(self):
        server = self.serve()
        key = self.keep(Auth(server.http, key=None)).ask("GET", "keys", headers={}, root="/zonekit/").json["anonKey"]
        auth = self.keep(Auth(server.http, key))
        session = auth.sign_up(self.email).json
        rows, self.account = Rows(auth, session["access_token"]), session["user"]["id"]
        people = [self.person(f"P{number}", changed_by=f"D:{number}") for number in range(200)]
        answered, enough = [], threading.Event()

        def push():
            try:
                for person in people:
                    if rows.upsert("persons", person).status == 201:
                        answered.append(person["id"])
                    if len(answered) == 60:
                        enough.set()
            except (OSError, http.client.HTTPException):
                enough.set()

        writer = threading.Thread(target=push)
        writer.start()
        enough.wait()
        server.kill()
        writer.join()
        again = self.serve(server.data)
        rows = Rows(self.keep(Auth(again.http, key)), rows.bearer)
        stored = [row["id"] for row in rows.select("persons", "limit=1000").json]
        self.assertGreaterEqual(len(answered), 60)
        self.assertEqual(len(stored), len(set(stored)))
        self.assertLessEqual(set(answered), set(stored))
        verdicts = [rows.upsert("persons", person).headers["zonekit-verdicts"] for person in people]
        for person, verdict in zip(people, verdicts):
            self.assertEqual(verdict, "repeat" if person["id"] in stored else "inserted")
        self.assertEqual(len(rows.select("persons", "limit=1000").json), 200)
