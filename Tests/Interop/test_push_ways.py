"""What `diff` and `diagnostics` say about pushes that have not led to a fetch."""

import json
import urllib.request

from devices import CONTAINER, World
from support import eventually, run_zonekit


class PushesOnTheirWay(World):
    """Why a device that is connected has not heard of a change."""

    def setUp(self):
        super().setUp()
        self.start("A").say('profile name "Mia"')
        self.settled("A")
        self.start("B")
        self.agree("A", "B", count=0)
        self.settled("B")
        eventually(lambda: self.diagnosed("B")["push"]["socket"]["connected"], "B is connected")

    def fault(self, sentence):
        self.verb("fault", "add", sentence)

    def unseen(self):
        """A logs something that B does not see; what `diff` says."""
        self.devices["A"].say("log diaper pee")
        self.settled("A")
        return self.verb("diff", "A", "B", expect=1)

    def administer(self, **operation):
        body = json.dumps(operation).encode()
        request = urllib.request.Request(f"http://{self.server.http}/zonekit/administration", body, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request) as answer:
            self.assertEqual(answer.status, 200)

    def test_a_push_that_a_fault_holds_back_is_under_way_and_one_that_it_drops_is_named(self):
        for sentence in ("delay the next push to B by 60s", "reorder the next push to B"):
            self.fault(sentence)
            self.assertIn("the push is under way: a fault of the service holds it back", self.unseen(), sentence)
            (held,) = [one["held"] for one in self.diagnostics()["cloud"]["receivers"] if one["name"] == "B"]
            self.assertEqual(len(held), 1)
            self.assertRegex(self.verb("diagnostics"), r"pushes to B: connected since .*, 1 held back by a fault")
            self.verb("fault", "clear")
            self.devices["B"].say("sync")
            eventually(lambda: run_zonekit("diff", "A", "B", data=self.data).returncode == 0, "nothing differs")
            # The delayed push is still on its way; a new connection ends that.
            for command, connected in (("offline", False), ("online", True)):
                self.devices["B"].say(command)
                eventually(lambda: self.diagnosed("B")["push"]["socket"]["connected"] == connected, f"B is {command}")
        self.fault("drop the next push to B")
        self.assertRegex(self.unseen(), "the push of [0-9:]{8} was dropped by the fault plan")

    def test_a_push_for_another_subscription_was_ignored(self):
        self.fault("deliver the next push to B for another subscription")
        self.devices["A"].say("log diaper pee")
        self.settled("A")
        self.devices["B"].hears(lambda event: event["event"] == "pushIgnored", "the push is ignored")
        said = self.verb("diff", "A", "B", expect=1)
        self.assertRegex(said, "the push of .* was ignored, because it names a subscription that is not the device's")

    def test_no_push_is_made_for_a_muted_subscription_or_without_one(self):
        self.administer(
            do="muteSubscription", user="nanny", container=CONTAINER, subscription="zonekit-database-changes")
        self.assertIn("its subscription zonekit-database-changes makes no silent pushes, so no push is made", self.unseen())
        lost = "the cloud loses the subscription of account nanny"
        self.assertEqual(self.verb("fault", "add", lost), f"done: {lost}\n")
        refused = run_zonekit("fault", "add", lost, data=self.data)
        self.assertEqual(refused.returncode, 2, refused.stdout)
        self.assertIn("subscription", refused.stderr)
        self.assertIn("the cloud has no subscription zonekit-database-changes of it, so no push is made", self.unseen())

    def test_an_edit_of_a_device_without_a_link_says_so(self):
        self.devices["A"].say("offline")
        eventually(lambda: self.diagnosed("A")["state"] == "offline", "A is offline")
        self.devices["A"].say("log diaper pee")
        eventually(lambda: self.diagnosed("A")["send"]["pending"] == 1, "the edit waits")
        self.assertRegex(self.verb("diff", "A", "B", expect=1), "A changed it at .* and has not sent that yet: it is offline")

    def test_a_stopped_device_is_not_running_whatever_its_last_fetch_met(self):
        self.fault("the cloud answers every fetch of B with serviceUnavailable")
        self.devices["B"].say("sync")
        eventually(lambda: "serviceUnavailable" in (self.diagnosed("B")["fetch"]["lastResult"] or ""), "the fetch fails")
        self.assertEqual(self.devices["B"].quit(), 3, "the sync that a command asked for failed")
        self.verb("fault", "clear")
        said = self.unseen()
        self.assertIn("it is not running", said)
        self.assertNotIn("serviceUnavailable", said)

    def test_a_registered_device_that_never_connected_has_its_name(self):
        self.assertRegex(self.verb("diagnostics"), "pushes to B: connected")
        self.stop()
        self.restart("A")
        eventually(lambda: self.diagnostics()["cloud"].get("receivers"), "the registrations are back")
        self.assertRegex(self.verb("diagnostics"), "pushes to B: not connected")
