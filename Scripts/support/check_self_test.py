"""Shows that Scripts/check can fail: plants one violation at a time in a temporary folder and expects it, at its line and nothing
else; then expects silence about what only looks like a violation. Runs the self-tests of the counting and the sanitizers too."""

import os
import shutil
import sys
import tempfile

import catalogue
import check
import counting_self_test
import docs
import links
import rules
import sanitize_self_test

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

MANIFEST = """\
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Planted",
  targets: [
%s  ],
  swiftLanguageModes: [.v6]
)
"""
PURE = ".strictMemorySafety(), .treatAllWarnings(as: .error)"
DRIVER = ".treatAllWarnings(as: .error)"


def target(name, settings=PURE, depends="", kind="target"):
    return f'    .{kind}(name: "{name}", dependencies: [{depends}], swiftSettings: [{settings}]),\n'


WIRE = "Sources/ZoneKitWire/Line.swift"
TESTS = "Tests/ZoneKitWireTests/LineTests.swift"
SERVICE = "Sources/ZoneKitService/Loop.swift"
DRIVER_FILE = "Sources/ZoneKitService/Tables/Line.swift"
# The only line of its file that may break a rule.
ALLOWED = next(entry for entry in rules.ALLOWED if sum(other.path == entry.path for other in rules.ALLOWED) == 1)
TO_DO = "TO" + "DO"
HOME = "/" + "home/anna/zonekit"
WORK = "/" + "work/main"

# (rule, path, text, line): the text of one file, and where in it the rule must be found.
PLANTED = [
    ("import", "Sources/ZoneKitRecords/Tag.swift", "import Foundation\n", 1),
    ("import", "Sources/ZoneKitCloud/Zone.swift", "internal import ZoneKitRecords\nprivate import ZoneKitPush\n", 2),
    ("import", "Sources/ZoneKitCloud/Zone.swift", "@preconcurrency public import Glibc\n", 1),
    ("import", "Sources/ZoneKitWire/Line.swift", "import struct Foundation.Data\n", 1),
    ("import", "Sources/ZoneKitSimulator/World.swift", "import ZoneKitEventLoop\n", 1),
    ("import", "Sources/ZoneKitScenarios/Step.swift", "import ZoneKitSimulator\n", 1),
    ("import", "Sources/ZoneKitTimeline/Row.swift", "import ZoneKitSimulator\n", 1),
    ("import", "Sources/ZoneKitEventLoop/Loop.swift", "import ZoneKitCUV\nimport ZoneKitRecords\n", 2),
    ("import", "Sources/ZoneKitStorage/ZoneFile.swift", "import ZoneKitCSQLite\nimport ZoneKitWire\n", 2),
    ("import", "Sources/ZoneKitService/Loop.swift", "import ZoneKitStorage\nimport ZoneKitNannyAndMe\n", 2),
    ("import", "Sources/ZoneKitCommandLine/main.swift", "import Glibc\nimport ZoneKitNannyAndMe\nimport Foundation\n", 3),
    ("import", TESTS, "import Testing\nimport XCTest\n", 2),
    ("import", TESTS, "import ZoneKitNannyAndMe\n", 1),
    ("import", TESTS, "@testable import Crypto\n", 1),
    ("module", "Sources/Common/Thing.swift", "struct Thing {}\n", 1),
    ("unsafe", WIRE, "\nlet a = unsafe b\n", 2),
    ("unsafe", WIRE, "func f(_ p: UnsafeRawPointer) {}\n", 1),
    ("class", WIRE, "final class Line {}\n", 1),
    ("actor", WIRE, "public actor Line {}\n", 1),
    ("async", WIRE, "func f() async {}\n", 1),
    ("async", WIRE, "let a = \"\\(await b)\"\n", 1),
    ("task", WIRE, "let a = Task { }\n", 1),
    ("print", WIRE, "func f() {\n  print(1)\n}\n", 2),
    ("clock", "Sources/ZoneKitSimulator/World.swift", "let now = ContinuousClock.now\n", 1),
    ("randomness", "Sources/ZoneKitSimulator/World.swift", "let die = Int.random(in: 1...6)\n", 1),
    ("randomness", "Sources/ZoneKitSimulator/World.swift", "let hand = deck.shuffled()\n", 1),
    ("randomness", SERVICE, "var generator = SystemRandomNumberGenerator()\n", 1),
    ("randomness", TESTS, "let first = hand.randomElement()\n", 1),
    ("hash", WIRE, "let a = b.hashValue\n", 1),
    ("environment", "Sources/ZoneKitSimulator/World.swift", "let a = CommandLine.arguments\n", 1),
    ("sql", SERVICE, 'let a = "SELECT seq FROM records"\n', 1),
    ("sql", SERVICE, 'let a = """\n  INSERT OR REPLACE INTO records VALUES (1)\n  """\n', 1),
    ("sql", "Sources/ZoneKitCommandLine/main.swift", 'run(#"PRAGMA user_version"#)\n', 1),
    ("sleep", TESTS, "func f() {\n  usleep(100)\n}\n", 2),
    ("sleep", TESTS, "try await Task.sleep(for: .seconds(1))\n", 1),
    ("sleep", "Tests/Interop/push.sh", "#!/bin/sh\nnc host &\nsleep 1\n", 3),
    ("sleep", "Tests/Interop/push.py", "import time\ntime.sleep(1)\n", 2),
    ("forced try", SERVICE, "let a = try! b()\n", 1),
    ("forced try", TESTS, "let a = try! b()\n", 1),
    ("swallowed error", SERVICE, "do {\n  try b()\n} catch {\n  // never mind\n}\n", 3),
    ("exported import", SERVICE, "@_exported import ZoneKitRecords\n", 1),
    ("decision in a driver", DRIVER_FILE, "import ZoneKitWire\nanswer(RowError(.notServed, text))\n", 2),
    ("decision in a driver", DRIVER_FILE, "answer(\n  CloudError(\n    .zoneBusy, text))\n", 2),
    ("decision in a driver", DRIVER_FILE, "complete(.refused(error))\n", 1),
    ("allowance", ALLOWED.path, "let a = 1\n", 1),
    ("vague name", SERVICE, "struct ZoneManager {}\n", 1),
    ("unfinished", SERVICE, f"// {TO_DO}: later\n", 1),
    ("unfinished", "Scripts/demo", f"#!/bin/sh\n# {TO_DO} later\n", 2),
    ("local path", "README.md", f"Start it.\nIn {HOME} there is more.\n", 2),
    ("local path", SERVICE, f'let a = "{WORK}"\n', 1),
    ("mute trap", WIRE, "func f() -> Never {\n  fatalError()\n}\n", 2),
    ("mute trap", WIRE, "precondition(f(1, 2) > [3, 4].count)\n", 1),
    ("file length", WIRE, "let a = 1\n" * 401, 401),
    ("file length", "Scripts/demo", "true\n" * 401, 401),
    ("function length", WIRE, "\nfunc f(_ g: () -> Int = { 1 }) -> Int {\n" + "  g()\n" * 59 + "}\n", 2),
    ("function length", WIRE, "struct A {\n  init() {\n" + "    b()\n" * 59 + "  }\n}\n", 2),
    ("function length", WIRE, "struct A {\n  var b: Int {\n" + "    c()\n" * 59 + "  }\n}\n", 2),
    ("executable", "Scripts/demo", "#!/bin/sh\n", 1),
    ("executable", "Tests/Interop/run", "#!/bin/sh\n", 1),
    ("executable", ".ci/run", "#!/bin/sh\n", 1),
]

