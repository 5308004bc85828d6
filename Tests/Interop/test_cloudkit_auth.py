"""Who may ask CloudKit Web Services for what: tokens, keys of servers, the sign-in page, and `zonekit auth`."""

import base64
import datetime
import hashlib
import json
import re
import subprocess
import urllib.parse

from clients import CONTAINER, _Connection
from support import Case, eventually, run_zonekit

BODY = {"zones": [{"zoneName": "_defaultZone"}]}


class Web(Case):
    """Requests with the credentials that a test gives them."""

    mode = "open"

    def setUp(self):
        self.data = self.folder() / "data"
        self.server = self.serve(self.data, "--auth", self.mode)
        self.connection = self.keep(_Connection(self.server.http))

    def path(self, what, scope="public", container=CONTAINER, environment="development"):
        return f"/database/1/{container}/{environment}/{scope}/{what}"

    def send(self, method, target, body=None, headers=None):
        self.connection.request(method, target, body, headers or {})
        response = self.connection.getresponse()
        response.body = response.read()
        response.json = json.loads(response.body) if response.body.startswith(b"{") else {}
        response.headers = {name.lower(): value for name, value in response.getheaders()}
        return response

    def ask(self, what, body=None, scope="public", method="POST", headers=None, query="", **more):
        tokens = more.pop("tokens", {})
        query = query or urllib.parse.urlencode(tokens, quote_via=urllib.parse.quote)
        target = self.path(what, scope, **more) + (f"?{query}" if query else "")
        return self.send(method, target, json.dumps(body or {}).encode() if method == "POST" else None, headers)

    def auth(self, *words, code=0):
        run = run_zonekit("auth", *words, "--json", data=self.data)
        self.assertEqual(run.returncode, code, run.stderr or run.stdout)
        return [json.loads(line) for line in (run.stdout if code == 0 else run.stderr).splitlines()]

    def tokens(self, app="web", user="ann", **more):
        """Registered tokens of an app and a user, as parts of a query."""
        self.auth("user", "add", user)
        return {
            "ckAPIToken": self.auth("token", "add", app)[0]["token"],
            "ckWebAuthToken": self.auth("user", "token", user)[0]["token"], **more,
        }

    def assert_error(self, reply, status, code):
        self.assertEqual((reply.status, reply.json.get("serverErrorCode")), (status, code), reply.body)
        self.assertTrue(reply.json["uuid"] and reply.json["reason"])
        return reply.json


class Keys:
    """A key of a server, made and used with openssl."""

    def __init__(self, folder):
        self.private, self.public = folder / "key.pem", folder / "key.pub.pem"
        self.run("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", self.private)
        self.run("ec", "-in", self.private, "-pubout", "-out", self.public)

    def run(self, *words, stdin=b""):
        return subprocess.run(["openssl", *map(str, words)], input=stdin, capture_output=True, check=True).stdout

    def headers(self, path, body, key_id, date=None, empty=False):
        date = date or datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        middle = "" if empty else base64.b64encode(hashlib.sha256(body).digest()).decode()
        signature = self.run("dgst", "-sha256", "-sign", self.private, stdin=f"{date}:{middle}:{path}".encode())
        return {
            "X-Apple-CloudKit-Request-KeyID": key_id, "X-Apple-CloudKit-Request-ISO8601Date": date,
            "X-Apple-CloudKit-Request-SignatureV1": base64.b64encode(signature).decode(),
        }


