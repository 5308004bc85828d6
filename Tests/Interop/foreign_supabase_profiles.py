"""The steps of test_supabase_own_client for a schema with functions, triggers and pictures: foreign_supabase_profiles.py profiles URL
ANON SERVICE.
"""

import asyncio
import json
import urllib.error
import urllib.request

from foreign_supabase_own import KEY, URL, main, refused, same, step
from storage3.exceptions import StorageApiError
from supabase import AuthApiError, acreate_client


@step("profiles")
async def a_trigger_makes_the_profile_of_a_new_account(world):
    answer = await world.nobody.table("profiles").select("id, username").order("username").execute()
    same(answer.data, [{"id": world.eve_id, "username": "eve"}, {"id": world.mara_id, "username": "mara"}])
    client = await acreate_client(URL, KEY)
    words = {"email": "tim@example.test", "password": "secret1", "options": {"data": {"username": "timothy"}}}
    session = await client.auth.sign_up(words)
    row = (await client.table("profiles").select("username").eq("id", session.user.id).single().execute()).data
    same(row, {"username": "timothy"})


@step("profiles")
async def an_account_that_a_trigger_refuses_is_not_made(world):
    client = await acreate_client(URL, KEY)
    for name, message in [
        ("admin", "Database error saving new user: the name admin is reserved"),
        ("timothy", 'Database error saving new user: duplicate key value violates unique constraint "profiles_username_key"'),
    ]:
        words = {"email": f"{name}@other.test", "password": "secret1", "options": {"data": {"username": name}}}
        try:
            await client.auth.sign_up(words)
        except AuthApiError as error:
            same((error.status, error.message), (500, message))
        else:
            raise AssertionError("the account was made")
    accounts = [user.email for user in await world.admin.auth.admin.list_users()]
    same(sorted(accounts), ["eve@example.test", "mara@example.test", "tim@example.test"])


@step("profiles")
async def functions_are_carried_out(world):
    same((await world.mara.rpc("befriend", {"other": world.eve_id}).execute()).data, 1)
    await refused(world.mara.rpc("befriend", {"other": world.eve_id}), "23505", "already a friend")
    await refused(world.mara.rpc("befriend", {"other": world.mara_id}), "23514")
    row = (await world.mara.table("profiles").select("friend_count").eq("id", world.mara_id).single().execute()).data
    same(row, {"friend_count": 1})
    same((await world.nobody.rpc("is_friend_of", {"other": world.mara_id}).execute()).data, False)
    same((await world.eve.rpc("is_friend_of", {"other": world.mara_id}).execute()).data, True)
    await refused(world.mara.rpc("befriended", {}), "PGRST202")


@step("profiles")
async def functions_decide_who_sees_a_row(world):
    async def seen(client):
        return [row["username"] for row in (await client.table("profiles").select("username").order("username").execute()).data]

    await world.mara.table("profiles").update({"shown_to": "friends"}).eq("id", world.mara_id).execute()
    same(await seen(world.nobody), ["eve", "timothy"])
    same(await seen(world.eve), ["eve", "mara", "timothy"])
    row = (await world.mara.table("profiles").select("updated_at").eq("id", world.mara_id).single().execute()).data
    assert row["updated_at"], row
    await world.mara.table("friends").delete().eq("friend_id", world.eve_id).execute()
    same(await seen(world.eve), ["eve", "timothy"])
    row = (await world.mara.table("profiles").select("friend_count").eq("id", world.mara_id).single().execute()).data
    same(row, {"friend_count": 0})


@step("profiles")
async def fixed_answers_stand_for_other_functions(world):
    two = (await world.mara.rpc("suggestions").execute()).data
    same([row["username"] for row in two], ["mara", "eve"])
    same((await world.mara.rpc("suggestions", {"most": 1}).execute()).data, [{"username": "mara", "friend_count": 3}])
    await refused(world.mara.rpc("weather"), "PT503", "no weather today")


async def storage_refused(call, status, message):
    """A call of the storage must fail with that status and message."""
    try:
        answer = await call
    except StorageApiError as error:
        same((str(error.status), error.message), (str(status), message))
    else:
        raise AssertionError(f"no error {status}: {answer!r}")


@step("profiles")
async def pictures_lie_in_folders_of_their_accounts(world):
    avatars = world.mara.storage.from_("avatars")
    path = f"{world.mara_id}/me.png"
    await avatars.upload(path, b"picture", {"content-type": "image/png"})
    same(await avatars.download(path), b"picture")
    await storage_refused(
        avatars.upload(f"{world.eve_id}/me.png", b"x", {"content-type": "image/png"}), 403,
        "new row violates row-level security policy",
    )
    await storage_refused(
        world.nobody.storage.from_("avatars").upload("a.png", b"x", {"content-type": "image/png"}), 403,
        "new row violates row-level security policy",
    )
    await storage_refused(
        avatars.upload(path, b"x", {"content-type": "image/png"}), 409, "The resource already exists"
    )
    await avatars.upload(path, b"other", {"content-type": "image/png", "upsert": "true"})
    same(await avatars.download(path), b"other")
    await storage_refused(
        avatars.upload(f"{world.mara_id}/b.txt", b"x", {"content-type": "text/plain"}), 415,
        "mime type text/plain is not supported",
    )
    await storage_refused(
        avatars.upload(f"{world.mara_id}/b.png", b"x" * 1001, {"content-type": "image/png"}), 413,
        "The object exceeded the maximum allowed size",
    )
    await storage_refused(
        world.mara.storage.from_("none").upload("a", b"x", {"content-type": "image/png"}), 404, "Bucket not found"
    )


@step("profiles")
async def public_pictures_need_no_key_and_letters_need_their_account(world):
    path = f"{world.mara_id}/me.png"
    url = await world.nobody.storage.from_("avatars").get_public_url(path)
    with urllib.request.urlopen(url.rstrip("?")) as answer:
        same((answer.status, answer.read(), answer.headers["Content-Type"]), (200, b"other", "image/png"))
    letters = world.mara.storage.from_("letters")
    letter = f"{world.mara_id}/2026/a.txt"
    await letters.upload(letter, b"dear eve", {"content-type": "text/plain"})
    same([entry["name"] for entry in await letters.list(world.mara_id)], ["2026"])
    same([entry["name"] for entry in await letters.list(f"{world.mara_id}/2026")], ["a.txt"])
    same(await world.eve.storage.from_("letters").list(f"{world.mara_id}/2026"), [])
    await storage_refused(world.eve.storage.from_("letters").download(letter), 404, "Object not found")
    hidden = await world.eve.storage.from_("letters").get_public_url(letter)
    try:
        urllib.request.urlopen(hidden.rstrip("?"))
    except urllib.error.HTTPError as error:
        same(json.loads(error.read())["message"], "Bucket not found")
    else:
        raise AssertionError("a private object was read")
    link = (await letters.create_signed_url(letter, 60))["signedURL"]
    with urllib.request.urlopen(link) as answer:
        same(answer.read(), b"dear eve")
    same(await world.eve.storage.from_("letters").remove([letter]), [])
    same([entry["name"] for entry in await letters.remove([letter])], [letter])
    await storage_refused(letters.download(letter), 404, "Object not found")


if __name__ == "__main__":
    asyncio.run(main())
