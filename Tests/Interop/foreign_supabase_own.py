"""The steps of test_supabase_own_client: foreign_supabase_own.py SCHEMA URL ANON SERVICE. It prints a line of JSON for each step
of that schema, with its trouble or null.
"""

import asyncio
import json
import sys
import traceback
import uuid

from postgrest.exceptions import APIError
from supabase import acreate_client

SCHEMA, URL, KEY, SERVICE = sys.argv[1:5]
STEPS = {"teams": [], "shop": [], "chat": []}


def step(schema):
    def add(function):
        STEPS.setdefault(schema, []).append(function)
        return function

    return add


class World:
    """What the steps share: two accounts with a client each, a client without one, and the owner of the server."""

    async def start(self):
        self.mara, self.eve, self.nobody = [await acreate_client(URL, KEY) for _ in range(3)]
        self.admin = await acreate_client(URL, SERVICE)
        for name in ("mara", "eve"):
            client = getattr(self, name)
            session = await client.auth.sign_up({"email": f"{name}@example.test", "password": "secret1"})
            setattr(self, f"{name}_id", session.user.id)


def same(found, expected, what="the rows"):
    assert found == expected, f"{what}: {found!r}, not {expected!r}"


async def refused(query, code, message=None, details=None):
    """A query must fail with that code, message and details."""
    try:
        answer = await query.execute()
    except APIError as error:
        same(error.code, code, f"the code of {error}")
        if message is not None:
            same(error.message, message, "the message")
        if details is not None:
            same(error.details, details, "the details")
    else:
        raise AssertionError(f"no error {code}: {answer.data!r}")


async def joined(client, topic, *entries):
    """A joined channel with those entries; its events are put into the queue that is returned with it."""
    events, states = asyncio.Queue(), asyncio.Queue()
    channel = client.channel(topic)
    for entry in entries:
        channel.on_postgres_changes(callback=lambda payload: events.put_nowait(payload["data"]), **entry)
    await channel.subscribe(lambda state, error: states.put_nowait((state.value, error)))
    same(await asyncio.wait_for(states.get(), 10), ("SUBSCRIBED", None), "the state")
    return channel, events


async def event(events):
    """The next event: its kind, table, row and old row."""
    data = await asyncio.wait_for(events.get(), 10)
    return data["type"], data["table"], data.get("record"), data.get("old_record")


# A to-do app with teams.


@step("teams")
async def accounts_make_their_own_profile_only(world):
    row = {"id": world.mara_id, "full_name": "Mara"}
    answer = await world.mara.table("profiles").insert(row).execute()
    same(answer.data[0]["full_name"], "Mara")
    await refused(
        world.eve.table("profiles").upsert({"id": str(uuid.uuid4()), "full_name": "x"}), "42501",
        'new row violates row-level security policy for table "profiles"',
    )
    await world.eve.table("profiles").insert({"id": world.eve_id}).execute()
    same(len((await world.nobody.table("profiles").select("id").execute()).data), 2)


@step("teams")
async def rows_refer_to_accounts(world):
    await refused(
        world.admin.table("profiles").insert({"id": "00000000-0000-0000-0000-000000000001"}), "23503",
        'insert or update on table "profiles" violates foreign key constraint "profiles_id_fkey"',
        'Key (id)=(00000000-0000-0000-0000-000000000001) is not present in table "users".',
    )
    made = await world.admin.auth.admin.create_user({"email": "tim@example.test", "password": "secret1"})
    await world.admin.table("profiles").insert({"id": made.user.id}).execute()
    await world.admin.auth.admin.delete_user(made.user.id)
    same((await world.admin.table("profiles").select("id").eq("id", made.user.id).execute()).data, [])


@step("teams")
async def tasks_are_found_by_values_of_every_type(world):
    team = (await world.admin.table("teams").insert({"name": "Red", "created_by": world.mara_id}).execute()).data[0]["id"]
    world.team = team
    await world.admin.table("team_members").insert(
        {"team_id": team, "user_id": world.mara_id, "role": "owner"}
    ).execute()
    rows = [
        {"team_id": team, "title": "Buy tea", "labels": ["home", "a b"], "due_on": "2026-05-01", "position": 2.5},
        {"team_id": team, "title": "Sell cups", "labels": [], "due_on": "2026-06-01", "priority": 2, "position": 1},
        {"team_id": team, "title": "Rest", "labels": ["home"], "state": "doing"},
    ]
    await world.admin.table("tasks").insert(rows, default_to_null=False).execute()
    tasks = world.admin.table("tasks")

    async def titles(query):
        return [row["title"] for row in (await query.order("title").execute()).data]

    same(await titles(tasks.select("title").contains("labels", ["home"])), ["Buy tea", "Rest"])
    same(await titles(tasks.select("title").overlaps("labels", ["a b", "x"])), ["Buy tea"])
    same(await titles(tasks.select("title").gte("due_on", "2026-05-15")), ["Sell cups"])
    same(await titles(tasks.select("title").in_("state", ["doing", "done"])), ["Rest"])
    same(await titles(tasks.select("title").is_("due_on", "null")), ["Rest"])
    same(await titles(tasks.select("title").ilike("title", "%E%")), ["Buy tea", "Rest", "Sell cups"])
    same(await titles(tasks.select("title").or_("priority.eq.2,position.gt.2")), ["Buy tea", "Sell cups"])
    same(await titles(tasks.select("title").neq("priority", 2).not_.is_("due_on", "null")), ["Buy tea"])
    await refused(tasks.select("*").eq("state", "gone"), "22P02", 'invalid input value for enum task_state: "gone"')
    await refused(
        tasks.insert({"team_id": team, "title": "x", "state": "done"}), "23514",
        'new row for relation "tasks" violates check constraint "tasks_check"',
    )