# The manifest of a package, and the file and line of the one finding.
PLANTED_MANIFESTS = [
    ("setting", target("ZoneKitWire", settings=".strictMemorySafety()"), "Package.swift", 7),
    ("setting", target("ZoneKitWire", settings=DRIVER), "Package.swift", 7),
    ("setting", target("ZoneKitService", settings=""), "Package.swift", 7),
    ("dependency", target("ZoneKitWire", depends='"ZoneKitPush"') + target("ZoneKitPush"), "Package.swift", 7),
    ("target", target("ZoneKitRecords"), WIRE, 1),
    ("manifest", "    .nonsense\n", "Package.swift", 1),
]

# A planted bug, and what the sources need to have for it.
MUTANTS = "Diagnostics/Mutants/device.toml"
MUTANT = '# Bugs.\n\n[[mutant]]\nname = "off-by-one"\nbreaks = "one is missing"\nfile = "%s"\nold = "a < b"\nnew = "a <= b"\n'
STORY = "Diagnostics/Scenarios/story.scenario"
PLAYED = {"Diagnostics/Mutants/Player.swift": ""}

# Looks like violations and is none.
INNOCENT = {
    WIRE: '''\
internal import ZoneKitRecords

/// Says unsafe, class, actor, async, Task and print(1); /* try! */ import Foundation.
/* A comment /* in a comment: */ fatalError() */
let texts = ["try! a class", #"an "actor" \\(Task)"#, """
  print(1) " // unsafe
  """, "\\(texts.count) try! \\("nested \\"class\\" \\(1)")"]
func `a class never says print(1) or "try!`() { precondition(a, "a < b, or not") }
let kinds: [Kind] = [.class, .actor, .async, .unsafe]
func draw(_ actor: User, _ random: inout Seed) -> Int { Int.random(in: 0..<(1 + 2), using: &random) }
let shown = sink.print(1)
for actor in actors { fatalError("no, \\(actor)") }
protocol Store {
  func short() throws(Failure) -> Int
  init(_ a: Int)
  var property: Int { get }
}
''' + "let line = 1\n" * 70,
    SERVICE: 'func f() {\n  let help = "select a zone from the list, or BEGIN here"\n  do { try g() } catch { report(error) }\n}\n',
    DRIVER_FILE: "if case .refused(let error)? = answer { throw CloudError(error) }\nself = .refused(ServiceRefusal(reply))\n",
    ALLOWED.path: f"complete(.refused(error)) // {ALLOWED.text}\n",
    "Sources/ZoneKitStorage/ZoneFile.swift": 'import ZoneKitCSQLite\nclass Zone { let a = unsafe "SELECT 1" }\n',
    TESTS: 'import Foundation\n@testable import ZoneKitWire\nlet a: Kind = .sleep(minutes: 3)\nlet b = "sleep(1)"\nlet c = try !d()\n',
    "Tests/ZoneKitNannyAndMeTests/A.swift": "import ZoneKitNannyAndMe\n" + "func f() {\n" + "  g()\n" * 58 + "}\n",
    "Tests/Interop/push.sh": '#!/bin/sh\n"$ZONEKIT" device A -c "log sleep"\n',
    "README.md": "https://example.org/home/anna and shared/work/main\n",
    "Diagnostics/Seeds/long.txt": "7\n" * 500,
}

