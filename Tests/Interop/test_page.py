"""The live page of a server in a browser (Playwright of PyPI and Debian's chromium), with real devices.

ZONEKIT_CHROMIUM names another browser. Where the browser or Playwright is missing the tests are skipped and say why.
"""

import os
import re
import shutil
import unittest

from devices import World, share_file
from support import PATIENCE, eventually

try:
    from axe_playwright_python.sync_playwright import Axe
    from playwright.sync_api import Error, expect, sync_playwright
except ImportError as error:
    MISSING = f"{error} (PyPI: playwright, axe-playwright-python)"
else:
    MISSING = None

CHROMIUM = os.environ.get("ZONEKIT_CHROMIUM") or shutil.which("chromium")
HOSTILE = "<img src=x onerror=document.title='hit'>"
WIDTHS = (320, 768, 1920)
DROPPED = re.compile(r"B is behind by 1 record: the push of .* was dropped by the fault plan")


class PageWorld(World):
    """A server with devices, and a browser that all tests of a class share."""

    @classmethod
    def setUpClass(cls):
        if MISSING or not CHROMIUM:
            raise unittest.SkipTest(MISSING or "there is no chromium (Debian: chromium)")
        playwright = sync_playwright().start()
        cls.addClassCleanup(playwright.stop)
        cls.browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        cls.addClassCleanup(cls.browser.close)
        expect.set_options(timeout=PATIENCE * 1000)

    def context(self, **more):
        context = self.browser.new_context(reduced_motion="reduce", **more)
        context.set_default_timeout(PATIENCE * 1000)
        self.addCleanup(context.close)
        return context

    def open(self, context=None, address=""):
        """A tab with the page, which is live."""
        page = (context or self.context()).new_page()
        self.troubles = []
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.goto(f"http://{self.server.http}/{address}")
        self.live(page)
        return page

    def live(self, page):
        expect(page.locator("#connection")).to_have_text("Live")

    def two_devices(self):
        """A and B with one action, in agreement, and a tab that says so."""
        self.start("A").say('profile name "Mia"', "log diaper pee")
        self.settled("A")
        self.start("B")
        self.agree("A", "B", count=1)
        page = self.open()
        expect(self.sentences(page)).to_have_text(["A and B hold the same 2 records"])
        return page

    def region(self, page, name):
        return page.get_by_role("region", name=name, exact=True)

    def sentences(self, page):
        return self.region(page, "Devices").get_by_role("status").get_by_role("listitem")

    def press(self, page, words, says):
        """Presses a button for B, and waits for what the server says."""
        page.get_by_role("article", name="B", exact=True).get_by_role("link", name="Actions for B").click()
        page.get_by_role("button", name=words, exact=True).click()
        expect(page.locator("#said")).to_contain_text(f"{words}: ")
        expect(page.locator("#said")).to_contain_text(says)

    def miss_a_push(self, page):
        """B misses an action of A because of a push that the page drops."""
        self.press(page, "Drop the next push to B", "added fault")
        self.does("A", "log diaper poo")
        expect(self.sentences(page).filter(has_text=DROPPED)).to_be_visible()

    def check_fits(self, page, what):
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        self.assertLessEqual(wide, 0, f"{what}: the page is {wide} pixels too wide")


class Devices(PageWorld):
    def test_a_dropped_push_is_told_and_a_button_repairs_it(self):
        page = self.two_devices()
        self.miss_a_push(page)
        newest = self.region(page, "Changes").get_by_role("listitem").filter(has=page.get_by_role("img")).first
        expect(newest).to_contain_text(re.compile("B: missing: the push of .* was dropped by the fault plan"))
        expect(newest.get_by_role("img")).to_have_accessible_name(re.compile("BabyAction .* by A: B missing"))
        expect(newest.locator("svg .lost")).to_have_count(1)
        self.press(page, "Sync B now", "")
        expect(self.sentences(page)).to_have_text(["A and B hold the same 3 records"])
        expect(newest).to_contain_text("B: there after")
        self.assertEqual(self.troubles, [])

    def test_a_link_is_cut_and_restored(self):
        page = self.two_devices()
        self.press(page, "Cut the link of B", "")
        self.does("A", "log diaper poo")
        expect(self.sentences(page).filter(has_text=re.compile("B is behind by 1 record: .* offline"))).to_be_visible()
        expect(page.get_by_role("article", name="B", exact=True)).to_contain_text("offline")
        self.press(page, "Restore the link of B", "")
        expect(self.sentences(page)).to_have_text(["A and B hold the same 3 records"])

    def test_stamps_advance_with_each_push(self):
        page = self.two_devices()
        stamps = page.get_by_role("article", name="B", exact=True)
        stamp = stamps.locator("dt:text-is('Last push received') + dd time")
        before = stamp.get_attribute("datetime") if stamp.count() else ""
        self.does("A", "log diaper poo")
        expect(self.sentences(page)).to_have_text(["A and B hold the same 3 records"])
        expect(stamp).not_to_have_attribute("datetime", before)
        self.assertEqual(stamp.get_attribute("title"), stamp.get_attribute("datetime"))
        for name in ("Last push sent", "Last push handled", "Led to change"):
            expect(stamps.locator(f"dt:text-is('{name}') + dd time")).to_be_visible()

    def test_all_three_protocols_are_shown(self):
        page = self.two_devices()
        self.start("S", "--app", "swiss-coin", "--eager", user=None)
        self.does("S", "signup mara@example.test secret1")
        self.start("D", "--app", "diet-log", "--eager", user="dieter")
        self.does("D", "log lunch")
        swiss, diet = (page.get_by_role("article", name=name, exact=True) for name in "SD")
        expect(swiss.locator("dt:text-is('Channel') + dd")).to_contain_text("user-sync-")
        expect(swiss.locator("dt:text-is('Session') + dd")).to_have_text("mara@example.test")
        expect(diet.locator("dt:text-is('Version') + dd")).not_to_have_text("none")
        expect(diet.locator("dt:text-is('Cursor of DietLog') + dd")).not_to_have_text("none")
        zones = self.region(page, "Data").locator("#zones tr")
        for zone, protocol in (("NannyAndMe", "CloudKit"), ("SwissCoin", "tables"), ("DietLog", "documents")):
            row = zones.filter(has_text=zone)
            expect(row).to_contain_text(protocol)
            row.get_by_role("link").click()
            expect(page.locator("#rows h3")).to_contain_text(zone)
            expect(page.locator("#rows tbody tr").first).to_be_visible()
        self.assertEqual(self.troubles, [])