def table(case, app, both):
    """The rows of e.1 about tokens."""
    case.assert_error(case.ask("records/lookup", {"records": [{"recordName": "a"}]}), 401, "AUTHENTICATION_FAILED")
    for tokens, expected in ((app, 421), (both, 200)):
        case.assertEqual(case.ask("records/lookup", {"records": [{"recordName": "a"}]}, tokens=tokens).status, 200)
        for what, body, scope in (
            ("records/modify", {"operations": []}, "public"), ("zones/list", {}, "private"),
            ("zones/lookup", BODY, "public"), ("subscriptions/list", {}, "public"), ("users/caller", {}, "public"),
            ("users/discover", {"lookupInfos": []}, "private"),
        ):
            reply = case.ask(what, body, scope, tokens=tokens)
            case.assertEqual(reply.status, expected, (what, reply.body))
            if expected == 421:
                error = case.assert_error(reply, 421, "AUTHENTICATION_REQUIRED")
                case.assertTrue(error["redirectURL"].startswith(f"http://{case.server.http}/signin?ticket="))


class OpenServers(Web):
    def test_the_table_of_tokens(self):
        table(self, {"ckAPIToken": "t"}, {"ckAPIToken": "t", "ckWebAuthToken": "user:ann"})

    def test_tokens_are_decoded_without_plus_signs_as_spaces(self):
        def name(query):
            reply = self.ask("users/caller", query="ckAPIToken=t&ckWebAuthToken=" + query)
            self.assertEqual(reply.status, 200, reply.body)
            return reply.json["userRecordName"], reply.headers.get("x-apple-cloudkit-web-auth-token")

        self.assertEqual(name("abc+def%2F%3D12"), name("abc%2Bdef/%3D12"))
        self.assertEqual(name("abc+def%2F%3D12")[1], "abc+def/=12")
        self.assertNotEqual(name("abc%20def%2F%3D12")[0], name("abc+def%2F%3D12")[0])
        self.assertEqual(name("user:%0D%0AX:y")[1], None)
        for wrong in ("%", "%zz", ""):
            self.assertIn(self.ask("users/caller", query="ckAPIToken=t&ckWebAuthToken=" + wrong).status, (400, 401))

    def test_pages_of_other_origins_may_read_the_token(self):
        reply = self.ask("users/caller", tokens={"ckAPIToken": "t", "ckWebAuthToken": "user:ann"}, headers={"Origin": "https://a.example"})
        self.assertEqual(reply.headers["access-control-expose-headers"], "X-Apple-CloudKit-Web-Auth-Token")
        self.assertEqual(reply.headers["x-apple-cloudkit-web-auth-token"], "user:ann")

    def test_an_unknown_key_is_trusted_and_a_registered_one_verified(self):
        keys = Keys(self.folder())
        path, body = self.path("records/modify"), json.dumps(
            {"operations": [{"operationType": "create", "record": {"recordName": "a", "recordType": "Note"}}]}).encode()
        trusted = keys.headers("/another", b"other", "unknown")
        saved = self.send("POST", path, body, trusted)
        self.assertEqual(saved.status, 200, saved.body)
        author = saved.json["records"][0]["created"]["userRecordName"]
        user = self.ask("users/caller", tokens={"ckWebAuthToken": "user:unknown"}).json["userRecordName"]
        self.assertNotEqual(author, user)
        self.assert_error(self.send("POST", self.path("users/caller"), b"{}", trusted), 401, "AUTHENTICATION_FAILED")
        for scope in ("private", "shared"):
            self.assert_error(self.send("POST", self.path("zones/list", scope), b"{}", trusted), 403, "ACCESS_DENIED")
        key = self.auth("key", "add", "importer", keys.public)[0]["keyID"]
        self.assertRegex(key, "^[0-9a-f]{64}$")
        self.assert_error(self.send("POST", path, body, keys.headers("/another", body, key)), 401, "AUTHENTICATION_FAILED")

    def test_the_page_signs_any_name_in_and_hands_the_token_over(self):
        redirect = self.ask("zones/list", scope="private", tokens={"ckAPIToken": "t"}).json["redirectURL"]
        target = redirect.removeprefix(f"http://{self.server.http}")
        page = self.send("GET", target)
        self.assertEqual((page.status, page.headers["content-type"]), (200, "text/html; charset=utf-8"))
        for name in ("content-security-policy", "x-content-type-options", "referrer-policy", "cache-control"):
            self.assertIn(name, page.headers)
        self.assertNotIn("access-control-allow-origin", self.send("GET", target, headers={"Origin": "https://a.example"}).headers)
        ticket = urllib.parse.parse_qs(urllib.parse.urlsplit(redirect).query)["ticket"][0]
        done = self.send("POST", "/signin", urllib.parse.urlencode({"ticket": ticket, "name": "ann lee"}))
        token = re.search(r'"ckWebAuthToken":"([^"]+)"', done.body.decode())[1]
        caller = self.ask("users/caller", tokens={"ckAPIToken": "t", "ckWebAuthToken": token})
        named = self.ask("users/caller", tokens={"ckAPIToken": "t", "ckWebAuthToken": "user:ann lee"})
        self.assertEqual(caller.json["userRecordName"], named.json["userRecordName"])
        other = self.ask("users/caller", tokens={"ckAPIToken": "t", "ckWebAuthToken": token}, container="iCloud.other")
        self.assert_error(other, 401, "AUTHENTICATION_FAILED")
        self.server.kill()
        self.server = self.serve(self.data)
        self.connection = self.keep(_Connection(self.server.http))
        again = self.ask("users/caller", tokens={"ckAPIToken": "t", "ckWebAuthToken": token})
        self.assertEqual(again.json["userRecordName"], caller.json["userRecordName"], "a token survives a restart")

    def test_what_is_no_sign_in_is_refused(self):
        for method, target, body, status in (
            ("GET", "/signin", None, 400), ("GET", "/signin?ticket=x", None, 400), ("POST", "/signin", "name=a", 400),
            ("POST", "/signin", "ticket=%", 400), ("PUT", "/signin", "", 405),
        ):
            reply = self.send(method, target, body)
            self.assertEqual(reply.status, status, (method, target, reply.body))


