#!/usr/bin/env python3
"""Queries over 100,000 expenses of an account: the first one, which makes an index, and the ones after it; and what another
client's small request waits for while eight clients repeat heavy ones."""

import threading
import time

from support import coins
from support.clients import signed_in
from support.commandline import run
from support.processes import BenchmarkError, World
from support.report import progress

COUNT, PERSONS, SPLITS = 100_000, 1_000, 20_000
TIMES = 15
CLIENTS, SECONDS, PAUSE = 8, 10, 0.02
EXPENSES = "/rest/v1/financial_transactions"
# What is asked of the table, and the goal for the median in milliseconds, if there is one.
ASKED = [
    ("one row by a text: title", "?title=eq.Dinner%2077777", 5),
    ("one row by text and number", "?title=eq.Dinner%2077777&amount=gt.5", 5),
    ("one row by a beginning: title=like.Dinner 7777*", "?title=like.Dinner%207777*&limit=200", 5),
    ("12 of a list: title=in.(...)", f"?title=in.({','.join(f'Dinner%20{n * 8000}' for n in range(12))})", 5),
    ("two of an or", "?or=(title.eq.Dinner%2077777,title.eq.Dinner%203)", 5),
    ("200 by updated_at descending", "?order=updated_at.desc&limit=200", 3),
    ("200 by date descending", "?order=date.desc&limit=200", 3),
    ("200 by amount", "?order=amount&limit=200", 3),
    ("200 by amount, then title", "?order=amount.desc,title&limit=200", 3),
    ("200 by note, no values first", "?order=note.desc.nullsfirst&limit=200", 3),
    ("200 by note, no values last", "?order=note.asc.nullslast&limit=200", 3),
    ("200 by payer and date descending", f"?payer_id=eq.{coins.identifier('row person', 7)}&order=date.desc&limit=200", 3),
    ("200 without a note, by title", "?note=is.null&order=title&limit=200", 3),
    ("200 after 50,000, by title", "?order=title&limit=200&offset=50000", None),
    ("limit=1 without an order", "?limit=1", 3),
    ("limit=1 with the exact count", "?limit=1", None),
    ("limit=1 of half of them with the exact count", "?amount=gt.50&limit=1", None),
    ("ilike that finds one", "?title=ilike.*NER%2077777", None),
    ("ilike that finds nothing", "?title=ilike.*nothing*", None),
    ("ilike or a number", "?or=(title.ilike.*nothing*,amount.lt.0)", None),
    ("ilike of rows alone: title=not.ilike.*9*", "?title=not.ilike.*9*&order=amount&limit=200", None),
    ("200 of an or over two columns, by date", "?or=(amount.lt.20,note.is.null)&order=date&limit=200", None),
]


def seed_rows(client):
    stamps = {"created_at": coins.STAMP, "edited_at": coins.STAMP}
    persons = [coins.identifier("row person", number) for number in range(PERSONS)]
    tables = {
        "persons": [{"id": one, "name": f"Person {number}", **stamps} for number, one in enumerate(persons)],
        "financial_transactions": [
            {"id": coins.identifier("row expense", number), "title": f"Dinner {number}", "amount": number * 7919 % 10007 / 100,
             "currency": "CHF", "date": f"2026-{number % 12 + 1:02}-{number % 28 + 1:02}T07:08:{number % 60:02}.000Z",
             "note": None if number % 3 else f"note {number * 31 % 9973}", "split_method": "equal",
             "payer_id": persons[number % PERSONS], "created_by_id": persons[number % PERSONS], **stamps}
            for number in range(COUNT)],
        "transaction_splits": [
            {"id": coins.identifier("row split", number), "transaction_id": coins.identifier("row expense", number),
             "owed_by_id": persons[(number + 1) % PERSONS], "amount": 42.25, **stamps}
            for number in range(SPLITS)],
    }
    for table, rows in tables.items():
        for first in range(0, len(rows), 1000):
            client.ask("POST", f"/rest/v1/{table}", rows[first:first + 1000],
                       Prefer="resolution=merge-duplicates,return=minimal")


def add(report, title, client, goal, *asked, **more):
    """The first answer, and those after it."""
    first, content = client.ask(*asked, **more)
    report.add(f"{title}: first use", [first], "ms")
    report.add(f"{title}: after it", [client.ask(*asked, **more)[0] for _ in range(TIMES)], "ms", goal)
    return content


def rows(report, client, other):
    progress(f"queries: {COUNT} rows")
    seed_rows(client)
    for title, query, goal in ASKED:
        more = {"Prefer": "count=exact"} if "count" in title else {}
        add(report, title, client, goal, "GET", EXPENSES + query, **more)
    balance = ("POST", "/functions/v1/calculate-balance", {"person_id": coins.identifier("row person", 7)})
    report.add("calculate-balance: first use", [client.ask(*balance)[0]], "ms")
    found = []
    for number in range(TIMES):
        client.ask("PATCH", f"{EXPENSES}?id=eq.{coins.identifier('row expense', number)}", {"amount": number + 0.5})
        found.append(client.ask(*balance)[0])
    report.add("calculate-balance after one changed row", found, "ms", 5)
    for title, query, _ in ASKED:
        if "ilike" in title or "count" in title or "or over" in title or "50,000" in title:
            more = {"Prefer": "count=exact"} if "count" in title else {}
            crowd(report, title, client, ("GET", EXPENSES + query, None), more, other, ("GET", "/rest/v1/persons?limit=1"))


def crowd(report, title, client, heavy, more, other, small):
    """What a small request waits for while eight clients repeat a heavy one."""
    progress(f"queries: eight clients: {title}")
    ends, counts, failures = time.perf_counter() + SECONDS, [0] * CLIENTS, []

    def repeat(place):
        own = client.again()
        try:
            while time.perf_counter() < ends:
                own.ask(*heavy, **more)
                counts[place] += 1
        except (BenchmarkError, OSError) as error:
            failures.append(error)

    threads = [threading.Thread(target=repeat, args=(place,)) for place in range(CLIENTS)]
    for thread in threads:
        thread.start()
    time.sleep(0.3)
    waits, other = [], other.again()
    while time.perf_counter() < ends:
        waits.append(other.ask(*small)[0])
        time.sleep(PAUSE)
    for thread in threads:
        thread.join()
    if failures:
        raise BenchmarkError(f"{title}: {failures[0]}")
    waits.sort()
    report.add(f"small request beside eight of: {title}", waits, "ms", 1000)
    report.add("  the slowest hundredth of them", waits[len(waits) * 99 // 100:], "ms", 1000)
    report.add("  the eight together", [sum(counts) / SECONDS], "req/s")


def measure(report):
    with World() as world:
        _, ready = world.serve()
        address, key = ready["http"], ready["supabase"]["anonKey"]
        rows(report, signed_in(address, key, "bench@example.test"), signed_in(address, key, "other@example.test"))


if __name__ == "__main__":
    run(__doc__, measure)
