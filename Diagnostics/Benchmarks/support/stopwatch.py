"""How long a change takes from one device to the screen of another."""

import time

from support.processes import BenchmarkError


class Stopwatch:
    """The times of one save: command written, A's answer, B's event that names the same record.

    A sends before it answers, so B may be first and the time from the answer below zero; the time from the command
    is the one that cannot flatter.
    """

    def __init__(self, world, a, b):
        self.world, self.a, self.b = world, a, b

    def measure(self, command):
        """The record, and the milliseconds from the answer and from the command until B shows it."""
        written = time.perf_counter()
        self.a.say(command)
        answered, record, seen = None, None, {}
        while record is None or record not in seen:
            came = list(self.world.events(20))
            if not came:
                raise BenchmarkError(f"device B did not show the record of `{command}` within 20 s")
            for arrived, process, event in came:
                if process is self.a and event["event"] == "answer":
                    if not event.get("records"):
                        raise BenchmarkError(f"`{command}` was answered {event}")
                    answered, record = arrived, event["records"][-1]
                elif process is self.b and event["event"] == "remoteChange":
                    seen.update(dict.fromkeys(event["records"], arrived))
        return record, (seen[record] - answered) * 1000, (seen[record] - written) * 1000
