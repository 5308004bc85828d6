"""More steps of test_supabase_client, with rows and their changes: foreign_supabase_rows.py URL ANON. It prints a line of JSON
for each step, as foreign_supabase.py does.

A step that needs the server to be killed writes "kill" on standard output and waits for a line on standard input.
"""

import asyncio
import json
import sys
import traceback
import urllib.request
import uuid

from supabase import acreate_client

URL, KEY = sys.argv[1:3]
PERSON, GROUP = str(uuid.uuid4()), str(uuid.uuid4())
STEPS = []


def step(function):
    STEPS.append(function)
    return function


class World:
    """What the steps share: a signed-in client, another one of the same account, and a stranger."""

    async def start(self):
        self.client, self.other, self.stranger = [await acreate_client(URL, KEY) for _ in range(3)]
        session = await self.client.auth.sign_up({"email": "mara@example.test", "password": "secret1"})
        self.user = session.user.id
        await self.other.auth.sign_in_with_password({"email": "mara@example.test", "password": "secret1"})
        await self.stranger.auth.sign_up({"email": "eve@example.test", "password": "secret1"})

    async def channel(self, client, tables, topic=None, user=None):
        """A joined channel for tables; its events are put into the queue that is returned with it."""
        events, states = asyncio.Queue(), asyncio.Queue()
        channel = client.channel(topic or f"user-sync-{uuid.uuid4()}")
        for table in tables:
            channel.on_postgres_changes(
                "*", schema="public", table=table, filter=f"owner_id=eq.{user or self.user}",
                callback=lambda payload, table=table: events.put_nowait((table, payload["data"])),
            )
        await channel.subscribe(lambda state, error: states.put_nowait((state.value, error)))
        return channel, events, states


async def within(awaitable, what, seconds=10):
    try:
        return await asyncio.wait_for(awaitable, seconds)
    except asyncio.TimeoutError:
        raise AssertionError(f"{what}: nothing within {seconds} s") from None


def same(found, expected, what):
    assert found == expected, f"{what}: {found!r}, not {expected!r}"


@step
async def tells_wrong_passwords(world):
    client = await acreate_client(URL, KEY)
    try:
        await client.auth.sign_in_with_password({"email": "mara@example.test", "password": "wrong"})
    except Exception as error:
        same(error.code, "invalid_credentials", "the error")
    else:
        raise AssertionError("the wrong password is taken")


@step
async def inserts_and_reads_rows(world):
    row = {"id": PERSON, "name": "Ben", "owner_id": world.user}
    done = await world.client.table("persons").upsert(row).execute()
    same((done.data[0]["id"], done.data[0]["name"]), (PERSON, "Ben"), "the row")
    listed = await world.client.table("persons").select("*").eq("id", PERSON.upper()).execute()
    same(listed.data, done.data, "the rows")


@step
async def counts_and_pages(world):
    rows = [{"id": str(uuid.uuid4()), "name": f"P{number}"} for number in range(7)]
    await world.client.table("persons").insert(rows).execute()
    query = world.client.table("persons").select("name", count="exact").like("name", "P%").order("name")
    page = await query.range(2, 4).execute()
    same([row["name"] for row in page.data], ["P2", "P3", "P4"], "the page")
    same(page.count, 7, "the count")
    seen, after = [], "1970-01-01T00:00:00+00:00"
    while True:
        query = world.client.table("persons").select("name,updated_at").like("name", "P%").gt("updated_at", after)
        page = (await query.order("updated_at").order("id").limit(2).execute()).data
        seen += [row["name"] for row in page]
        if len(page) < 2:
            break
        after = page[-1]["updated_at"]
    same(sorted(seen), [f"P{number}" for number in range(7)], "each row once")


@step
async def expects_one_row_where_one_is_asked_for(world):
    one = await world.client.table("persons").select("*").eq("id", PERSON).single().execute()
    same(one.data["id"], PERSON, "the row")
    same(await world.client.table("persons").select("*").eq("name", "nobody").maybe_single().execute(), None, "no row")
    try:
        await world.client.table("persons").select("*").like("name", "P%").single().execute()
    except Exception as error:
        same(error.code, "PGRST116", "the error")
    else:
        raise AssertionError("several rows are one")


