"""Rows of Swiss Coin: a file for `zonekit import`, and the same rows for `/rest/v1`."""

import json
import uuid

ME = str(uuid.uuid5(uuid.NAMESPACE_OID, "me"))
STAMP = "2026-05-04T07:08:09.000+00:00"


def identifier(kind, number):
    return str(uuid.uuid5(uuid.NAMESPACE_OID, f"{kind} {number}"))


def tables(count, kind="row"):
    """That many rows, in the order in which they refer to each other: in a hundred rows one person, twenty-five expenses,
    fifty splits and twenty-four messages. Equal counts and kinds give equal rows."""
    persons = max(1, count // 100)
    expenses = count // 4
    splits = count // 2
    messages = count - persons - expenses - splits
    stamps = {"created_at": STAMP, "edited_at": STAMP}

    def person(number):
        return identifier(f"{kind} person", number % persons)

    def expense(number):
        return identifier(f"{kind} expense", number % max(1, expenses))

    return {
        "persons": [
            {"id": person(number), "name": f"Person {number}", "is_archived": False, **stamps} for number in range(persons)
        ],
        "financial_transactions": [
            {"id": expense(number), "title": f"Dinner {number}", "amount": 84.5, "currency": "CHF", "date": STAMP,
             "split_method": "equal", "payer_id": person(number), "created_by_id": person(number), **stamps}
            for number in range(expenses)
        ],
        "transaction_splits": [
            {"id": identifier(f"{kind} split", number), "transaction_id": expense(number // 2),
             "owed_by_id": person(number), "amount": 42.25, **stamps}
            for number in range(splits)
        ],
        "chat_messages": [
            {"id": identifier(f"{kind} message", number), "content": f"message {number}", "timestamp": STAMP,
             "is_from_user": True, "is_edited": False, "with_person_id": person(number), **stamps}
            for number in range(messages)
        ],
    }


def write_file(path, rows):
    """Writes rows as the app exports them."""
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"version": 1, "app": "SwissCoin", "exportedAt": STAMP, "tables": rows}, file)