class Records(PageWorld):
    def test_an_opened_change_has_an_address_and_shows_each_place(self):
        page = self.two_devices()
        self.does("B", "offline")
        (action,) = self.actions("B")
        self.does("B", f"edit {action} diaperType both")
        page.locator("#strips").get_by_role("link").filter(has_text="BabyAction").first.click()
        opened = page.locator("#opened")
        expect(opened.get_by_role("columnheader", name="cloud")).to_be_visible()
        row = opened.get_by_role("row").filter(has_text="diaperType")
        expect(row).to_contain_text("≠ both")
        expect(opened.locator("caption").first).to_contain_text("by A")
        expect(opened.get_by_role("cell").filter(has_text=re.compile(r"\+\d.* m?s")).first).to_be_visible()
        again = self.open(address=page.url.partition("/")[2].partition("/")[2].partition("/")[2])
        expect(again.locator("#opened").get_by_role("row").filter(has_text="diaperType")).to_contain_text("≠ both")
        again.get_by_role("link", name="Close the change").click()
        expect(again.locator("#opened")).to_be_hidden()

    def test_rows_come_page_by_page_and_are_filtered_by_text(self):
        path, _ = share_file(self.folder(), count=250)
        self.verb("import", path, "--device", "A")
        self.start("A")
        self.settled("A")
        page = self.open()
        page.locator("#zones").get_by_role("link", name="NannyAndMe").click()
        rows, count = page.locator("#rows tbody tr"), page.locator("#rows [role=status]")
        expect(count).to_have_text("1 to 100 of 251 records")
        expect(rows).to_have_count(100)
        page.get_by_role("button", name="Next page").click()
        expect(count).to_have_text("101 to 200 of 251 records")
        page.get_by_role("button", name="Next page").click()
        expect(rows).to_have_count(51)
        expect(page.get_by_role("button", name="Next page")).to_be_disabled()
        page.get_by_role("button", name="Previous page").click()
        expect(count).to_have_text("101 to 200 of 251 records")
        page.get_by_label("Filter by text").fill("profile")
        expect(page).to_have_url(re.compile("filter=profile"))
        page.get_by_label("Filter by text").fill("no such text")
        expect(count).to_have_text("No record.")

    def test_hostile_texts_stay_text(self):
        self.start("A").say(f'profile name "{HOSTILE}"')
        self.settled("A")
        page = self.open()
        page.locator("#zones").get_by_role("link", name="NannyAndMe").click()
        expect(page.locator("#rows")).to_contain_text(HOSTILE)
        page.locator("#rows tbody").get_by_role("link").first.click()
        expect(page.locator("#opened")).to_contain_text(HOSTILE)
        page.get_by_text("Everything about A").click()
        self.assertEqual((page.locator("img").count(), page.title()), (0, "ZoneKit"))
        with self.assertRaisesRegex(Error, "TrustedHTML"):
            page.evaluate("text => document.body.insertAdjacentHTML('beforeend', text)", HOSTILE)

    def test_requests_appear_with_their_outcome_and_are_filtered(self):
        page = self.two_devices()
        rows = self.region(page, "Requests").locator("tbody tr")
        expect(rows.filter(has_text="cloudkit").first).to_contain_text("200")
        page.locator("#of-device").select_option("B")
        page.locator("#of-protocol").select_option("cloudkit")
        expect(rows.filter(has_not_text="cloudkit")).to_have_count(0)
        self.assertEqual(set(rows.locator("td:nth-child(2)").all_text_contents()), {"B"})
        page.locator("#of-device").select_option("")
        self.verb("fault", "add", "the cloud loses the answers to the next save of A", "--server", f"http://{self.server.http}")
        self.does("A", "log diaper poo")
        expect(rows.filter(has_text="connection closed").first).to_be_visible()