@step("teams")
async def related_rows_come_with_a_team(world):
    answer = await (
        world.admin.table("teams").select("name, members:team_members(role, profiles(full_name)), tasks(title)")
        .order("title", foreign_table="tasks").limit(2, foreign_table="tasks").execute()
    )
    same(
        answer.data,
        [{
            "name": "Red", "members": [{"role": "owner", "profiles": {"full_name": "Mara"}}],
            "tasks": [{"title": "Buy tea"}, {"title": "Rest"}],
        }],
    )
    answer = await (
        world.admin.table("tasks").select("title, teams!inner(name)", count="exact").eq("teams.name", "Blue").execute()
    )
    same((answer.data, answer.count), ([], 0))


@step("teams")
async def a_circle_of_policies_is_an_error(world):
    await refused(
        world.mara.table("team_members").select("*"), "42P17",
        'infinite recursion detected in policy for relation "team_members"',
    )


# A shop.


@step("shop")
async def numbers_count_and_decimal_numbers_are_exact(world):
    products = world.admin.table("products")
    row = {"category_id": 1, "sku": "TEA", "title": "Green tea", "price": "12.505", "attributes": {"brand": "X"}}
    made = (await products.insert(row).execute()).data[0]
    same((made["id"], made["price"], made["stock"], made["image_paths"]), (3, 12.51, 0, []))
    await refused(
        products.insert({**row, "sku": "CUP", "price": "123456789.00"}), "22003", "numeric field overflow",
        "A field with precision 10, scale 2 must round to an absolute value less than 10^8.",
    )
    await refused(
        products.insert({**row, "price": 1}), "23505",
        'duplicate key value violates unique constraint "products_sku_key"',
    )


@step("shop")
async def one_row_is_one_object(world):
    products = world.nobody.table("products")
    same((await products.select("title").eq("sku", "TEA").single().execute()).data, {"title": "Green tea"})
    await refused(
        products.select("title").single(), "PGRST116", "Cannot coerce the result to a single JSON object",
        "The result contains 3 rows",
    )
    same(await products.select("title").eq("sku", "NONE").maybe_single().execute(), None)


@step("shop")
async def values_in_json_are_found_and_selected(world):
    products = world.nobody.table("products")
    answer = await products.select("id, attributes->>brand").eq("attributes->>brand", "X").execute()
    same(answer.data, [{"id": 3, "brand": "X"}])
    same((await products.select("id").contains("attributes", {"brand": "X"}).execute()).data, [{"id": 3}])


@step("shop")
async def pages_are_counted_and_ordered(world):
    products = world.nobody.table("products")
    answer = await products.select("id", count="exact").order("price", desc=True).range(1, 2).execute()
    same((answer.data, answer.count), ([{"id": 2}, {"id": 3}], 3))
    answer = await products.select("*", count="planned", head=True).execute()
    same((answer.data, answer.count), ([], 3))
    answer = await world.admin.table("categories").select("slug, products(count)").order("id").execute()
    same([row["products"][0]["count"] for row in answer.data], [2, 0, 1])


@step("shop")
async def rows_are_merged_or_left_alone(world):
    categories = world.admin.table("categories")
    row = {"slug": "books", "title": "All books"}
    same((await categories.upsert(row, on_conflict="slug", ignore_duplicates=True).execute()).data, [])
    same((await categories.upsert(row, on_conflict="slug").execute()).data[0]["title"], "All books")
    await refused(
        categories.upsert(row, on_conflict="title"), "42P10",
        "there is no unique or exclusion constraint matching the ON CONFLICT specification",
    )


@step("shop")
async def customers_see_their_orders_only(world):
    for client, name in ((world.mara, "mara"), (world.eve, "eve")):
        await client.table("customers").insert({"email": f"{name}@example.test"}).execute()
        await client.table("orders").insert({"customer_id": getattr(world, f"{name}_id")}).execute()
    orders = (await world.mara.table("orders").select("customer_id, status, customers(email)").execute()).data
    same(orders, [{"customer_id": world.mara_id, "status": "cart", "customers": {"email": "mara@example.test"}}])
    same((await world.nobody.table("orders").select("*").execute()).data, [])
    await refused(world.nobody.table("orders").insert({}), "42501")