@step
async def changes_and_deletes_rows(world):
    before = (await world.client.table("persons").select("*").eq("id", PERSON).execute()).data[0]
    done = await world.client.table("persons").update({"name": "Benno"}).eq("id", PERSON.upper()).execute()
    same(done.data[0]["name"], "Benno", "the name")
    assert done.data[0]["updated_at"] > before["updated_at"], "updated_at rises"
    gone = (await world.client.table("persons").delete().eq("name", "P6").execute()).data
    same([row["name"] for row in gone], ["P6"], "the removed row")
    same((await world.client.table("persons").delete().eq("name", "P6").execute()).data, [], "the second removal")


@step
async def keeps_accounts_apart(world):
    same((await world.stranger.table("persons").select("*").execute()).data, [], "the stranger's rows")
    for row in ({"id": PERSON, "name": "Mine"}, {"id": str(uuid.uuid4()), "name": "Mine", "owner_id": world.user}):
        try:
            await world.stranger.table("persons").upsert(row).execute()
        except Exception as error:
            same(error.code, "42501", "the error")
        else:
            raise AssertionError("a stranger writes another's row")
    same((await world.stranger.table("persons").update({"name": "x"}).eq("id", PERSON).execute()).data, [], "no row")
    same((await world.stranger.table("persons").delete().eq("id", PERSON).execute()).data, [], "no row")


@step
async def gets_events_of_inserts_updates_and_removals(world):
    channel, events, states = await world.channel(world.client, ["reminders", "chat_messages"])
    same((await within(states.get(), "the join"))[0], "SUBSCRIBED", "the state")
    _, strange, joined = await world.channel(world.stranger, ["reminders"])
    same((await within(joined.get(), "the stranger's join"))[0], "SUBSCRIBED", "the state")
    id = str(uuid.uuid4())
    table = world.other.table("reminders")
    await table.insert({"id": id, "amount": 20, "message": "rent", "to_person_id": PERSON}).execute()
    await world.other.table("reminders").update({"message": "the rent"}).eq("id", id).execute()
    await world.other.table("reminders").delete().eq("id", id).execute()
    found = [await within(events.get(), "an event") for _ in range(3)]
    same([(table, data["type"]) for table, data in found],
         [("reminders", "INSERT"), ("reminders", "UPDATE"), ("reminders", "DELETE")], "the events")
    same([data.get("record", {}).get("message") for _, data in found][:2], ["rent", "the rent"], "the messages")
    same(found[1][1]["record"]["amount"], 20, "the amount")
    same(found[2][1]["old_record"]["id"], id, "the old record")
    await world.client.remove_channel(channel)
    assert strange.empty(), f"the stranger got {strange.get_nowait()}"


@step
async def broadcasts_and_is_present(world):
    heard, states, channels = asyncio.Queue(), asyncio.Queue(), []
    for client, key in ((world.client, "mara"), (world.stranger, "eve")):
        config = {"broadcast": {"self": False, "ack": True}, "presence": {"key": key}, "private": False}
        channel = client.channel("room", {"config": config})
        channel.on_broadcast("shout", lambda payload, key=key: heard.put_nowait((key, payload["payload"])))
        channel.on_presence_sync(lambda: states.put_nowait(None))
        joined = asyncio.Queue()
        await channel.subscribe(lambda state, error, joined=joined: joined.put_nowait(state.value))
        same(await within(joined.get(), "the join"), "SUBSCRIBED", "the state")
        channels.append(channel)
    await channels[0].send_broadcast("shout", {"text": "hello"})
    same(await within(heard.get(), "the broadcast"), ("eve", {"text": "hello"}), "what is heard")
    if hasattr(channels[0], "http_send"):
        await channels[0].http_send("shout", {"text": "posted"})
        same(sorted([await within(heard.get(), "the post") for _ in range(2)])[0][1], {"text": "posted"}, "what is heard")

    def present():
        return [sorted(channel.presence.state) for channel in channels]

    async def until(expected):
        while present() != expected:
            await within(states.get(), f"presence of {expected}, now {present()}")

    await channels[1].track({"mood": "good"})
    await channels[0].track({"mood": "bad"})
    await until([["eve", "mara"]] * 2)
    same(channels[1].presence.state["mara"][0]["mood"], "bad", "what is known of another")
    await channels[0].untrack()
    await until([["eve"]] * 2)
    assert heard.empty(), f"more was heard: {heard.get_nowait()}"


