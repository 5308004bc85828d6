#!/usr/bin/env python3
"""The rows of a schema of a user's own beside those of the built-in app: the same 100,000 expenses, queries and inserts, in
turns on two servers. A ratio is the time of the user's own tables divided by that of the built-in ones."""

import os
import uuid

import queries
from support import coins
from support.clients import signed_in
from support.commandline import run
from support.processes import World
from support.report import progress

TURNS = 60
SCHEMA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "own-tables.sql")
PERSON = coins.identifier("row person", 7)
# What is asked of both servers, and the goal for the median of the user's own tables in milliseconds.
ASKED = [
    ("one row by a text", "?title=eq.Dinner%2077777", 5),
    ("one row by its key", f"?id=eq.{coins.identifier('row expense', 77777)}", 5),
    ("12 of a list", f"?title=in.({','.join(f'Dinner%20{n * 8000}' for n in range(12))})", 5),
    ("200 by updated_at descending", "?order=updated_at.desc&limit=200", 3),
    ("200 by date descending", "?order=date.desc&limit=200", 3),
    ("200 by amount", "?order=amount&limit=200", 3),
    ("200 by payer and date descending", f"?payer_id=eq.{PERSON}&order=date.desc&limit=200", 3),
]


def in_turns(report, what, own, built_in, goal, ask):
    """The times of both servers, and the ratio of each turn."""
    for client in (own, built_in):
        for number in range(3):
            ask(client, number)
    times = [(ask(own, number), ask(built_in, number)) for number in range(TURNS)]
    report.add(f"{what}: own table", [mine for mine, _ in times], "ms", goal)
    report.add("  built-in table", [theirs for _, theirs in times], "ms")
    report.add("  ratio", [mine / theirs for mine, theirs in times], "times", 1.15)


def expense(number):
    stamps = {"created_at": coins.STAMP, "edited_at": coins.STAMP}
    return {"id": str(uuid.uuid4()), "title": f"New {number}", "amount": 1.5, "currency": "CHF", "date": coins.STAMP,
            "split_method": "equal", "payer_id": PERSON, "created_by_id": PERSON, **stamps}


def measure(report):
    with World() as one, World() as other:
        clients = []
        for world, options in ((one, ["--tables", SCHEMA]), (other, [])):
            _, ready = world.serve(*options)
            client = signed_in(ready["http"], ready["supabase"]["anonKey"], "bench@example.test")
            progress(f"own-tables: {queries.COUNT} rows {'of the built-in app' if not options else 'of the schema'}")
            queries.seed_rows(client)
            clients.append(client)
        for what, query, goal in ASKED:
            in_turns(report, what, *clients, goal, lambda client, _, query=query: client.ask("GET", queries.EXPENSES + query)[0])
        in_turns(report, "a durable insert", *clients, None, lambda client, number: client.ask(
            "POST", queries.EXPENSES, expense(number), Prefer="return=minimal")[0])


if __name__ == "__main__":
    run(__doc__, measure)
