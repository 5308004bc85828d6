"""Simulated devices as processes, and a world of a server and devices in one data folder."""

import datetime
import json
import pathlib
import queue
import subprocess
import tempfile
import threading
import time

from support import PATIENCE, Case, Server, eventually, run_zonekit, zonekit

USER = "nanny"
CONTAINER = "iCloud.com.example.nannyandme"
# A device and its cloud agree within seconds (N-11).
SOON = 5.0


class Device:
    """A `zonekit device` process that takes commands on standard input and tells events as lines of JSON."""

    def __init__(self, data, name, http, push, *arguments, user=USER):
        self.name = name
        self._log = tempfile.TemporaryFile()
        self.events = []
        self._lines = queue.Queue()
        self.process = subprocess.Popen(
            [
                zonekit(),
                "device",
                name,
                "--data",
                str(data),
                "--server",
                f"http://{http}",
                "--push",
                push,
                *(["--user", user] if user else []),
                "--json",
                *arguments,
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
        )
        self.pid = self.process.pid
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        for line in self.process.stdout:
            self._lines.put(line)

    def say(self, *commands):
        self.process.stdin.write("".join(f"{command}\n" for command in commands).encode())
        self.process.stdin.flush()

    def heard(self):
        """All events so far; every line must be a JSON object."""
        while not self._lines.empty():
            event = json.loads(self._lines.get())
            if not isinstance(event, dict):
                raise AssertionError(f"a line that is no object: {event}")
            self.events.append(event)
        return self.events

    def hears(self, probe, what):
        """The first event, from now back to the start, that the probe is true of."""
        return eventually(lambda: next((event for event in self.heard() if probe(event)), None), f"{self.name}: {what}")

    def is_running(self):
        return self.process.poll() is None

    def log(self):
        self._log.seek(0)
        return self._log.read().decode(errors="replace")[-2000:]

    def quit(self):
        """The exit code after `quit`."""
        if self.is_running():
            try:
                self.say("quit")
            except BrokenPipeError:
                pass  # it has ended already
        return self.wait()

    def wait(self):
        try:
            return self.process.wait(PATIENCE * 2)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"device {self.name} does not end: {self.log()}") from None

    def kill(self):
        if self.is_running():
            self.process.kill()
        self.process.wait()

    def close(self):
        self.kill()
        self._reader.join(PATIENCE)
        self.process.stdin.close()
        self.process.stdout.close()
        self._log.close()


def seconds(time_text):
    """A time of a share file, in seconds since 1970."""
    return int(datetime.datetime.fromisoformat(time_text.replace("Z", "+00:00")).timestamp())