@step
async def stores_lists_signs_and_removes_objects(world):
    photos = world.client.storage.from_("photos")
    folder, data = f"{world.user}/persons", b"\xff\xd8\xff picture"
    stored = await photos.upload(f"{folder}/a.jpg", data, {"content-type": "image/jpeg"})
    key = stored.full_path if hasattr(stored, "full_path") else stored.json()["Key"]
    same(key, f"photos/{folder}/a.jpg", "the key")
    try:
        await photos.upload(f"{folder}/a.jpg", data, {"content-type": "image/jpeg"})
    except Exception as error:
        assert "Duplicate" in str(error) or "already exists" in str(error), error
    else:
        raise AssertionError("an object is replaced that should not be")
    await photos.upload(f"{folder}/a.jpg", b"new", {"content-type": "image/jpeg", "upsert": "true"})
    await photos.update(f"{folder}/a.jpg", b"newer", {"content-type": "image/jpeg"})
    same(await photos.download(f"{folder}/a.jpg"), b"newer", "the bytes")
    if hasattr(photos, "info"):
        same((await photos.info(f"{folder}/a.jpg"))["size"], 5, "the size")
        same([await photos.exists(f"{folder}/{name}") for name in ("a.jpg", "b.jpg")], [True, False], "what exists")
    same([entry["name"] for entry in await photos.list(folder)], ["a.jpg"], "the list")
    link = (await photos.create_signed_url(f"{folder}/a.jpg", 60))["signedURL"]
    with urllib.request.urlopen(link, timeout=10) as reply:
        same(reply.read(), b"newer", "the bytes behind the link")
    # The older client fails on a link to an object that does not exist.
    names = ["a.jpg", "b.jpg"] if hasattr(photos, "info") else ["a.jpg"]
    links = await photos.create_signed_urls([f"{folder}/{name}" for name in names], 60)
    same([bool(link["error"]) for link in links], [False, True][:len(names)], "the errors of the links")
    for name in ("download", "create_signed_url"):
        more = [60] if name == "create_signed_url" else []
        try:
            await getattr(world.stranger.storage.from_("photos"), name)(f"{folder}/a.jpg", *more)
        except Exception as error:
            assert "not_found" in str(error) or "not found" in str(error), error
        else:
            raise AssertionError("a stranger reads the object")
    same([entry["name"] for entry in await photos.remove([f"{folder}/a.jpg", f"{folder}/b.jpg"])], [f"{folder}/a.jpg"], "what was removed")
    same(await photos.list(folder), [], "the list afterwards")


@step
async def joins_again_after_the_server_was_killed(world):
    _, events, states = await world.channel(world.client, ["reminders"], topic="again")
    same((await within(states.get(), "the join"))[0], "SUBSCRIBED", "the state")
    print("kill", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    while (await within(states.get(), "the second join", 30))[0] != "SUBSCRIBED":
        pass
    await world.other.table("reminders").insert({"id": str(uuid.uuid4()), "message": "back"}).execute()
    _, data = await within(events.get(), "an event")
    same(data["record"]["message"], "back", "the message")


async def main():
    world = World()
    await world.start()
    for function in STEPS:
        trouble = None
        try:
            await function(world)
        except Exception:
            trouble = traceback.format_exc()
        print(json.dumps({"step": function.__name__, "trouble": trouble}), flush=True)


asyncio.run(main())
