"""Builds the documentation, checks it, and makes its generated parts anew. `Scripts/docs` prepares and starts it."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

import links

# The modules whose public declarations users of the library see: ZoneKit and those that it shows in its own declarations.
MODULES = ["ZoneKit", "ZoneKitRecords", "ZoneKitCloud", "ZoneKitSync", "ZoneKitSimulator"]
PICTURE = "dropped-push"


class Trouble(Exception):
    """Something that keeps the documentation from being built; its text says what."""


def say(text):
    print(text, file=sys.stderr)


def run(command, **options):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    return done.returncode, done.stdout


# --- Checking -----------------------------------------------------------------------------------------------------------


def undocumented(graph):
    """The public symbols of a symbol graph that have no documentation and are written in the sources: (path, line, name).

    The compiler writes members of its own (`==` of an enum, say); those have no place and need no documentation. A member
    that a protocol demands may rely on the protocol's documentation, which the compiler then copies."""
    for symbol in graph["symbols"]:
        location = symbol.get("location")
        if symbol.get("accessLevel") not in ("public", "open") or location is None:
            continue
        # An extension is no declaration of its own.
        if symbol["kind"]["identifier"] == "swift.extension":
            continue
        lines = symbol.get("docComment", {}).get("lines", [])
        if not any(line["text"].strip() for line in lines):
            path = location["uri"].removeprefix("file://")
            yield path, location["position"]["line"] + 1, ".".join(symbol["pathComponents"])


def problems_of_symbols(root, folder):
    for module in MODULES:
        for name in sorted(os.listdir(folder)):
            if name != f"{module}.symbols.json" and not name.startswith(f"{module}@"):
                continue
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                for path, line, symbol in undocumented(json.load(file)):
                    yield links.Problem(os.path.relpath(path, root), line, "undocumented",
                                        f"a doc comment that says what {symbol} promises")


# --- Building -----------------------------------------------------------------------------------------------------------


def site_anchor(heading):
    """The anchor that DocC gives a heading."""
    return re.sub(r"\s+", "-", heading.replace("`", "").strip())


def for_site(root, path, text):
    """An article as DocC wants it: links between articles by name, pictures by file name, and no link into the repository,
    which the site does not have."""
    texts = {os.path.basename(article): links.read(root, article) for article in links.articles(root)}
    numbers = {number for number, _ in links.prose(text)}
    in_topics = False

    def replaced(match):
        is_image, words, target = match[1], match[2], match[3]
        if links.SCHEME.match(target):
            return match[0]
        if is_image:
            return f"![{words}]({os.path.basename(target)})"
        name, _, anchor = target.partition("#")
        if name and name not in texts:
            return words if words.startswith("`") else f"`{os.path.normpath(os.path.join(os.path.dirname(path), name))}`"
        article = (name or os.path.basename(path)).removesuffix(".md")
        place = f"doc:{article}"
        if anchor:
            place += "#" + site_anchor(links.headings(texts[article + ".md"])[anchor])
        return f"<{place}>" if in_topics else f"[{words}]({place})"

    lines = []
    for number, line in enumerate(text.splitlines(), 1):
        if number in numbers:
            if line.startswith("## "):
                in_topics = line == "## Topics"
            # A link in code is none.
            parts = re.split(r"(`+[^`]*`+)(?!\]\()", line) if "](" in line else [line]
            line = "".join(part if part.startswith("`") else links.LINK.sub(replaced, part) for part in parts)
        lines.append(line)
    return "\n".join(lines) + "\n"


def catalog_for_site(root, folder):
    catalog = os.path.join(folder, "ZoneKit.docc")
    shutil.copytree(os.path.join(root, links.CATALOG), catalog)
    for path in links.articles(root):
        with open(os.path.join(catalog, os.path.basename(path)), "w", encoding="utf-8") as file:
            file.write(for_site(root, path, links.read(root, path)))
    return catalog


