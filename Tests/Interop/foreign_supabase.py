"""The steps of test_supabase_client, in the hands of the vendor's Python client: foreign_supabase.py URL ANON SERVICE SECRET.

It runs in an environment that has the client and nothing of this folder. It prints a line of JSON for each step: its name
and what went wrong, if anything did.
"""

import base64
import hashlib
import hmac
import json
import sys
import traceback

from supabase import create_client

URL, ANON, SERVICE, SECRET = sys.argv[1:]


def client(key=ANON):
    return create_client(URL, key)


def error_of(work):
    """The code and the message of the error that the client raises."""
    try:
        work()
    except Exception as error:
        return getattr(error, "code", None), str(error)
    raise AssertionError("the client raised no error")


def signed(claims):
    def encoded(data):
        return base64.urlsafe_b64encode(data).rstrip(b"=").decode()

    text = ".".join(encoded(json.dumps(item).encode()) for item in ({"alg": "HS256", "typ": "JWT"}, claims))
    return text + "." + encoded(hmac.new(base64.b64decode(SECRET), text.encode(), hashlib.sha256).digest())


def claims_of(token):
    text = token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))


def credentials(name, password="secret1", **more):
    return {"email": f"{name}@example.test", "password": password, **more}


def signs_up():
    auth = client().auth
    made = auth.sign_up(credentials("up", options={"data": {"display_name": "Mara"}}))
    assert made.session and made.user.email == "up@example.test", made
    assert made.user.user_metadata == {"display_name": "Mara"}, made.user
    assert auth.get_user().user.id == made.user.id
    assert error_of(lambda: client().auth.sign_up(credentials("up"))) == (
        "user_already_exists", "User already registered",
    )
    code, message = error_of(lambda: client().auth.sign_up(credentials("short", "12345")))
    assert (code, message) == ("weak_password", "Password should be 6 to 72 characters."), (code, message)


def signs_in_with_the_right_password_only():
    client().auth.sign_up(credentials("in"))
    auth = client().auth
    assert auth.sign_in_with_password(credentials("in")).session.token_type == "bearer"
    assert error_of(lambda: auth.sign_in_with_password(credentials("in", "wrong1"))) == (
        "invalid_credentials", "Invalid login credentials",
    )


def refreshes_its_session():
    auth = client().auth
    events = []
    auth.on_auth_state_change(lambda event, session: events.append(event))
    first = auth.sign_up(credentials("refresh")).session
    second = auth.refresh_session().session
    third = auth.refresh_session(first.refresh_token).session
    assert len({first.refresh_token, second.refresh_token, third.refresh_token}) == 3
    assert events.count("TOKEN_REFRESHED") == 2, events
    code, _ = error_of(lambda: auth.refresh_session("x" * 22))
    assert code == "refresh_token_not_found", code


def continues_a_session_that_is_given():
    session = client().auth.sign_up(credentials("given")).session
    other = client().auth
    assert other.set_session(session.access_token, session.refresh_token).session.access_token == session.access_token
    expired = signed({**claims_of(session.access_token), "exp": claims_of(session.access_token)["iat"] - 60})
    third = client().auth
    renewed = third.set_session(expired, session.refresh_token).session
    assert renewed.refresh_token != session.refresh_token, "an expired token makes the client refresh"


def is_refused_with_an_expired_token():
    session = client().auth.sign_up(credentials("expired")).session
    expired = signed({**claims_of(session.access_token), "exp": claims_of(session.access_token)["iat"] - 60})
    code, message = error_of(lambda: client().auth.get_user(expired))
    assert code == "bad_jwt" and message.startswith("invalid JWT"), (code, message)


def changes_its_account():
    auth = client().auth
    auth.sign_up(credentials("change", options={"data": {"a": 1}}))
    changed = auth.update_user({"data": {"b": 2}, "password": "secret2"}).user
    assert changed.user_metadata == {"a": 1, "b": 2}, changed
    assert client().auth.sign_in_with_password(credentials("change", "secret2")).user.id == changed.id


def signs_out():
    auth = client().auth
    session = auth.sign_up(credentials("out")).session
    auth.sign_out()
    assert auth.get_session() is None
    code, _ = error_of(lambda: client().auth.get_user(session.access_token))
    assert code == "session_not_found", code


def administers_accounts():
    admin = client(SERVICE).auth.admin
    made = admin.create_user(credentials("admin", user_metadata={"a": 1}, email_confirm=True)).user
    assert made.id in [user.id for user in admin.list_users(per_page=1000)]
    assert admin.get_user_by_id(made.id).user.user_metadata == {"a": 1}
    assert admin.update_user_by_id(made.id, {"password": "secret2"}).user.id == made.id
    admin.delete_user(made.id)
    code, _ = error_of(lambda: admin.get_user_by_id(made.id))
    assert code == "user_not_found", code


STEPS = [
    signs_up, signs_in_with_the_right_password_only, refreshes_its_session, continues_a_session_that_is_given,
    is_refused_with_an_expired_token, changes_its_account, signs_out, administers_accounts,
]


def main():
    for step in STEPS:
        trouble = None
        try:
            step()
        except Exception:
            trouble = traceback.format_exc()
        print(json.dumps({"step": step.__name__, "trouble": trouble}), flush=True)


main()
