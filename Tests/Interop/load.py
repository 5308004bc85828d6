"""Writers that keep the server busy and remember every promise it made, so that a test can hold it to them."""

import http.client
import random
import threading

from clients import operation

TROUBLE = (OSError, http.client.HTTPException)
ZONES = ("Single", "Batches")


class Writer(threading.Thread):
    """One connection that writes until it breaks. `kept` is what was acknowledged, `pending` what may or may not be."""

    def __init__(self, server, number, seed):
        super().__init__(daemon=True)
        self.number = number
        self.kept = {}  # record name -> (change tag, version), None for a deleted record
        self.batches = {}  # batch name -> whether it was acknowledged
        self.pending = set()
        self.tags = set()
        self.failure = None
        self._seed = seed
        self._rng = random.Random(seed * 1000 + number)
        self._cloud = server.cloud(client_id=f"writer-{number}")

    def run(self):
        version = 0
        try:
            while True:
                version += 1
                (self.write_batch if self._rng.random() < 0.2 else self.write_one)(version)
        except TROUBLE:
            pass  # the server was killed: what was pending stays so
        except Exception as error:  # told to the test, which runs in another thread
            self.failure = error
        finally:
            self._cloud.close()

    def write_one(self, version):
        name = f"w{self.number}-{self._rng.randrange(30)}"
        self.pending = {name}
        if self.kept.get(name) and self._rng.random() < 0.2:
            self._cloud.delete(name, zone="Single")
            self.kept[name] = None
        else:
            record = self._cloud.save(name, {"version": version}, zone="Single")
            self.kept[name] = (record["recordChangeTag"], version)
            self.tags.add(record["recordChangeTag"])
        self.pending = set()

    def write_batch(self, version):
        """Ten records that must all be there or none."""
        name = f"w{self.number}-s{self._seed}-b{version}"
        self.batches[name] = False
        operations = [operation("create", f"{name}-{part}", {"batch": name}) for part in range(10)]
        self._cloud.modify(*operations, zone="Batches").succeeded()
        self.batches[name] = True


class ZoneWriter(threading.Thread):
    """Creates zones, each with one record, and deletes them, until the server is gone."""

    def __init__(self, server, there, seed):
        super().__init__(daemon=True)
        self.there, self.pending, self.answered, self.failure = there, None, 0, None
        self._rng = random.Random(seed)
        self._cloud = server.cloud()

    def run(self):
        try:
            while True:
                self.pending = f"Z{self._rng.randrange(6)}"
                if self.pending in self.there:
                    self._cloud.delete_zone(self.pending)
                    self.there.discard(self.pending)
                else:
                    self._cloud.create_zone(self.pending)
                    self._cloud.save(f"n-{self.answered}", zone=self.pending)
                    self.there.add(self.pending)
                self.pending = None
                self.answered += 1
        except TROUBLE:
            pass  # the server was killed: what was pending stays so
        except Exception as error:  # told to the test, which runs in another thread
            self.failure = error
        finally:
            self._cloud.close()


class Load:
    """Several writers at once, over one server's life after another."""

    def __init__(self):
        self.kept, self.batches, self.tags, self.pending = {}, {}, set(), set()

    def start(self, server, seed, connections=4):
        self._writers = [Writer(server, number, seed * 10 + number) for number in range(connections)]
        for writer in self._writers:
            writer.kept = {name: kept for name, kept in self.kept.items() if name.startswith(f"w{writer.number}-")}
            writer.batches = {}
            writer.start()

    def acknowledged(self):
        return sum(len(writer.tags) for writer in self._writers)

    def collect(self):
        """Waits for the writers and adds up their promises; raises what went wrong in one."""
        self.pending = set()
        for writer in self._writers:
            writer.join(20)
            if writer.is_alive():
                raise AssertionError("a writer hangs although the server is gone")
            if writer.failure:
                raise writer.failure
            self.kept.update(writer.kept)
            self.batches.update(writer.batches)
            self.tags |= writer.tags
            self.pending |= writer.pending

    def check(self, cloud):
        """Holds the cloud to every promise; returns what it holds of the single records, for the next round."""
        singles = {record["recordName"]: record for record in cloud.feed("Single")[0]}
        for name, kept in self.kept.items():
            if name in self.pending:
                continue
            record = singles.get(name)
            if kept is None:
                if record is None or not record["deleted"]:
                    raise AssertionError(f"the deletion of {name} was acknowledged and is lost")
            elif (
                record is None
                or (record.get("recordChangeTag"), record.get("fields", {}).get("version", {}).get("value")) != kept
            ):
                raise AssertionError(f"{name} was acknowledged as {kept} and is {record}")
        parts = {}
        for record in cloud.feed("Batches")[0]:
            batch = record["fields"]["batch"]["value"]
            parts[batch] = parts.get(batch, 0) + 1
        for batch, acknowledged in self.batches.items():
            if parts.get(batch, 0) not in ({10} if acknowledged else {0, 10}):
                raise AssertionError(
                    f"batch {batch} (acknowledged: {acknowledged}) has {parts.get(batch, 0)} of 10 records"
                )
        self._settle(singles)
        return singles

    def _settle(self, singles):
        """What was pending is now known: the next round starts from what became of it."""
        for name in self.pending:
            record = singles.get(name)
            if record is None:
                self.kept.pop(name, None)
            elif record["deleted"]:
                self.kept[name] = None
            else:
                self.kept[name] = (record["recordChangeTag"], record["fields"]["version"]["value"])