# A catalog with one article, which its first page lists.
ARTICLE = f"{links.CATALOG}/Files.md"
CATALOG = {
    f"{links.CATALOG}/ZoneKit.md": "# ``ZoneKit``\n\n## Topics\n\n- [Files](Files.md)\n",
    ARTICLE: "# Files\n\n## The zone file\n",
}
# (rule, what the files are besides the catalog, path, line)
PLANTED_DOCUMENTATION = [
    ("dead link", {"README.md": "Hello.\n\nSee [files](Files.md).\n"}, "README.md", 3),
    ("dead link", {"README.md": "![a picture](drawn.svg)\n"}, "README.md", 1),
    ("dead link", {"README.md": "[out](../README.md)\n"}, "README.md", 1),
    ("dead link", {ARTICLE: "# Files\n\n- [`tidy`](../../../Scripts/tidy)\n"}, ARTICLE, 3),
    ("dead anchor", {"README.md": f"[files]({ARTICLE}#zone-file)\n"}, "README.md", 1),
    ("dead anchor", {"README.md": "# One\n[two](#two)\n"}, "README.md", 2),
    ("dead anchor", {ARTICLE: "# Files\n\n    # In code\n\n[code](#in-code)\n"}, ARTICLE, 5),
    ("dead path", {"README.md": "Start\n\n    Scripts/none\n"}, "README.md", 3),
    ("dead path", {ARTICLE: "# Files\n\n| `ZoneKitStorage/None` |\n"}, ARTICLE, 3),
    ("readme length", {"README.md": "word\n" * 201}, "README.md", 201),
    ("unlisted article", {f"{links.CATALOG}/HTTP.md": "# HTTP\n"}, f"{links.CATALOG}/HTTP.md", 1),
]
INNOCENT_DOCUMENTATION = {
    "README.md": f"""\
# A `tool` of ours in `README.md`, not in other/Scripts/none or {"`Scripts/`"}

[one](#a-tool-of-ours-in-readmemd-not-in-otherscriptsnone-or-scripts) [two]({ARTICLE}#the-zone-file) [three](https://example.org/none#at-all) `[four](none.md)`

    [five](none.md)

```
[six](none.md)
```
""" + "word\n" * 190,
}

# Lines of an article, and what they are on the site.
FOR_SITE = [
    ("[the file](Files.md#the-zone-file)", "[the file](doc:Files#The-zone-file)"),
    ("[here](#the-zone-file)", "[here](doc:Files#The-zone-file)"),
    ("![a picture](Resources/drawn.svg)", "![a picture](drawn.svg)"),
    ("see [the script](../../../Scripts/check) and [out](https://example.org)", "see `Scripts/check` and [out](https://example.org)"),
    ("`[code](Files.md)`", "`[code](Files.md)`"),
    ("## Topics\n\n- [Files](Files.md)", "## Topics\n\n- <doc:Files>"),
]
# What docc prints, and the warnings in it.
DOCC = f"""\
warning: 'Nowhere' doesn't exist
  --> ../../tmp/copy/ZoneKit.docc/Files.md:3:5-3:9
warning: Parameter 'line' is missing documentation
  --> {WIRE}:7:1-7:2
"""
DOCC_WARNINGS = [(ARTICLE, 3), (WIRE, 7)]