def symbol_graphs(root):
    """Builds everything and returns the folder with the symbol graphs of all modules."""
    say("building symbol graphs ...")
    code, output = run(["swift", "package", "--package-path", root, "dump-symbol-graph", "--minimum-access-level", "public"])
    match = re.search(r"^Files written to (.*)$", output, re.MULTILINE)
    if match is None:
        raise Trouble(f"the symbol graphs could not be built (exit code {code}):\n{output[-4_000:]}")
    return match[1].strip()


def convert(root, graphs, site):
    """Builds the site and returns the warnings of DocC."""
    say("converting ...")
    with tempfile.TemporaryDirectory(prefix="zonekit-docs-") as folder:
        catalog = catalog_for_site(root, folder)
        own = os.path.join(folder, "graphs")
        os.mkdir(own)
        for name in sorted(os.listdir(graphs)):
            if name == "ZoneKit.symbols.json" or name.startswith("ZoneKit@"):
                shutil.copy(os.path.join(graphs, name), own)
        shutil.rmtree(site, ignore_errors=True)
        code, output = run([
            "docc", "convert", catalog, "--additional-symbol-graph-dir", own, "--output-path", site,
            "--fallback-display-name", "ZoneKit", "--fallback-bundle-identifier", "zonekit", "--transform-for-static-hosting",
        ])
        output = output.replace(catalog, links.CATALOG)
        if code != 0:
            raise Trouble(f"docc ended with exit code {code}:\n{output[-4_000:]}")
    return [line for line in output.splitlines() if re.search(r"\b(?:warning|error):", line)], output


# --- Generated parts ----------------------------------------------------------------------------------------------------


def cropped(svg):
    """A timeline without what comes before its first gap and after its last one, so that it fits on a page."""
    gaps = [int(y) for y in re.findall(r'<rect x="16" y="(\d+)" width="\d+" height="26" fill="#f1f3f5"/>', svg)]
    shift = re.search(r'<g transform="translate\(0 (\d+)\)">', svg)
    size = re.search(r'width="(\d+)" height="\d+" viewBox="0 0 \d+ \d+"', svg)
    if len(gaps) < 2 or shift is None or size is None:
        raise Trouble(f"the timeline of {PICTURE} has no two gaps to cut at")
    top, bottom = gaps[0] + int(shift[1]) - 6, gaps[-1] + int(shift[1]) + 34
    width, height = int(size[1]), bottom - top
    return svg.replace(size[0], f'width="{width}" height="{height}" viewBox="0 {top} {width} {height}"', 1)


def update(root, program):
    picture = os.path.join(root, links.CATALOG, "Resources", PICTURE + ".svg")
    with tempfile.TemporaryDirectory(prefix="zonekit-docs-") as folder:
        drawn = os.path.join(folder, "timeline.svg")
        code, output = run([program, "run", PICTURE, "--timeline", drawn], cwd=root)
        if code != 0:
            raise Trouble(f"{PICTURE} cannot be drawn:\n{output}")
        with open(drawn, encoding="utf-8") as file:
            text = cropped(file.read())
    with open(picture, "w", encoding="utf-8") as file:
        file.write(text)
    print(os.path.relpath(picture, root))


# --- Main ---------------------------------------------------------------------------------------------------------------


def main(arguments):
    root, mode = arguments[0], arguments[1] if len(arguments) > 1 else ""
    try:
        if mode == "--update":
            update(root, os.environ["ZONEKIT"])
            return 0
        found = sorted(links.problems(root))
        warnings = []
        if mode == "" and not found:
            graphs = symbol_graphs(root)
            found += sorted(set(problems_of_symbols(root, graphs)))
            site = os.path.join(root, ".build", "docs")
            warnings, _ = convert(root, graphs, site)
    except Trouble as trouble:
        print(trouble)
        return 3
    for problem in found:
        print(f"{problem.path}:{problem.line}: {problem.rule} — {problem.right}")
    for warning in warnings:
        print(warning)
    count = len(found) + len(warnings)
    pages = len(links.pages(root))
    print(f"{count} {'finding' if count == 1 else 'findings'} in {pages} pages" + ("" if mode or found else "; the site is in .build/docs"))
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
