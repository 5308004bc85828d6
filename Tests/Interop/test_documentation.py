"""The documentation: links, generated pages, and scenarios that end as the articles show them."""

import os
import re
import subprocess
import tempfile

from support import ROOT, Case, zonekit

ARTICLES = sorted((ROOT / "Sources" / "ZoneKit" / "Documentation.docc").glob("*.md"))
SCENARIO = re.compile(r"^    \$ cat (\S+\.scenario)\n((?:(?!    \$)(?:    .*|)\n)+)", re.MULTILINE)
QUOTE = re.compile(r"^```swift\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((\.\./[^)#]+\.swift)\)")
RUN = re.compile(r"^    \$ zonekit run (\S+\.scenario)\n((?:(?!    \$)(?:    .*)\n)+)", re.MULTILINE)


def dedented(block):
    return re.sub(r"^    ", "", block, flags=re.MULTILINE).strip("\n")


def comparable(output):
    """An output without what another order of random draws changes: times, numbers of events, digests."""
    output = re.sub(r" +\d+:[\d:.]+ +| \d+:[\d:.]+ ", " T ", output)
    return re.sub(r"\d+ events|digest \w+", "N", output).strip("\n")


class Documentation(Case):
    def test_links_lead_somewhere_and_generated_pages_are_current(self):
        check = subprocess.run(
            [ROOT / "Scripts" / "docs", "--check"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, timeout=60, env={**os.environ, "ZONEKIT": str(zonekit())})
        self.assertEqual(check.returncode, 0, check.stdout)

    def test_swift_of_the_articles_is_in_a_file_that_the_article_links(self):
        quoted = 0
        for article in ARTICLES:
            text = article.read_text()
            files = [(article.parent / path).read_text() for path in LINK.findall(text)]
            for quote in QUOTE.findall(text):
                with self.subTest(article=article.name, quote=quote.splitlines()[0]):
                    self.assertTrue(any(quote in file for file in files), "no linked file has these lines")
                    quoted += 1
        self.assertGreaterEqual(quoted, 3)

    def test_scenarios_of_the_articles_end_as_shown(self):
        played = 0
        for article in ARTICLES:
            text = article.read_text()
            scenarios = {name: dedented(block) for name, block in SCENARIO.findall(text)}
            for name, shown in RUN.findall(text):
                if name not in scenarios or shown.lstrip().startswith("zonekit:"):
                    continue
                with self.subTest(article=article.name, scenario=name), tempfile.TemporaryDirectory() as folder:
                    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                        file.write(scenarios[name] + "\n")
                    run = subprocess.run(
                        [str(zonekit()), "run", name], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                        stderr=subprocess.STDOUT, text=True, timeout=60)
                    self.assertEqual(comparable(dedented(shown)), comparable(run.stdout))
                    played += 1
        self.assertGreaterEqual(played, 2)
