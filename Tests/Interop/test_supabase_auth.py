"""Accounts of a Supabase-style service over plain HTTP: everything under /auth/v1, keys, and pages of other origins."""

import base64
import hashlib
import hmac
import json
import os
import stat
import unittest

from supabase_http import SESSION_KEYS, TIME, USER_KEYS, Auth, AuthCase, Reply, encoded, part, signed


class Sessions(AuthCase):
    def test_a_sign_up_gives_a_session_with_all_keys(self):
        reply = self.auth.sign_up(self.email.upper(), data={"display_name": "Mara"})
        self.assertEqual(reply.status, 200, reply.body)
        session, user = reply.json, reply.json["user"]
        self.assertEqual(list(session), SESSION_KEYS)
        self.assertEqual(list(user), USER_KEYS)
        self.assertEqual((session["token_type"], session["expires_in"]), ("bearer", 3600))
        self.assertIsInstance(session["expires_at"], int)
        self.assertRegex(session["refresh_token"], r"^[\w-]{22}$")
        self.assertEqual((user["email"], user["user_metadata"]), (self.email, {"display_name": "Mara"}))
        for name in ("created_at", "updated_at", "confirmed_at", "email_confirmed_at", "last_sign_in_at"):
            self.assertRegex(user[name], TIME)
        claims = part(session["access_token"], 1)
        self.assertEqual(part(session["access_token"], 0), {"alg": "HS256", "typ": "JWT"})
        self.assertEqual(
            (claims["sub"], claims["role"], claims["aud"], claims["email"], claims["iss"]),
            (user["id"], "authenticated", "authenticated", self.email, f"http://{self.server.http}/auth/v1"),
        )
        self.assertEqual(claims["exp"] - claims["iat"], 3600)

    def test_a_sign_up_makes_the_account_s_own_row(self):
        for name, data in (("Mara", {"display_name": "Mara"}), ("Me", {})):
            made = self.auth.sign_up(name + self.email, data=data).json["user"]["id"]
            rows = self.admin.ask("GET", f"profiles?id=eq.{made}", root="/rest/v1/").json
            self.assertEqual([(row["id"], row["display_name"]) for row in rows], [(made, name)])
            self.assertEqual(rows[0]["edited_at"], "1970-01-01T00:00:00.000+00:00")

    def test_a_sign_up_is_refused_for_what_is_wrong(self):
        self.assertEqual(self.auth.sign_up(self.email).status, 200)
        self.assert_error(self.auth.sign_up(self.email.title()), 422, "user_already_exists", "User already registered")
        self.assert_error(
            self.auth.sign_up("nobody"), 400, "validation_failed", "Unable to validate email address: invalid format"
        )
        for password in ("12345", "x" * 73):
            reply = self.auth.sign_up("x" + self.email, password)
            self.assert_error(reply, 422, "weak_password", "Password should be 6 to 72 characters.")
            self.assertEqual(reply.json["weak_password"], {"reasons": ["length"]})
        self.assert_error(self.auth.ask("POST", "signup", {"data": {}}), 422, "anonymous_provider_disabled")
        self.assert_error(self.auth.ask("POST", "signup", "{"), 400, "bad_json")

    def test_errors_have_the_older_form_for_older_clients(self):
        body = {"email": self.email, "password": "wrong"}
        reply = self.auth.ask("POST", "token?grant_type=password", body, headers={})
        self.assertEqual(reply.json, {"code": 400, "error_code": "invalid_credentials", "msg": "Invalid login credentials"})
        self.assertNotIn("x-supabase-api-version", reply.headers)

    def test_a_sign_in_needs_the_password(self):
        made = self.auth.sign_up(self.email).json
        again = self.auth.sign_in(self.email.upper())
        self.assertEqual((again.status, again.json["user"]["id"]), (200, made["user"]["id"]))
        for email, password in ((self.email, "secret2"), ("other" + self.email, "secret1"), (self.email, "")):
            self.assert_error(
                self.auth.sign_in(email, password), 400, "invalid_credentials", "Invalid login credentials"
            )
        self.assert_error(self.auth.ask("POST", "token?grant_type=pkce", {}), 400, "validation_failed")

    def test_a_refresh_token_is_used_once_or_twice_within_ten_seconds(self):
        made = self.auth.sign_up(self.email).json
        first = self.auth.refresh(made["refresh_token"])
        self.assertEqual(list(first.json), SESSION_KEYS)
        second = self.auth.refresh(made["refresh_token"])
        self.assertEqual(second.status, 200, second.body)
        tokens = {reply["refresh_token"] for reply in (made, first.json, second.json)}
        self.assertEqual(len(tokens), 3)
        sessions = {part(reply["access_token"], 1)["session_id"] for reply in (made, first.json, second.json)}
        self.assertEqual(len(sessions), 1)
        for token in ("x" * 22, first.json["refresh_token"][:-1], ""):
            self.assert_error(
                self.auth.refresh(token), 400, "refresh_token_not_found",
                "Invalid Refresh Token: Refresh Token Not Found",
            )
        self.assertEqual(self.auth.refresh(first.json["refresh_token"]).status, 200)

    def test_an_access_token_reads_and_changes_the_account(self):
        made = self.auth.sign_up(self.email, data={"a": 1}).json
        token = made["access_token"]
        self.assertEqual(self.auth.ask("GET", "user", "{}", token).json, made["user"])
        changed = self.auth.ask("PUT", "user", {"data": {"b": [2]}, "email": "new" + self.email}, token).json
        self.assertEqual((changed["user_metadata"], changed["email"]), ({"a": 1, "b": [2]}, "new" + self.email))
        other = self.auth.sign_in("new" + self.email).json
        self.assertEqual(self.auth.ask("PUT", "user", {"password": "secret2"}, token).status, 200)
        self.assert_error(self.auth.ask("GET", "user", bearer=other["access_token"]), 403, "session_not_found")
        self.assert_error(self.auth.sign_in("new" + self.email), 400, "invalid_credentials")
        self.assertEqual(self.auth.sign_in("new" + self.email, "secret2").status, 200)
        self.assertEqual(self.auth.ask("GET", "user", bearer=token).status, 200, "the session of the change goes on")

    def test_a_sign_out_ends_the_sessions_of_its_scope(self):
        made = self.auth.sign_up(self.email).json
        other = self.auth.sign_in(self.email).json
        reply = self.auth.ask("POST", "logout?scope=local", "{}", made["access_token"])
        self.assertEqual((reply.status, reply.body), (204, b""))
        self.assert_error(
            self.auth.ask("GET", "user", bearer=made["access_token"]), 403, "session_not_found",
            "Session from session_id claim in JWT does not exist",
        )
        self.assert_error(self.auth.refresh(made["refresh_token"]), 400, "refresh_token_not_found")
        third = self.auth.sign_in(self.email).json
        self.assertEqual(self.auth.ask("POST", "logout?scope=others", bearer=other["access_token"]).status, 204)
        self.assert_error(self.auth.refresh(third["refresh_token"]), 400, "refresh_token_not_found")
        self.assertEqual(self.auth.ask("GET", "user", bearer=other["access_token"]).status, 200)
        self.assertEqual(self.auth.ask("POST", "logout", bearer=other["access_token"]).status, 204)
        self.assert_error(self.auth.ask("POST", "logout", bearer=other["access_token"]), 403, "session_not_found")

    def test_other_requests_are_answered_in_words(self):
        self.assertEqual(self.auth.ask("GET", "health").status, 200)
        self.assertTrue(self.auth.ask("GET", "settings").json["external"]["email"])
        self.assertEqual(self.auth.ask("GET", ".well-known/jwks.json").json, {"keys": []})
        for method, path in (("POST", "otp"), ("GET", "factors"), ("DELETE", "user")):
            self.assert_error(
                self.auth.ask(method, path, "{}"), 404, "not_found", f"/auth/v1/{path} is not served by this version"
            )

    def test_the_owner_of_the_server_makes_and_removes_accounts(self):
        body = {"email": self.email, "password": "secret1", "user_metadata": {"a": 1}, "email_confirm": True}
        self.assert_error(self.auth.ask("POST", "admin/users", body), 401, "no_authorization")
        made = self.auth.sign_up("x" + self.email).json
        reply = self.auth.ask("POST", "admin/users", body, made["access_token"])
        self.assert_error(reply, 403, "not_admin")
        user = self.admin.ask("POST", "admin/users", body).json
        self.assertEqual((list(user), user["last_sign_in_at"]), (USER_KEYS, None))
        listed = self.admin.ask("GET", "admin/users?per_page=1000").json
        self.assertEqual(listed["aud"], "authenticated")
        self.assertIn(user, listed["users"])
        self.assertEqual(self.auth.sign_in(self.email).status, 200)
        path = f"admin/users/{user['id'].upper()}"
        self.assertEqual(self.admin.ask("PUT", path, {"user_metadata": {"b": 2}}).json["user_metadata"], {"a": 1, "b": 2})
        self.assertEqual(self.admin.ask("GET", path).json["id"], user["id"])
        self.assertEqual(self.admin.ask("DELETE", path, "{}").status, 200)
        self.assert_error(self.admin.ask("GET", path), 404, "user_not_found")
        self.assert_error(self.auth.sign_in(self.email), 400, "invalid_credentials")