# A symbol graph: a public symbol with documentation, one without, and ones that need none.
SYMBOL = {"kind": {"identifier": "swift.struct"}, "accessLevel": "public",
          "location": {"uri": "file:///Line.swift", "position": {"line": 6}}}
SYMBOLS = {"symbols": [
    SYMBOL | {"pathComponents": ["Documented"], "docComment": {"lines": [{"text": "A line."}]}},
    SYMBOL | {"pathComponents": ["Line", "bare"]},
    SYMBOL | {"pathComponents": ["Line", "empty"], "docComment": {"lines": [{"text": "  "}]}},
    SYMBOL | {"pathComponents": ["Line", "inner"], "accessLevel": "internal"},
    SYMBOL | {"pathComponents": ["String"], "kind": {"identifier": "swift.extension"}},
    {key: value for key, value in SYMBOL.items() if key != "location"} | {"pathComponents": ["Line", "written by the compiler"]},
]}

def plant(folder, files, executable):
    for path, text in files.items():
        full = os.path.join(folder, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "w", encoding="utf-8") as file:
            file.write(text)
        if executable:
            os.chmod(full, 0o755)


def found_in(files, inspect, executable):
    """The (rule, path, line) that `inspect` finds in a folder with these files."""
    with tempfile.TemporaryDirectory(prefix="planted ") as folder:
        folder = os.path.realpath(folder)
        plant(folder, files, executable)
        shutil.copy(os.path.join(ROOT, ".swift-format"), folder)
        return [(finding.rule, finding.path, finding.line) for finding in sorted(set(inspect(folder)))]


def inspect_sources(folder):
    paths = check.project_files(folder)
    yield from check.findings_in_tree(folder, paths)
    for path in paths:
        text = check.read_text(folder, path)
        yield from check.findings_in_text(path, text)
        if path.endswith(".swift"):
            yield from check.findings_in_swift(path, check.SwiftSource(text))


def inspect_manifest(folder):
    return check.findings_in_manifest(folder, check.project_files(folder))


def inspect_planted_bugs(folder):
    return check.findings_of_planted_bugs(folder)


def inspect_catalogue(folder):
    return check.findings_of_catalogue(folder)


def inspect_documentation(folder):
    return check.findings_in_documentation(folder)


def inspect_format(folder):
    return check.findings_of_format(folder, check.project_files(folder))


def source_cases():
    for rule, path, text, line in PLANTED:
        yield f"{rule} in {path}", {path: text}, inspect_sources, [(rule, path, line)]
    yield "innocent files", INNOCENT, inspect_sources, []


def planted_bug_cases():
    bug = PLAYED | {MUTANTS: MUTANT % WIRE}
    stale = [("planted bug", MUTANTS, 4)]
    yield "a planted bug", bug | {WIRE: "let c = a < b\n"}, inspect_planted_bugs, []
    yield "a planted bug whose text is gone", bug | {WIRE: "let c = b > a\n"}, inspect_planted_bugs, stale
    yield "a planted bug whose text is there twice", bug | {WIRE: "let c = a < b || a < b\n"}, inspect_planted_bugs, stale
    yield "a planted bug whose file is gone", bug, inspect_planted_bugs, stale
    twice = bug | {WIRE: "let c = a < b\n", "Diagnostics/Mutants/again.toml": MUTANT % WIRE}
    yield "two planted bugs of one name", twice, inspect_planted_bugs, [("planted bug", "Diagnostics/Mutants", 1)]
    broken = PLAYED | {MUTANTS: "[[mutant]\n"}
    yield "planted bugs that cannot be read", broken, inspect_planted_bugs, [("planted bug", "Diagnostics/Mutants", 1)]
    known = bug | {WIRE: "let c = a < b\n", STORY: 'scenario "story"\n'}
    yield "a scenario that no planted bug lists", known, inspect_planted_bugs, [("planted bug", STORY, 1)]
    listed = known | {MUTANTS: MUTANT % WIRE + 'scenarios = ["story"]\n'}
    yield "a scenario that a planted bug lists", listed, inspect_planted_bugs, []
    unknown = known | {MUTANTS: MUTANT % WIRE + 'scenarios = ["story", "no story"]\n'}
    yield "a planted bug that lists no scenario of the catalogue", unknown, inspect_planted_bugs, stale
    unseen = bug | {WIRE: "let c = a < b\n", MUTANTS: MUTANT % WIRE + 'unseen = "nobody looks"\n'}
    yield "a planted bug that neither the swarm nor a scenario sees", unseen, inspect_planted_bugs, stale
    yield "no planted bugs", {WIRE: "let c = a < b\n"}, inspect_planted_bugs, []


