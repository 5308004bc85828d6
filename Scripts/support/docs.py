"""Builds the documentation, checks it, and makes its generated parts anew. `Scripts/docs` prepares and starts it."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

import catalogue
import links
import outputs

# The modules whose public declarations users of the libraries see: the libraries and those that they show in their declarations.
MODULES = ["ZoneKit", "ZoneKitServer", "ZoneKitRecords", "ZoneKitSync"]
PICTURE = "dropped-push"
LANGUAGE = "ScenarioLanguage.md"
LANGUAGE_SOURCES = "Sources/ZoneKitScenarios"


class DocumentationError(Exception):
    """Why the documentation cannot be built; its text says what failed."""


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
        raise DocumentationError(f"the symbol graphs could not be built (exit code {code}):\n{output[-4_000:]}")
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
        code, output = run(cwd=root, command=[
            "docc", "convert", catalog, "--additional-symbol-graph-dir", own, "--output-path", site,
            "--fallback-display-name", "ZoneKit", "--fallback-bundle-identifier", "zonekit", "--transform-for-static-hosting",
        ])
        output = output.replace(catalog, links.CATALOG)
        if code != 0:
            raise DocumentationError(f"docc ended with exit code {code}:\n{output[-4_000:]}")
    return sorted(warnings_in(root, output))


def warnings_in(root, output):
    """DocC's warnings: a line with the text, and a line with the place."""
    lines = output.splitlines()
    for line, following in zip(lines, lines[1:] + [""]):
        if match := re.match(r"(?:warning|error): (.*)$", line):
            place = re.match(r"\s*--> (.*?):(\d+)", following)
            path = os.path.relpath(os.path.join(root, place[1]), root) if place else links.CATALOG
            # Articles are converted from a copy.
            path = re.sub(r"^.*/ZoneKit\.docc/", links.CATALOG + "/", path)
            yield links.Problem(path, int(place[2]) if place else 1, "docc", match[1])


# --- Generated parts ----------------------------------------------------------------------------------------------------


# The height of the names of the lanes above a cropped picture.
LANE_NAMES = 32


def cropped(svg):
    """A timeline without what comes before its first gap and after its last one, so that it fits on a page. The names of the
    lanes are put on top."""
    gaps = [int(y) for y in re.findall(r'<rect x="16" y="(\d+)" width="\d+" height="26" fill="#f1f3f5"/>', svg)]
    shift = re.search(r'<g transform="translate\(0 (\d+)\)">', svg)
    size = re.search(r'width="(\d+)" height="\d+" viewBox="0 0 \d+ \d+"', svg)
    if len(gaps) < 2 or shift is None or size is None:
        raise DocumentationError(f"the timeline of {PICTURE} has no two gaps to cut at")
    top, bottom = gaps[0] + int(shift[1]) - 6, gaps[-1] + int(shift[1]) + 34
    names = re.findall(r'^<g><title>.*?</title><rect x="\d+" y="(\d+)" width="200" height="24" rx="4".*$', svg, re.MULTILINE)
    first = [line for line in svg.splitlines() if f'y="{names[0]}" width="200" height="24" rx="4"' in line]
    top -= LANE_NAMES
    heads = f'<g transform="translate(0 {top - int(shift[1]) - int(names[0]) + 4})">' + "".join(first) + "</g>"
    blank = f'<rect x="0" y="{top - int(shift[1])}" width="{size[1]}" height="{LANE_NAMES}" fill="#fff"/>'
    width, height = int(size[1]), bottom - top
    svg = svg.replace(size[0], f'width="{width}" height="{height}" viewBox="0 {top} {width} {height}"', 1)
    return svg.replace("</g>\n</svg>", f"{blank}\n{heads}\n</g>\n</svg>")


