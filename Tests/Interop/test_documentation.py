"""The documentation: links, generated pages, and the outputs of scenarios in the articles."""

import os
import re
import subprocess

from support import ROOT, Case, zonekit

ARTICLES = sorted((ROOT / "Sources" / "ZoneKit" / "Documentation.docc").glob("*.md"))
QUOTE = re.compile(r"^```swift\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((\.\./[^)#]+\.swift)\)")


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