def catalogue_cases():
    files = {f"{catalogue.FOLDER}/one.scenario": "", catalogue.LIST: '{"one.scenario", (const char[]){\n'
             '#embed "../../Diagnostics/Scenarios/one.scenario"\n, 0}},\n'
             '{"rules.json", (const char[]){\n#embed "../../Diagnostics/rules.json"\n, 0}},\n'}
    yield "a list of the catalogue that is right", files, inspect_catalogue, []
    more = files | {f"{catalogue.FOLDER}/two.scenario": ""}
    yield "a list of the catalogue that lacks a scenario", more, inspect_catalogue, [("catalogue", catalogue.LIST, 1)]


def documentation_cases():
    for rule, files, path, line in PLANTED_DOCUMENTATION:
        yield f"{rule} in {path}", CATALOG | files, inspect_documentation, [(rule, path, line)]
    yield "documentation that is right", CATALOG | INNOCENT_DOCUMENTATION, inspect_documentation, []


def package_cases():
    files = {WIRE: "/// A line.\npublic struct Line {}\n"}
    for rule, targets, path, line in PLANTED_MANIFESTS:
        planted = {"Package.swift": MANIFEST % targets} | (files if rule == "target" else {})
        yield f"{rule} in the manifest", planted, inspect_manifest, [(rule, path, line)]
    good = {"Package.swift": MANIFEST % target("ZoneKitWire")} | files
    yield "a good manifest", good, inspect_manifest, []
    yield "bad format", {WIRE: "/// A line.\npublic struct Line{}\n"}, inspect_format, [("format", WIRE, 2)]
    yield "good format", files, inspect_format, []
    undeclared = target("ZoneKitRecords") + target("ZoneKitWire")
    records = {"Sources/ZoneKitRecords/Tag.swift": "struct Tag {}\n"}
    yield ("an undeclared import",
           {"Package.swift": MANIFEST % undeclared, WIRE: "internal import ZoneKitRecords\n"} | records,
           check.findings_of_build, [("undeclared import", "Package.swift", 1)])
    yield ("a warning",
           {"Package.swift": MANIFEST % target("ZoneKitWire"), WIRE: "func f() {\n  let unused = 1\n}\n"},
           check.findings_of_build, [("build", WIRE, 2)])
    yield "a good build", good, check.findings_of_build, []


def missed_of_site():
    """How many of the cases about the site went wrong."""
    missed = 0
    with tempfile.TemporaryDirectory(prefix="planted ") as folder:
        plant(folder, CATALOG, executable=False)
        for text, expected in FOR_SITE:
            if (found := docs.for_site(folder, ARTICLE, text + "\n")) != expected + "\n":
                missed += 1
                print(f"{text!r} on the site: expected {expected!r}, found {found!r}")
        if (found := [(path, line) for path, line, _, _ in docs.warnings_in(folder, DOCC)]) != DOCC_WARNINGS:
            missed += 1
            print(f"warnings of docc: expected {DOCC_WARNINGS}, found {found}")
    return missed


def main():
    missed = 0
    cases = 0
    covered = set()
    cases_of_all = [
        *source_cases(), *planted_bug_cases(), *catalogue_cases(), *documentation_cases(), *package_cases(),
    ]
    for name, files, inspect, expected in cases_of_all:
        cases += 1
        covered.update(rule for rule, _, _ in expected)
        found = found_in(files, inspect, executable=all(rule != "executable" for rule, _, _ in expected))
        if found != expected:
            missed += 1
            print(f"{name}: expected {expected}, found {found}")
    for cases_of_part, wrong in (counting_self_test.missed(), sanitize_self_test.missed()):
        cases += cases_of_part
        missed += len(wrong)
        print("".join(f"{text}\n" for text in wrong), end="")
    missed += missed_of_site()
    cases += len(FOR_SITE) + 2
    bare = [name for _, _, name in docs.undocumented(SYMBOLS)]
    if bare != ["Line.bare", "Line.empty"]:
        missed += 1
        print(f"symbols without documentation: expected Line.bare and Line.empty, found {bare}")
    for rule in sorted({word.rule for word in rules.WORDS} - covered):
        missed += 1
        print(f"{rule}: no violation of this rule is planted, so nothing shows that it can be found")
    print(f"self-test: {cases} cases, {missed} wrong")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
