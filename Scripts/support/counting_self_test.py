"""Shows that the counting of Scripts/test is right, also where a run crashes or prints what looks like its events."""

import os
import subprocess

COUNTING = os.path.join(os.path.dirname(os.path.abspath(__file__)), "count-tests.awk")

# The event stream of one test run, and what it counts to: passed, failed, skipped.
RUN_ENDED = '{"kind":"event","payload":{"kind":"runEnded","messages":[]},"version":"6.3.0"}'


def function(name):
    return f'{{"kind":"test","payload":{{"id":"{name}","isParameterized":true,"kind":"function","name":"n"}}}}'


def event(kind, name, issue=""):
    return f'{{"kind":"event","payload":{{{issue}"kind":"{kind}","messages":[],"testID":"{name}"}},"version":"6.3.0"}}'


FAILS = '"issue":{"isFailure":true,"isKnown":false},'
FAILS_IN_6_2 = '"issue":{"isKnown":false},'
KNOWN = '"issue":{"isFailure":false,"isKnown":true},'
TALKS = '"messages":[{"text":"\\"kind\\":\\"runEnded\\", \\"isFailure\\":true"}],'
RUN = [event("testStarted", "a"), event("testEnded", "a")]

COUNTED = [
    ("a pass", [function("a"), *RUN, RUN_ENDED], "1 0 0"),
    ("a suite is no test", [function("a"), *RUN, event("testStarted", "S"), event("testEnded", "S"), RUN_ENDED], "1 0 0"),
    ("two issues, one failure",
     [function("a"), RUN[0], event("issueRecorded", "a", FAILS), event("issueRecorded", "a", FAILS), RUN[1], RUN_ENDED], "0 1 0"),
    ("an issue of Swift 6.2", [function("a"), RUN[0], event("issueRecorded", "a", FAILS_IN_6_2), RUN[1], RUN_ENDED], "0 1 0"),
    ("a known issue", [function("a"), RUN[0], event("issueRecorded", "a", KNOWN), RUN[1], RUN_ENDED], "1 0 0"),
    ("an issue outside tests", [function("a"), *RUN, event("issueRecorded", "S", FAILS), RUN_ENDED], "1 1 0"),
    ("a skip", [function("a"), function("b"), *RUN, event("testSkipped", "b"), RUN_ENDED], "1 0 1"),
    ("a crash", [function("a"), function("b"), *RUN, event("testStarted", "b")], "1 1 0"),
    ("a crash between tests", [function("a"), *RUN], "1 1 0"),
    ("no events", [], "0 1 0"),
    ("nothing to run", [RUN_ENDED], "0 0 0"),
    ("a text that looks like events", [function("a"), event("testStarted", "a", TALKS)], "0 1 0"),
    ("a quote in a name", [function('x \\"y\\"'), event("testStarted", 'x \\"y\\"'), event("testEnded", 'x \\"y\\"'), RUN_ENDED],
     "1 0 0"),
]


def count(events):
    counting = subprocess.run(["awk", "-f", COUNTING], input="".join(f"{e}\n" for e in events),
                              capture_output=True, text=True, check=True)
    return counting.stdout.strip()


def missed():
    """The number of cases and what went wrong in them."""
    wrong = [f"counting {name}: expected {expected}, counted {counted}"
             for name, events, expected in COUNTED if (counted := count(events)) != expected]
    return len(COUNTED), wrong