class World(Case):
    """A test with a server and devices of its own, all in one data folder."""

    def setUp(self):
        self.data = self.folder() / "world"
        self.server = None
        self.devices = {}

    def start_server(self):
        self.server = Server(self.data, http=self._same("http"), push=self._same("push"))
        self.addCleanup(self.server.close)
        return self.server

    def _same(self, which):
        """A restarted server is found where it was before."""
        return getattr(self.server, which) if self.server else "127.0.0.1:0"

    def start(self, name, *arguments, user=USER):
        if not self.server:
            self.start_server()
        device = Device(self.data, name, self.server.http, self.server.push, *arguments, user=user)
        self.addCleanup(device.close)
        self.devices[name] = device
        return device

    def stop_devices(self):
        """Ends all devices in good order."""
        for device in self.devices.values():
            if device.is_running():
                self.assertEqual(device.quit(), 0, device.log())

    def stop(self):
        self.stop_devices()
        if self.server and self.server.is_running():
            self.assertEqual(self.server.end(), 0, self.server.log())

    def restart(self, *names):
        """The server and the named devices, running."""
        if not self.server or not self.server.is_running():
            self.start_server()
        return [self.start(name) for name in names]

    # Commands and their answers

    def ask(self, name, command):
        """The answer to a command; an error is one too."""
        device = self.devices[name]
        before = len(device.heard())
        device.say(command)

        def answer():
            return next(
                (
                    event
                    for event in device.heard()[before:]
                    if event["event"] in ("answer", "error") and event.get("command") == command
                ),
                None,
            )

        return eventually(answer, f"{name} answers {command}")

    def does(self, name, command):
        answer = self.ask(name, command)
        self.assertEqual(answer["event"], "answer", answer)
        return answer

    def refuses(self, name, command):
        answer = self.ask(name, command)
        self.assertEqual(answer["event"], "error", answer)
        return answer["message"]

    # Verbs over the same folder

    def verb(self, *arguments, expect=0, stdin=""):
        """One run of a verb; its standard output."""
        run = run_zonekit(*arguments, data=self.data, stdin=stdin)
        self.assertEqual(run.returncode, expect, f"zonekit {' '.join(map(str, arguments))}: {run.stdout}\n{run.stderr}")
        return run.stdout

    def check_refused_while_running(self, pid, *arguments):
        run = run_zonekit(*arguments, data=self.data)
        self.assertIn(run.returncode, (2, 3), f"{arguments}: {run.stdout}{run.stderr}")
        self.assertRegex(run.stderr, rf"\b{pid}\b")

    def exported(self, name):
        """The share file of a device; None while it has no profile."""
        run = run_zonekit("export", "--device", name, data=self.data)
        return json.loads(run.stdout) if run.returncode == 0 else None

    def content(self, name):
        """What a device holds, whoever exported it when: its profile and its actions by ID."""
        share = self.exported(name)
        if share is None:
            return None
        active = share["actions"]["activeActions"].values()
        return share["profile"], {action["id"]: action for action in [*share["actions"]["history"], *active]}

    def actions(self, name):
        content = self.content(name)
        return content[1] if content else {}

    def action(self, name, **wanted):
        """The one action of a device with these values; an assertion fails while there is none."""
        found = [
            item for item in self.actions(name).values() if all(item.get(key) == value for key, value in wanted.items())
        ]
        self.assertEqual(len(found), 1, f"{name} has {len(found)} actions with {wanted}")
        return found[0]

    def sees(self, name, patience=PATIENCE, **wanted):
        """Waits until a device has one action with these values."""
        return eventually(lambda: self.action(name, **wanted), f"{name} has an action with {wanted}", patience)

    def agree(self, *names, count=None, patience=PATIENCE):
        """Waits until devices hold the same, of that many actions; what they hold."""

        def same():
            contents = [self.content(name) for name in names]
            self.assertIsNotNone(contents[0])
            for content in contents[1:]:
                self.assertEqual(content, contents[0])
            if count is not None:
                self.assertEqual(len(contents[0][1]), count)
            return contents[0]

        return eventually(same, f"{' and '.join(names)} agree", patience)

    def diagnostics(self, *arguments):
        return json.loads(self.verb("diagnostics", "--json", *arguments))

    def diagnosed(self, name):
        """A device's part of the dump."""
        found = [device for device in self.diagnostics()["devices"] if device["name"] == name]
        self.assertEqual(len(found), 1, f"the dump has {len(found)} devices called {name}")
        return found[0]

    def settled(self, *names, user=USER):
        """Waits until the cloud has what these devices have: nothing is left to send."""
        for name in names:
            eventually(lambda: self._sent(name, user), f"{name} has sent everything")

    def _sent(self, name, user):
        cloud = self.server.cloud(user, container=CONTAINER)
        try:
            records = [record for record in cloud.feed("NannyAndMe")[0] if not record["deleted"]]
        finally:
            cloud.close()
        there = {record["recordName"]: record["fields"]["updatedAt"]["value"] // 1000 for record in records}
        profile, actions = self.content(name) or (None, {})
        here = {identifier: seconds(action["updatedAt"]) for identifier, action in actions.items()}
        names = {record["fields"]["name"]["value"] for record in records if record["recordType"] == "Profile"}
        self.assertEqual({name: at for name, at in there.items() if name in here}, here)
        self.assertEqual(len(there), len(here) + len(names), "the cloud has what the device deleted")
        self.assertEqual(names, {profile["name"]} if profile else set())
        return True

    def cloud(self, user=USER):
        return self.keep(self.server.cloud(user, container=CONTAINER))


def share_file(folder, count=60, **more):
    """A share file as the app writes it: old actions without updatedAt, a running one, names outside ASCII."""

    def identifier(number):
        return f"{number:08X}-0000-4000-8000-00000000ABCD"

    def stamp(minutes):
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(1_786_000_000 + minutes * 60))

    history = []
    for number in range(1, count):
        start = -number * 60
        action = {"id": identifier(number), "startDate": stamp(start)}
        kind = number % 3
        if kind == 0:
            action |= {"category": "sleep", "endDate": stamp(start + 45)}
        elif kind == 1:
            action |= {"category": "diaper", "endDate": stamp(start), "diaperType": "both"}
        else:
            action |= {
                "category": "feeding",
                "endDate": stamp(start + 20),
                "feedingType": "bottle",
                "bottleType": "formula",
                "bottleVolume": 120,
                "placename": "Großmutters Haus 🌳",
                "latitude": 48.137,
                "longitude": 11.575,
            }
        if number < count // 2:
            action["updatedAt"] = stamp(start + 50)
        history.append(action)
    running = {"id": identifier(0), "category": "sleep", "startDate": stamp(-10), "updatedAt": stamp(-10)}
    categories = ("sleep", "diaper", "feeding")
    share = {
        "version": 1,
        "exportedAt": stamp(0),
        "profile": {
            "id": "E9464B86-36B3-4E94-93C5-DCC2AF87B33D",
            "name": "Zoë Łukasz 👶",
            "birthDate": "2026-07-30T11:04:00Z",
            "remindersEnabled": True,
            "isShared": False,
            "sharePermissionRawValue": "edit",
            "actionReminderIntervals": {name: 10800 for name in categories},
            "actionRemindersEnabled": {name: name != "diaper" for name in categories},
            "actionReminderOverrides": {},
        },
        "actions": {"activeActions": {"sleep": running}, "history": history},
    }
    path = pathlib.Path(folder) / "share.json"
    path.write_text(json.dumps(share | more, ensure_ascii=False, indent=1), encoding="utf-8")
    return path, share