class StrictServers(Web):
    mode = "strict"

    def test_the_table_of_tokens(self):
        both = self.tokens()
        table(self, {"ckAPIToken": both["ckAPIToken"]}, both)

    def test_only_registered_tokens_of_the_place_are_accepted(self):
        both = self.tokens()
        zeros = {"ckAPIToken": "0" * 64, "ckWebAuthToken": "user:ann"}
        for wrong in (zeros, {**both, "ckWebAuthToken": "user:ann"}, {**both, "ckWebAuthToken": "opaque-token"}, {**both, "ckAPIToken": "0" * 64}):
            self.assert_error(self.ask("users/caller", tokens=wrong), 401, "AUTHENTICATION_FAILED")
        elsewhere = self.auth("token", "add", "elsewhere", "--container", "iCloud.other", "--environment", "production")[0]["token"]
        for place, status in (({}, 401), ({"container": "iCloud.other"}, 401), ({"container": "iCloud.other", "environment": "production"}, 200)):
            reply = self.ask("users/caller", tokens={**both, "ckAPIToken": elsewhere}, **place)
            self.assertEqual(reply.status, status, reply.body)
        narrow = self.auth("user", "token", "ann", "--container", "iCloud.other")[0]["token"]
        self.assert_error(self.ask("users/caller", tokens={**both, "ckWebAuthToken": narrow}), 401, "AUTHENTICATION_FAILED")

    def test_users_see_their_own_databases_alone(self):
        ann = self.tokens()
        self.auth("user", "add", "ben")
        ben = {**ann, "ckWebAuthToken": self.auth("user", "token", "ben")[0]["token"]}
        created = {"operations": [{"operationType": "create", "zone": {"zoneID": {"zoneName": "Mine"}}}]}
        self.assertEqual(self.ask("zones/modify", created, "private", tokens=ann).status, 200)
        for tokens, more, count in ((ann, {}, 2), (ben, {}, 1), (ann, {"environment": "production"}, 1), (ann, {"container": "iCloud.b"}, 1)):
            self.assertEqual(len(self.ask("zones/list", {}, "private", tokens=tokens, **more).json["zones"]), count)

    def test_changes_hold_from_the_next_request_on(self):
        both = self.tokens()
        self.assertEqual(self.ask("users/caller", tokens=both).status, 200)
        self.auth("user", "remove", "ann")
        self.assert_error(self.ask("users/caller", tokens=both), 401, "AUTHENTICATION_FAILED")
        self.auth("user", "add", "ann")
        self.assertEqual(self.ask("users/caller", tokens=both).status, 200)
        self.auth("token", "remove", "web")
        self.assert_error(self.ask("users/caller", tokens=both), 401, "AUTHENTICATION_FAILED")

    def test_a_token_that_has_expired_asks_to_sign_in_again(self):
        both = self.tokens()
        short = {**both, "ckWebAuthToken": self.auth("user", "token", "ann", "--life", "1")[0]["token"]}
        eventually(lambda: self.ask("users/caller", tokens=short).status == 421, "the token expires")
        self.assertIn("redirectURL", self.ask("users/caller", tokens=short).json)

    def test_registered_users_are_found_by_their_addresses(self):
        both = self.tokens()
        self.auth("user", "add", "ben", "--email", "Ben@Example.com", "--first", "Ben", "--last", "Ott", "--phone", "+49 170 1")
        infos = {"lookupInfos": [{"emailAddress": "ben@example.com"}, {"phoneNumber": "+491701"}, {"emailAddress": "no@example.com"}]}
        found = self.ask("users/discover", infos, tokens=both).json["users"]
        self.assertEqual([user["nameComponents"] for user in found], [{"givenName": "Ben", "familyName": "Ott"}] * 2)
        found = self.ask("users/lookup/email", {"users": [{"emailAddress": "ben@example.com"}]}, tokens=both).json["users"]
        self.assertEqual((found[0]["firstName"], found[0]["lastName"], found[0]["emailAddress"]), ("Ben", "Ott", "Ben@Example.com"))
        self.auth("user", "add", "ann", "--first", "Ann")
        self.assertEqual(self.ask("users/current", tokens=both).json["firstName"], "Ann")

    def test_a_device_syncs_with_the_tokens_that_it_is_given(self):
        both = self.tokens(user="nanny")
        names = ("--api-token", both["ckAPIToken"], "--web-token", both["ckWebAuthToken"])
        for device, command, options in (("A", "log diaper pee", names), ("B", "list", names), ("C", "list", ())):
            run = run_zonekit("device", device, "-c", "sync", "-c", command, *options, data=self.data)
            self.assertEqual(run.returncode, 0 if options else 3, run.stdout + run.stderr)
            self.assertEqual("2 records merged" in run.stdout, device == "B", run.stdout)

    def test_a_key_signs_the_raw_request(self):
        keys = Keys(self.folder())
        key = self.auth("key", "add", "importer", keys.public, "--container", CONTAINER)[0]["keyID"]
        path, body = self.path("zones/lookup"), b'{"zones": [{"zoneName":"_defaultZone"}]}'
        right = keys.headers(path, body, key)
        self.assertEqual(self.send("POST", path, body, right).status, 200)
        for empty in (True, False):
            path = self.path("zones/list")
            for method in ("GET", "POST"):
                self.assertEqual(self.send(method, path, None, keys.headers(path, b"", key, empty=empty)).status, 200)
        path = self.path("zones/lookup")
        old = keys.headers(path, body, key, date="2026-01-02T03:04:05Z")
        mixed = f"{path}?ckAPIToken=t"
        other = self.path("zones/lookup", container="iCloud.other")
        for target, content, headers in (
            (path, body + b" ", right), (path, body.replace(b" ", b""), right), (path, body, {**right, "X-Apple-CloudKit-Request-ISO8601Date": "2026-01-02T03:04:05Z"}),
            (self.path("records/lookup"), body, right), (self.path("records/nothing"), body, right), (path, body[1:], right), (path, body, old), (mixed, body, right), (other, body, keys.headers(other, body, key)),
            (path, body, keys.headers(path, body, "unknown")), (path, body, {**right, "X-Apple-CloudKit-Request-SignatureV1": "x"}),
            (path, body, {"X-Apple-CloudKit-Request-KeyID": key}),
        ):
            self.assert_error(self.send("POST", target, content, headers), 401, "AUTHENTICATION_FAILED")
        percent = path.replace("iCloud", "%69Cloud")
        self.assertEqual(self.send("POST", percent, body, keys.headers(percent, body, key)).status, 200, "the raw path is signed")
        self.assert_error(self.send("POST", percent, body, right), 401, "AUTHENTICATION_FAILED")

    def test_the_databases_of_keys_and_their_clock_are_options(self):
        keys = Keys(self.folder())
        key = self.auth("key", "add", "importer", keys.public)[0]["keyID"]
        self.server.end()
        self.server = self.serve(self.data, "--auth", "strict", "--key-scope", "all", "--key-clock", "31536000")
        self.connection = self.keep(_Connection(self.server.http))
        date = (datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(days=3)).strftime("%Y-%m-%dT%H:%M:%SZ")
        path = self.path("zones/list", "private")
        self.assertEqual(self.send("GET", path, None, keys.headers(path, b"", key, date)).status, 200)

    def test_the_page_asks_for_the_password_and_redirects_to_the_callback(self):
        self.auth("user", "add", "ann", "--password", "se cret", "--email", "ann@example.com")
        app = self.auth("token", "add", "web", "--callback", "https://app.example/in?x=1")[0]["token"]
        redirect = self.ask("zones/list", scope="private", tokens={"ckAPIToken": app}).json["redirectURL"]
        page = self.send("GET", redirect.removeprefix(f"http://{self.server.http}"))
        self.assertIn(b'type="password"', page.body)
        self.assertIn("form-action 'self' https://app.example;", page.headers["content-security-policy"])
        ticket = urllib.parse.parse_qs(urllib.parse.urlsplit(redirect).query)["ticket"][0]

        def sign_in(**fields):
            return self.send("POST", "/signin", urllib.parse.urlencode({"ticket": ticket, **fields}))

        for fields in ({"name": "ann"}, {"name": "ann", "password": "secret"}, {"name": "zoe", "password": "se cret"}, {}):
            self.assertEqual(sign_in(**fields).status, 401)
        for fields in ({"name": "ann"}, {"name": "ann@example.com", "keep": "on"}):
            done = sign_in(password="se cret", **fields)
            location = urllib.parse.urlsplit(done.headers["location"])
            self.assertEqual((done.status, location.netloc, location.path), (303, "app.example", "/in"))
            token = urllib.parse.parse_qs(location.query)["ckWebAuthToken"][0]
            claims = json.loads(base64.urlsafe_b64decode(token.split(".")[1] + "=="))
            self.assertEqual(claims["life"], 14 * 86_400_000 if "keep" in fields else 30 * 60_000)
            self.assertEqual(self.ask("users/caller", tokens={"ckAPIToken": app, "ckWebAuthToken": token}).status, 200)
        for _ in range(25):
            last = sign_in(name="zoe", password="x")
        self.assertEqual(last.status, 429)
        self.server.kill()
        self.server = self.serve(self.data, "--auth", "strict")
        self.connection = self.keep(_Connection(self.server.http))
        self.assertEqual(self.ask("users/caller", tokens={"ckAPIToken": app, "ckWebAuthToken": token}).status, 200)