def language_page(program):
    """The article about the scenario language, made from the program's own table of sentences."""
    code, output = run([program, "scenarios", "--language", "--json"])
    if code != 0:
        raise DocumentationError(f"the scenario language cannot be read:\n{output}")
    entries = [json.loads(line) for line in output.splitlines()]
    lines = [
        "# The scenario language", "", "Every sentence that a scenario may hold, with its meaning and an example.", "",
        "This page is generated: `Scripts/docs --update` makes it from `zonekit scenarios --language`. [Scenarios](Scenarios.md)",
        "introduces the language.", "",
        "A line is a sentence. Words stand for themselves, `a|b` for either, capitals for a value, and `[ ]` for what may be",
        "left out. A `#` starts a comment.",
    ]
    section = None
    for entry in entries:
        if entry["event"] == "sentence":
            if entry["section"] != section:
                section = entry["section"]
                lines += ["", f"## {section}", "", "| sentence | meaning | example |", "| --- | --- | --- |"]
            lines.append(f"| {code_in_table(entry['pattern'])} | {in_table(entry['meaning'])} | {code_in_table(entry['example'])} |")
        elif entry["event"] == "slot":
            if section != "slot":
                section = "slot"
                lines += ["", "## Values", "", "| value | what may stand there |", "| --- | --- |"]
            values = ", ".join(f"`{value}`" for value in entry["values"])
            lines.append(f"| {code_in_table(entry['name'])} | {in_table(entry['meaning'])}{' ' + values if values else ''} |")
    return "\n".join(lines) + "\n"


def in_table(text):
    return text.replace("|", "\\|")


def code_in_table(text):
    return f"`{in_table(text)}`"


def problems_of_language(root, program):
    path = f"{links.CATALOG}/{LANGUAGE}"
    # A page that is missing is a dead link.
    if os.path.isfile(os.path.join(root, path)) and links.read(root, path) != language_page(program):
        yield links.Problem(path, 1, "outdated page", f"the language of {os.path.relpath(program, root)}: Scripts/docs --update")


def current_program(root):
    """The program to compare the generated page with: what ZONEKIT names, else a built one that is newer than the language's
    sources; None where there is none."""
    if os.environ.get("ZONEKIT"):
        return os.environ["ZONEKIT"]
    built = [os.path.join(root, ".build", kind, "zonekit") for kind in ("release", "debug")]
    built = sorted(filter(os.path.isfile, built), key=os.path.getmtime)
    sources = [os.path.join(folder, name) for folder, _, names in os.walk(os.path.join(root, LANGUAGE_SOURCES)) for name in names]
    if built and os.path.getmtime(built[-1]) >= max(map(os.path.getmtime, sources), default=0):
        return built[-1]
    return None


def update(root, program):
    print(catalogue.write(root))
    for path in outputs.update(root, program):
        print(path)
    page = os.path.join(root, links.CATALOG, LANGUAGE)
    text = language_page(program)
    with open(page, "w", encoding="utf-8") as file:
        file.write(text)
    print(os.path.relpath(page, root))
    picture = os.path.join(root, links.CATALOG, "Resources", PICTURE + ".svg")
    with tempfile.TemporaryDirectory(prefix="zonekit-docs-") as folder:
        drawn = os.path.join(folder, "timeline.svg")
        code, output = run([program, "run", PICTURE, "--timeline", drawn], cwd=root)
        if code != 0:
            raise DocumentationError(f"{PICTURE} cannot be drawn:\n{output}")
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
        if program := current_program(root):
            found += problems_of_language(root, program)
            found += outputs.problems(root, program)
        else:
            say("no built program is newer than the scenario language, so what articles show of it was not compared")
        if mode == "" and not found:
            graphs = symbol_graphs(root)
            found += sorted(set(problems_of_symbols(root, graphs)))
            site = os.path.join(root, ".build", "docs")
            found += convert(root, graphs, site)
    except DocumentationError as error:
        print(error)
        return 3
    for problem in found:
        print(f"{problem.path}:{problem.line}: {problem.rule} — {problem.right}")
    count = len(found)
    pages = len(links.pages(root))
    print(f"{count} {'finding' if count == 1 else 'findings'} in {pages} pages" + ("" if mode or found else "; the site is in .build/docs"))
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
