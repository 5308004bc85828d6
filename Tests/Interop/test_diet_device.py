"""Two devices with the diet log, a server and a plain client as processes. The devices sync documents over REST, and learn
of changes by pushes."""

import shutil

from devices import World
from document_http import Documents, change, weight
from support import eventually

TUNING = ("--app", "diet-log", "--eager")


class DietWorld(World):
    def start(self, name, *arguments, **more):
        return super().start(name, *TUNING, *arguments, **more)

    def ask(self, name, command):
        """The answer to a command."""
        device = self.devices[name]
        before = len(device.heard())
        device.say(command)
        answer = eventually(
            lambda: next(
                (
                    event
                    for event in device.heard()[before:]
                    if event["event"] in ("answer", "error") and event.get("command") == command
                ),
                None,
            ),
            f"{name} answers {command}",
        )
        self.assertEqual(answer["event"], "answer", answer)
        return answer

    def weights(self, name):
        return self.ask(name, "list weights")["weightLogs"]

    def plain(self):
        client = Documents(self.server.http, "nanny")
        self.addCleanup(client.close)
        return client


class DevicesOverREST(DietWorld):
    def test_a_meal_reaches_the_other_device_and_a_plain_client(self):
        self.start("A")
        self.start("B")
        self.ask("A", "log lunch")
        self.ask("A", 'add last "Oats" 60 g kcal 220')
        eventually(lambda: len(self.ask("B", "list logs")["foodLogs"]) == 1, "B shows the meal")
        plain = self.plain()
        logs = eventually(lambda: plain.full().json["data"].get("foodLogs"), "the server has the meal")
        eventually(lambda: plain.full().json["data"]["foodLogs"][0]["totals"]["energyKcal"] == 220, "with its food")
        self.assertEqual([log["mealType"] for log in logs], ["lunch"])

    def test_a_weight_of_a_plain_client_appears_on_a_device_without_being_asked(self):
        self.start("A")
        self.ask("A", "weigh 70")
        plain = self.plain()
        eventually(lambda: plain.full().json["data"].get("weightLogs"), "the server has the first weight")
        self.assertEqual(plain.push(change("create", "weightLogs", "w1", weight(71_000), at=5)).json["applied"], ["w1"])
        eventually(lambda: len(self.weights("A")) == 2, "A shows both weights")

    def test_devices_offer_all_again_to_a_server_that_lost_its_folder(self):
        self.start("A")
        self.start("B")
        self.ask("A", "weigh 70")
        eventually(lambda: len(self.weights("B")) == 1, "B shows the weight")
        self.server.kill()
        shutil.rmtree(self.data / "cloud")
        self.start_server()
        self.ask("A", "sync")
        plain = self.plain()
        weights = eventually(lambda: plain.full().json["data"].get("weightLogs"), "the server has the weight again")
        self.assertEqual([entry["weightG"] for entry in weights], [70_000])
        self.assertEqual(len(self.weights("A")), 1)
        self.assertEqual(len(self.weights("B")), 1)
