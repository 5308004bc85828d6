"""Reads the Markdown of the project: headings, links, and what is wrong with them."""

import os
import re
from typing import NamedTuple

CATALOG = "Sources/ZoneKit/Documentation.docc"
README_LINES = 200
FENCE = re.compile(r"^(```|~~~)")
HEADING = re.compile(r"^(#{1,6})\s+(.*?)\s*#*$")
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^()\s]+)\)")
CODE = re.compile(r"(`+)(?:(?!\1).)*?\1")
# Paths of the repository as texts name them: from its root, or from Sources for a folder of a target.
PATH = re.compile(r"(?<![\w./-])(?:(?:Sources|Tests|Scripts|Diagnostics|\.ci)/|ZoneKit\w+/)[\w./+-]*\w")
SCHEME = re.compile(r"^[a-z][a-z0-9+.-]*:", re.IGNORECASE)


class Problem(NamedTuple):
    path: str
    line: int
    rule: str
    right: str


class Link(NamedTuple):
    line: int
    is_image: bool
    text: str
    target: str


def prose(text):
    """The lines of a Markdown text that are not code, as (number, line)."""
    fenced = False
    previous_blank, in_list = True, False
    for number, line in enumerate(text.splitlines(), 1):
        if FENCE.match(line):
            fenced = not fenced
            continue
        indented = line.startswith("    ") and previous_blank and not in_list
        previous_blank = not line.strip() or indented
        if line.strip() and not line.startswith(" "):
            in_list = bool(re.match(r"(?:[-*+]|\d+\.)\s", line))
        if not fenced and not indented:
            yield number, line


def slug(heading):
    """The anchor that code hosts give a heading."""
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
    return re.sub(r"[^\w\- ]", "", plain.lower()).replace(" ", "-")


def headings(text):
    """The headings of a text: anchor -> the heading as it is written."""
    found = {}
    for _, line in prose(text):
        if match := HEADING.match(line):
            anchor, count = slug(match[2]), 0
            while anchor in found:
                count += 1
                anchor = f"{slug(match[2])}-{count}"
            found[anchor] = match[2]
    return found


def links(text):
    """The links and images of a text, those in code left out."""
    for number, line in prose(text):
        blanked = CODE.sub(lambda match: "`" * len(match[0]), line)
        for match in LINK.finditer(blanked):
            yield Link(number, bool(match[1]), line[match.start(2):match.end(2)], match[3])


def pages(root):
    """The Markdown files whose links are checked, relative to the root."""
    top = [name for name in ("README.md", "CHANGELOG.md") if os.path.isfile(os.path.join(root, name))]
    return top + articles(root)


def articles(root):
    folder = os.path.join(root, CATALOG)
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    return [f"{CATALOG}/{name}" for name in names if name.endswith(".md")]


def read(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        return file.read()


def problems(root):
    """What is wrong with the links, the length of README.md and the catalog's list of pages."""
    for path in pages(root):
        text = read(root, path)
        for link in links(text):
            yield from problems_of_link(root, path, link)
        yield from problems_of_paths(root, path, text)
    yield from problems_of_readme(root)
    yield from problems_of_list(root)


def problems_of_link(root, path, link):
    target, _, anchor = link.target.partition("#")
    if SCHEME.match(link.target):
        return
    place = os.path.normpath(os.path.join(os.path.dirname(path), target)) if target else path
    if place.startswith("..") or not os.path.exists(os.path.join(root, place)):
        yield Problem(path, link.line, "dead link", f"a path in the repository, relative to this file; {link.target} leads nowhere")
    elif anchor and place.endswith(".md") and anchor not in headings(read(root, place)):
        near = ", ".join("#" + name for name in headings(read(root, place)))
        yield Problem(path, link.line, "dead anchor", f"a heading of {place} ({near}); #{anchor} is none")


def problems_of_paths(root, path, text):
    """Paths that a text names, in code or not, and that are not in the repository. Links have a check of their own."""
    for number, line in enumerate(text.splitlines(), 1):
        for match in PATH.finditer(LINK.sub(lambda link: link[2], line)):
            place = f"Sources/{match[0]}" if match[0].startswith("ZoneKit") else match[0]
            if not os.path.exists(os.path.join(root, place)):
                yield Problem(path, number, "dead path", f"a file or folder of the repository; {match[0]} is none")


def problems_of_readme(root):
    if not os.path.isfile(os.path.join(root, "README.md")):
        return
    lines = len(read(root, "README.md").splitlines())
    if lines > README_LINES:
        yield Problem("README.md", README_LINES + 1, "readme length",
                      f"{lines} lines; at most {README_LINES}: move what a newcomer does not need to an article")


def problems_of_list(root):
    """Articles that the catalog's first page does not list: no reader of the site would find them."""
    paths = articles(root)
    first = f"{CATALOG}/ZoneKit.md"
    if first not in paths:
        return
    listed = {link.target for link in links(read(root, first))}
    for path in paths:
        if path != first and os.path.basename(path) not in listed:
            yield Problem(path, 1, "unlisted article", f"a link to it under Topics of {first}")