class Attacks(AuthCase):
    def test_only_tokens_that_the_server_signed_are_taken(self):
        made = self.auth.sign_up(self.email).json
        good = made["access_token"]
        secret = base64.b64decode(self.keys["jwtSecret"])
        claims = part(good, 1)
        head, payload, signature = good.split(".")
        none = encoded(json.dumps({"alg": "none", "typ": "JWT"}).encode())
        bad = [
            f"{none}.{payload}.", f"{none}.{payload}.{signature}", f"{head}.{payload}.", f"{head}.{payload}",
            f"{head}.{payload}.{signature[:-1]}", f"{head}.{payload}.{signature}A", f"{head}.{payload}.{signature}=",
            signed(b"x" * 32, claims), signed(secret, claims, "HS512"), signed(secret, {**claims, "sub": "mara"}),
            signed(secret, {**claims, "role": "postgres"}), "x", "a.b.c", self.keys["publishableKey"] + "x",
        ]
        for token in bad:
            reply = self.auth.ask("GET", "user", bearer=token)
            self.assert_error(reply, 403, "bad_jwt")
            self.assertTrue(reply.json["message"].startswith("invalid JWT: "), reply.body)
        expired = signed(secret, {**claims, "exp": claims["iat"] - 31})
        self.assert_error(self.auth.ask("GET", "user", bearer=expired), 403, "bad_jwt")
        self.assert_error(
            self.auth.ask("GET", "user"), 401, "no_authorization", "This endpoint requires a valid Bearer token"
        )
        self.assert_error(
            self.auth.ask("GET", "user", bearer=self.keys["anonKey"]), 401, "no_authorization"
        )
        self.assertEqual(self.auth.ask("GET", "user", bearer=good).status, 200)

    def test_a_session_of_another_account_cannot_be_named(self):
        mara, ben = self.auth.sign_up(self.email).json, self.auth.sign_up("b" + self.email).json
        secret = base64.b64decode(self.keys["jwtSecret"])
        claims = {**part(mara["access_token"], 1), "session_id": part(ben["access_token"], 1)["session_id"]}
        reply = self.auth.ask("POST", "logout", bearer=signed(secret, claims))
        self.assert_error(reply, 403, "session_not_found")
        self.assertEqual(self.auth.ask("GET", "user", bearer=ben["access_token"]).status, 200)

    def test_bodies_of_nonsense_are_refused_and_do_not_disturb_the_next_request(self):
        for body in ("", "[]", "null", '"x"', "{", '{"email":{}}', b"\xff\xfe", '{"email":"a@b","password":[]}', "[" * 9999):
            for path in ("token?grant_type=password", "token?grant_type=refresh_token", "signup"):
                reply = self.auth.ask("POST", path, body)
                self.assertIn(reply.status, (400, 422), (body, reply.body))
        self.assertEqual(self.auth.ask("GET", "health", '{"a": "body"}').status, 200)
        self.assertEqual(self.auth.ask("HEAD", "health", "{}").body, b"")
        self.assertEqual(self.auth.ask("GET", "health").status, 200)

    def test_keys_are_not_for_web_pages(self):
        control = self.keep(Auth(self.server.http, None))
        self.assertEqual(control.ask("GET", "keys", headers={}, root="/zonekit/").status, 200)
        for origin in ("http://evil.test", f"http://{self.server.http}"):
            reply = control.ask("GET", "keys", headers={"Origin": origin}, root="/zonekit/")
            self.assertEqual(reply.status, 403, reply.body)
        self.assertEqual(control.ask("GET", "keys", headers={"Host": "evil.test"}, root="/zonekit/").status, 403)