class AuthVerb(Web):
    def test_the_file_keeps_hashes_and_is_its_owners(self):
        token = self.auth("token", "add", "web")[0]["token"]
        password = self.auth("user", "add", "ann", "--first", "Ann")[0]["password"]
        file = self.data / "auth" / "credentials.json"
        text = file.read_text()
        self.assertEqual(file.stat().st_mode & 0o777, 0o600)
        self.assertNotIn(token, text)
        self.assertNotIn(password, text)
        self.assertIn(hashlib.sha256(token.encode()).hexdigest(), text)

    def test_lists_and_removals(self):
        keys = Keys(self.folder())
        self.assertEqual(run_zonekit("auth", "token", "list", data=self.data).stdout, "no tokens\n")
        self.auth("token", "add", "web", "--container", "iCloud.a", "--callback", "https://a.example/x")
        self.auth("key", "add", "importer", keys.public, "--id", "k" * 64)
        self.auth("user", "add", "ann", "--first", "Ann", "--email", "ann@example.com")
        self.assertEqual(self.auth("token", "list")[0], {"event": "apiToken", "name": "web", "container": "iCloud.a", "callback": "https://a.example/x"})
        self.assertEqual(self.auth("key", "list")[0], {"event": "key", "name": "importer", "keyID": "k" * 64})
        self.assertEqual(self.auth("user", "list")[0]["emailAddress"], "ann@example.com")
        self.assertIn("ann@example.com", run_zonekit("auth", "user", "list", data=self.data).stdout)
        for subject, name in (("token", "web"), ("key", "importer"), ("user", "ann")):
            self.auth(subject, "remove", name)
            self.assertEqual(self.auth(subject, "list"), [])

    def test_wrong_words_are_refused_and_change_nothing(self):
        keys = Keys(self.folder())
        self.auth("token", "add", "web")
        self.auth("user", "add", "ann", "--email", "ann@example.com")
        before = (self.data / "auth" / "credentials.json").read_bytes()
        private = self.folder() / "other.pem"
        keys.run("ecparam", "-name", "secp384r1", "-genkey", "-noout", "-out", private)
        keys.run("ec", "-in", private, "-pubout", "-out", private.with_suffix(".pub"))
        for words, says in (
            ((), "missing"), (("token",), "missing"), (("tokn", "add", "x"), "did you mean token"), (("key", "token", "x"), "not token"),
            (("token", "add"), "NAME is missing"), (("token", "add", "web"), "already"), (("token", "remove", "x"), "there are web"),
            (("token", "add", "x", "--callback", "javascript:alert(1)"), "callback"), (("token", "add", "x", "--origin", "https://a.example/x"), "origin"),
            (("key", "add", "x", keys.private), "prime256v1"), (("key", "add", "x", private.with_suffix(".pub")), "prime256v1"),
            (("key", "add", "x", "/nowhere.pem"), "no such file"), (("user", "add", "ben", "--email", "ANN@example.com"), "already"),
            (("user", "add", "_x"), "begin with _"), (("user", "token", "zoe"), "there is no user zoe"), (("user", "list", "--first", "x"), "not for auth user list"),
            (("token", "add", "x", "--environment", "test"), "development"),
        ):
            run = run_zonekit("auth", *words, data=self.data)
            self.assertEqual(run.returncode, 2, (words, run.stdout, run.stderr))
            self.assertIn(says, run.stderr, words)
        self.assertEqual((self.data / "auth" / "credentials.json").read_bytes(), before)

    def test_a_broken_file_is_named_and_a_running_server_goes_on(self):
        token = self.tokens()
        file = self.data / "auth" / "credentials.json"
        text = file.read_text()
        file.write_text("{")
        self.assertEqual(self.ask("users/caller", tokens=token).status, 200)
        run = run_zonekit("auth", "token", "list", data=self.data)
        self.assertEqual(run.returncode, 3)
        self.assertIn("credentials.json", run.stderr)
        self.server.end()
        run = run_zonekit("serve", "--http", "127.0.0.1:0", "--push", "127.0.0.1:0", data=self.data, timeout=20)
        self.assertEqual(run.returncode, 3)
        file.write_text(text)
