"""Functions of a Supabase-style service over plain HTTP: calculate-balance."""

import uuid

from supabase_http import AuthCase


class CalculateBalance(AuthCase):
    def setUp(self):
        super().setUp()
        session = self.auth.sign_up(self.email).json
        self.token, self.me = session["access_token"], session["user"]["id"]
        self.ben = str(uuid.uuid4())

    def rows(self, table, rows):
        reply = self.auth.ask("POST", table, rows, bearer=self.token, root="/rest/v1/")
        self.assertEqual(reply.status, 201, reply.body)

    def call(self, body, bearer=None, name="calculate-balance", method="POST"):
        return self.auth.ask(method, name, body, bearer=bearer or self.token, root="/functions/v1/")

    def test_a_balance_follows_from_expenses_and_settlements(self):
        expense = str(uuid.uuid4())
        self.rows("persons", [{"id": self.me, "name": "Me"}, {"id": self.ben, "name": "Ben"}])
        self.rows("financial_transactions", {"id": expense, "amount": 84.5, "currency": "CHF", "payer_id": self.me})
        self.rows(
            "transaction_splits",
            [{"transaction_id": expense, "owed_by_id": who, "amount": 42.25} for who in (self.me, self.ben)],
        )
        self.rows(
            "settlements", {"amount": 3, "currency": "EUR", "from_person_id": self.ben, "to_person_id": self.me}
        )
        reply = self.call({"person_id": self.ben.upper()})
        self.assertEqual(reply.status, 200, reply.body)
        self.assertEqual(
            reply.body,
            b'{"balances":{"CHF":42.25,"EUR":-3},"is_settled":false,"primary_amount":42.25,"primary_currency":"CHF"}',
        )
        self.assertTrue(reply.headers["content-type"].startswith("application/json"))

    def test_what_is_wrong_is_refused_with_a_sentence(self):
        self.rows("persons", {"id": self.ben, "name": "Ben"})
        stranger = self.auth.sign_up("x" + self.email).json["access_token"]
        for body, bearer, status, sentence in (
            ({"person_id": str(uuid.uuid4())}, None, 404, "person not found"),
            ({"person_id": self.ben}, stranger, 404, "person not found"),
            ({"person_id": "x"}, None, 400, "person_id must be a UUID, not x"),
            ({}, None, 400, "person_id must be a text"),
            ("{", None, 400, "the body is not JSON"),
            ({"person_id": self.ben}, self.keys["anonKey"], 401, "the function needs the token of an account"),
        ):
            reply = self.call(body, bearer)
            self.assertEqual((reply.status, reply.json), (status, {"error": sentence}))
        unknown = self.call({}, name="other")
        self.assertEqual((unknown.status, unknown.json), (404, {"error": "Requested function was not found"}))
