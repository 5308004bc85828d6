"""What the black-box tests of a Supabase-style service share: a client of plain HTTP, keys and tokens."""

import base64
import hashlib
import hmac
import http.client
import json
import re

from support import ServerCase

DATED = {"X-Supabase-Api-Version": "2024-01-01"}
USER_KEYS = [
    "id", "aud", "role", "email", "phone", "email_confirmed_at", "confirmed_at", "last_sign_in_at", "app_metadata",
    "user_metadata", "identities", "is_anonymous", "created_at", "updated_at",
]
SESSION_KEYS = ["access_token", "token_type", "expires_in", "expires_at", "refresh_token", "user"]
TIME = re.compile(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")


class Reply:
    def __init__(self, response):
        self.status = response.status
        self.headers = {name.lower(): value for name, value in response.getheaders()}
        self.body = response.read()

    @property
    def json(self):
        return json.loads(self.body)


class Auth:
    """A client of one server over one connection, with a key."""

    def __init__(self, address, key="test"):
        self.connection = http.client.HTTPConnection(address, timeout=20)
        self.key = key

    def close(self):
        self.connection.close()

    def ask(self, method, path, body=None, bearer=None, headers=None, root="/auth/v1/"):
        fields = dict(DATED if headers is None else headers)
        if self.key is not None:
            fields.setdefault("apikey", self.key)
        if bearer:
            fields["Authorization"] = f"Bearer {bearer}"
        if body is not None:
            fields["Content-Type"] = "application/json"
        text = body if isinstance(body, (bytes, str, type(None))) else json.dumps(body)
        return self.ask_raw(method, root + path, text, fields)

    def ask_raw(self, method, path, body, fields):
        self.connection.request(method, path, body, fields)
        return Reply(self.connection.getresponse())

    def sign_up(self, email, password="secret1", **more):
        return self.ask("POST", "signup", {"email": email, "password": password, **more})

    def sign_in(self, email, password="secret1"):
        return self.ask("POST", "token?grant_type=password", {"email": email, "password": password})

    def refresh(self, token):
        return self.ask("POST", "token?grant_type=refresh_token", {"refresh_token": token})


def part(token, index):
    text = token.split(".")[index]
    return json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def signed(secret, claims, algorithm="HS256"):
    text = ".".join(encoded(json.dumps(item).encode()) for item in ({"alg": algorithm, "typ": "JWT"}, claims))
    return text + "." + encoded(hmac.new(secret, text.encode(), hashlib.sha256).digest())


class AuthCase(ServerCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        control = Auth(cls.server.http, key=None)
        cls.keys = control.ask("GET", "keys", headers={}, root="/zonekit/").json
        control.close()

    def setUp(self):
        self.auth = self.keep(Auth(self.server.http, self.keys["anonKey"]))
        self.admin = self.keep(Auth(self.server.http, self.keys["serviceRoleKey"]))
        self.email = f"{self.id().rpartition('.')[2]}@example.test"

    def assert_error(self, reply, status, code, message=None):
        self.assertEqual((reply.status, reply.json["code"]), (status, code), reply.body)
        self.assertEqual(reply.headers["x-supabase-api-version"], "2024-01-01")
        if message:
            self.assertEqual(reply.json["message"], message)