@step("shop")
async def tables_leave_as_text(world):
    text = (await world.nobody.table("categories").select("id, slug").order("id").csv().execute()).data
    same(text, "id,slug\n1,books\n2,poetry\n3,maps")


@step("shop")
async def a_trigger_stamps_edits(world):
    before = (await world.admin.table("products").select("edited_at").eq("id", 1).single().execute()).data["edited_at"]
    answer = await world.admin.table("products").update({"stock": 5}).eq("id", 1).execute()
    assert answer.data[0]["edited_at"] > before, f"{answer.data[0]['edited_at']} is not later than {before}"


@step("shop")
async def functions_are_refused_by_name(world):
    await refused(
        world.admin.rpc("total", {}), "PGRST202", "Could not find the function public.total in the schema cache"
    )


@step("shop")
async def events_follow_policies_and_filters(world):
    everything = {"event": "*", "schema": "public", "table": "orders"}
    _, own = await joined(world.mara, "own", everything)
    _, cheap = await joined(
        world.nobody, "cheap", {"event": "UPDATE", "schema": "public", "table": "products", "filter": "price=lt.20"}
    )
    for client in (world.eve, world.mara):
        order = (await client.table("orders").select("id").execute()).data[0]["id"]
        await client.table("orders").update({"note": "soon"}).eq("id", order).execute()
    kind, table, record, old = await event(own)
    same((kind, table, record["note"], record["customer_id"], old), ("UPDATE", "orders", "soon", world.mara_id, {"id": order}))
    await world.admin.table("products").update({"stock": 7}).in_("id", [1, 3]).execute()
    kind, table, record, old = await event(cheap)
    same((kind, record["id"], record["price"], record["stock"], old), ("UPDATE", 3, 12.51, 7, {"id": 3}))
    await world.mara.table("orders").delete().eq("id", order).execute()
    same(await event(own), ("DELETE", "orders", None, {"id": order}), "the event")


# A chat.


@step("chat")
async def names_keep_their_capital_letters(world):
    await world.mara.table("users").insert({"id": world.mara_id, "username": "mara"}).execute()
    room = {"name": "Tea", "ownerId": world.mara_id, "topicIds": [1, 2]}
    world.room = (await world.admin.table("rooms").insert(room).execute()).data[0]["id"]
    answer = await world.nobody.table("rooms").select("id, ownerId, topicIds").eq("isPrivate", False).execute()
    same(answer.data, [{"id": world.room, "ownerId": world.mara_id, "topicIds": [1, 2]}])


@step("chat")
async def members_write_messages(world):
    message = {"roomId": world.room, "body": "Hello"}
    await refused(
        world.mara.table("messages").insert(message), "42501",
        'new row violates row-level security policy for table "messages"',
    )
    await world.admin.table("room_members").insert({"roomId": world.room, "userId": world.mara_id}).execute()
    made = (await world.mara.table("messages").insert(message).execute()).data[0]
    same((made["id"], made["author"], made["kind"], made["replyTo"]), (2, world.mara_id, "text", None))
    await refused(world.mara.table("messages").insert({**message, "kind": "system"}), "42501")
    await refused(world.mara.table("messages").insert({**message, "body": ""}), "23514")
    await refused(
        world.mara.table("messages").insert({**message, "id": 9}), "428C9",
        'cannot insert a non-DEFAULT value into column "id"',
    )


@step("chat")
async def a_message_that_goes_leaves_its_answers(world):
    answers = world.admin.table("messages")
    reply = (await answers.insert({"roomId": world.room, "body": "Hi", "replyTo": 2}).execute()).data[0]["id"]
    found = await answers.select("body, first:replyTo(body)").eq("id", reply).execute()
    same(found.data, [{"body": "Hi", "first": {"body": "Hello"}}])
    await answers.delete().eq("id", 2).execute()
    same((await answers.select("replyTo").eq("id", reply).execute()).data, [{"replyTo": None}])


@step("chat")
async def all_tables_send_events(world):
    _, events = await joined(world.eve, "all", {"event": "INSERT", "schema": "public", "table": "messages"})
    await world.admin.table("messages").insert({"roomId": world.room, "body": "Again"}).execute()
    kind, table, record, old = await event(events)
    same((kind, table, record["body"], old), ("INSERT", "messages", "Again", None))


async def main():
    world = World()
    await world.start()
    for function in STEPS[SCHEMA]:
        trouble = None
        try:
            await asyncio.wait_for(function(world), 30)
        except Exception:
            trouble = traceback.format_exc()
        print(json.dumps({"step": function.__name__, "trouble": trouble}), flush=True)


if __name__ == "__main__":
    asyncio.run(main())