class Connections(PageWorld):
    def test_twelve_tabs_share_one_stream(self):
        context = self.context()
        self.two_devices().close()
        pages = [self.open(context) for _ in range(12)]
        self.does("A", "log diaper poo")
        for page in pages:
            expect(self.sentences(page)).to_have_text(["A and B hold the same 3 records"])
        open_streams = self.cloud().request("GET", "/zonekit/status").json["connections"]["open"]
        # Beside the stream of all tabs: two push sockets, what browser and devices keep open, and this request.
        self.assertLess(open_streams, 12)

    def test_a_browser_without_shared_workers_has_a_stream_for_each_tab(self):
        self.two_devices().close()
        context = self.context()
        context.add_init_script("delete globalThis.SharedWorker")
        pages = [self.open(context) for _ in range(2)]
        self.does("A", "log diaper poo")
        for page in pages:
            expect(self.sentences(page)).to_have_text(["A and B hold the same 3 records"])

    def test_the_page_says_that_the_server_is_gone_and_comes_back(self):
        page = self.two_devices()
        self.server.kill()
        expect(page.locator("#connection")).to_contain_text("does not answer since")
        page.get_by_role("button", name="Clear the fault plan").click()
        expect(page.locator("#said")).to_contain_text("does not answer")
        self.start_server()
        self.live(page)
        self.does("A", "log diaper poo")
        expect(self.sentences(page)).to_have_text(["A and B hold the same 3 records"])

    def test_a_strict_server_says_why_the_page_is_empty(self):
        self.server = self.serve(self.data, "--auth", "strict")
        page = self.context().new_page()
        page.goto(f"http://{self.server.http}/")
        expect(page.locator("#connection")).to_contain_text("refuses this page")


class Looks(PageWorld):
    def test_no_width_and_no_scheme_scrolls_sideways_or_hinders_anybody(self):
        page = self.two_devices()
        self.miss_a_push(page)
        page.locator("#strips").get_by_role("link").first.click()
        expect(page.locator("#opened tbody tr").first).to_be_visible()
        page.locator("#lists summary").first.click()
        grounds = set()
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            grounds.add(page.evaluate("getComputedStyle(document.body).backgroundColor"))
            for width in WIDTHS:
                page.set_viewport_size({"width": width, "height": 900})
                self.check_fits(page, f"{width} pixels, {scheme}")
            found = Axe().run(page).response["violations"]
            self.assertEqual([(one["id"], one["nodes"][0]["html"]) for one in found], [], scheme)
        self.assertEqual(len(grounds), 2, "light and dark look alike")

    def test_headings_and_regions_have_the_names_of_the_sections(self):
        page = self.two_devices()
        for name in ("Devices", "Stamps", "Changes", "Data", "Actions", "Requests"):
            expect(self.region(page, name).get_by_role("heading", name=name, exact=True)).to_be_visible()

    def test_everything_is_done_with_the_keyboard(self):
        page = self.two_devices()
        page.keyboard.press("Tab")
        expect(page.get_by_role("link", name="Skip to the devices")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.locator("#main")).to_be_focused()
        self.tab_to(page, page.get_by_role("button", name="Drop the next push to A"))
        page.keyboard.press("Enter")
        expect(page.locator("#said")).to_contain_text("added fault")
        purge = page.get_by_role("button", name="Purge NannyAndMe")
        self.tab_to(page, purge)
        page.keyboard.press("Enter")
        dialog = page.get_by_role("dialog", name="Purge NannyAndMe")
        expect(dialog.get_by_role("textbox")).to_be_focused()
        page.keyboard.press("Escape")
        expect(dialog).to_be_hidden()
        expect(purge).to_be_focused()
        page.keyboard.press("Enter")
        page.keyboard.type("NannyAndM")
        expect(dialog.get_by_role("button", name="Purge NannyAndMe")).to_be_disabled()
        page.keyboard.type("e")
        page.keyboard.press("Enter")
        expect(page.locator("#said")).to_contain_text("Purge NannyAndMe: done")
        eventually(lambda: self.actions("B") == {}, "B learns that its zone was purged")

    def tab_to(self, page, target):
        """Presses Tab until that element has the focus, which must be visible on each element before."""
        for _ in range(200):
            page.keyboard.press("Tab")
            if target.evaluate("element => element === document.activeElement"):
                return
            outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
            self.assertNotEqual(outline, "none", page.evaluate("document.activeElement.outerHTML"))
        self.fail("the keyboard does not reach the element")