class Requests(AuthCase):
    def test_every_request_needs_a_key(self):
        none = self.keep(Auth(self.server.http, None))
        reply = none.ask("GET", "settings")
        self.assertEqual(reply.status, 401)
        self.assertEqual(
            reply.json,
            {
                "message": "No API key found in request",
                "hint": "No `apikey` request header or url param was found.",
            },
        )
        self.assertEqual(none.ask("GET", "settings?apikey=x").status, 200)
        self.assertEqual(none.ask("GET", "settings", headers={"ApiKey": "x"}).status, 200)
        for name in ("anonKey", "serviceRoleKey", "publishableKey", "secretKey"):
            self.assertEqual(self.keep(Auth(self.server.http, self.keys[name])).ask("GET", "settings").status, 200)

    def test_the_ready_line_and_the_keys_agree(self):
        ready = self.server.ready["supabase"]
        self.assertEqual(ready, {"url": f"http://{self.server.http}", "anonKey": self.keys["anonKey"]})
        self.assertEqual(
            list(self.keys), ["url", "anonKey", "serviceRoleKey", "publishableKey", "secretKey", "jwtSecret"]
        )
        secret = base64.b64decode(self.keys["jwtSecret"])
        self.assertEqual(len(secret), 32)
        for name, role in (("anonKey", "anon"), ("serviceRoleKey", "service_role")):
            claims = part(self.keys[name], 1)
            self.assertEqual(claims["role"], role)
            self.assertGreater(claims["exp"] - claims["iat"], 3650 * 86400)
            text, _, signature = self.keys[name].rpartition(".")
            self.assertEqual(encoded(hmac.new(secret, text.encode(), hashlib.sha256).digest()), signature)
        self.assertEqual(stat.S_IMODE(os.stat(self.server.data / "cloud" / "keys.json").st_mode), 0o600)

    def test_parts_that_are_not_served_say_so_in_their_own_form(self):
        for part, status, name, message in (
            ("storage", 400, "message", "/storage/v1/x is not served by this version"),
            ("functions", 404, "error", "Requested function was not found"),
            ("realtime", 404, "error", "/realtime/v1/x is not served by this version"),
        ):
            reply = self.auth.ask("POST", "x", "{}", root=f"/{part}/v1/")
            self.assertEqual((reply.status, reply.json[name]), (status, message))
            self.assertEqual(reply.headers["access-control-allow-origin"], "*")
            self.assertEqual(self.keep(Auth(self.server.http, None)).ask("GET", "x", root=f"/{part}/v1/").status, 401)

    def test_a_token_that_is_not_valid_is_refused_by_every_part_in_its_own_form(self):
        made = self.auth.sign_up(self.email).json["access_token"]
        secret = base64.b64decode(self.keys["jwtSecret"])
        expired = signed(secret, {**part(made, 1), "exp": part(made, 1)["iat"] - 60})
        reply = self.auth.ask("GET", "persons", bearer=expired, root="/rest/v1/")
        self.assertEqual((reply.status, reply.json["code"], reply.json["message"]), (401, "PGRST303", "JWT expired"))
        self.assertEqual(
            reply.headers["www-authenticate"], 'Bearer error="invalid_token", error_description="JWT expired"'
        )
        reply = self.auth.ask("GET", "persons", bearer="x.y.z", root="/rest/v1/")
        self.assertEqual((reply.status, reply.json["code"]), (401, "PGRST301"))
        reply = self.auth.ask("GET", "object/photos/x", bearer=expired, root="/storage/v1/")
        self.assertEqual(
            (reply.status, reply.json),
            (400, {"statusCode": "403", "error": "Unauthorized", "code": "Unauthorized", "message": "Invalid JWT"}),
        )

    def test_the_status_counts_the_accounts(self):
        self.auth.sign_up(self.email)
        control = self.keep(Auth(self.server.http, None))
        status = control.ask("GET", "status", headers={}, root="/zonekit/").json["cloud"]
        listed = control.ask("GET", "accounts", headers={}, root="/zonekit/").json["accounts"]
        self.assertEqual(status["accounts"], len(listed))
        self.assertIn(self.email, [account["email"] for account in listed])

    def test_pages_of_other_origins_may_ask(self):
        none = self.keep(Auth(self.server.http, None))
        asked = {"Origin": "http://page.test", "Access-Control-Request-Headers": "apikey, x-client-info"}
        reply = none.ask("OPTIONS", "token?grant_type=password", headers=asked)
        self.assertEqual((reply.status, reply.body), (204, b""))
        self.assertEqual(reply.headers["access-control-allow-origin"], "*")
        self.assertEqual(reply.headers["access-control-allow-headers"], "apikey, x-client-info")
        self.assertEqual(
            reply.headers["access-control-allow-methods"], "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"
        )
        self.assertEqual(reply.headers["access-control-max-age"], "86400")
        for reply in (none.ask("GET", "settings"), self.auth.ask("GET", "settings", headers={"Origin": "http://a"})):
            self.assertEqual(reply.headers["access-control-allow-origin"], "*")
            self.assertIn("X-Supabase-Api-Version", reply.headers["access-control-expose-headers"])

    def test_a_request_refused_before_its_path_is_known_has_one_body_for_all_clients(self):
        self.auth.connection.putrequest("POST", "/auth/v1/signup")
        self.auth.connection.putheader("Content-Length", str(9 << 20))
        self.auth.connection.endheaders()
        reply = Reply(self.auth.connection.getresponse())
        self.assertEqual(reply.status, 413)
        body = reply.json
        self.assertEqual((body["code"], body["statusCode"]), ("413", "413"))
        self.assertEqual((body["details"], body["hint"]), (None, None))
        self.assertTrue(body["message"] and body["message"] == body["msg"] and body["error"])

if __name__ == "__main__":
    unittest.main()
