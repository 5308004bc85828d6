"""Reads the planted bugs and makes the copy of the sources that holds them. `mutants.py` builds and plays it, and
`mutants_of_tests.py` builds one with the tests.

A table of Diagnostics/Mutants holds for each bug:
  name       as it is called
  breaks     what goes wrong, in a sentence
  scenarios  the scenarios that are about what it breaks, and must not hold with it (none where none is said)
  unseen     why the swarm cannot see it, which scenarios then have to (it should, where nothing is said)
  tests      a regular expression of the Swift tests that must fail with it, for a bug that no simulation can see
  interop    the module of black-box tests that must fail with it, likewise
and, for the bug itself or for each [[mutant.edit]] of it:
  file       where it is
  old, new   the text that is replaced, which must be there once, and what replaces it
  near       a longer text that must be there once and holds the old one once, where the old one alone is not enough
  as         "expression" (where none is said) or "statement": what the two texts are, as the copy switches between them
"""

import hashlib
import os
import re
import subprocess
import sys
import time
import tomllib
from dataclasses import dataclass, field

import rules

# Why random stories do not see bugs of an app that they do not draw.
OTHER_APP = "the worlds of the swarm do not run the app"
# The player, and what it needs: all that is pure. The rest of the product is no part of a simulation.
MODULES = {module: rules.IMPORTS[module] for module in rules.PURE} | {
    "Player": [
        "ZoneKitRecords", "ZoneKitDeviceHost", "ZoneKitNannyAndMe", "ZoneKitSwissCoin", "ZoneKitDietLog", "ZoneKitDocuments",
        "ZoneKitOwnApps", "ZoneKitScenarios", "ZoneKitSimulator",
    ],
}
# Where the catalogue of scenarios is.
SCENARIOS = os.path.join("Diagnostics", "Scenarios")
# The player's main program.
PLAYER = "Diagnostics/Mutants/Player.swift"
SWITCH = """/// Which planted bug is on; 0 for none.
enum PlantedBug {
  static let number = Int(CommandLine.arguments.dropFirst().first ?? "") ?? 0
}
"""


class PlantingError(Exception):
    """Something that is no verdict about a bug; its text says what to do."""


@dataclass
class Edit:
    file: str
    old: str
    new: str
    near: str = ""
    kind: str = "expression"


@dataclass
class Mutant:
    name: str
    breaks: str
    edits: list
    scenarios: list = field(default_factory=list)
    unseen: str = ""
    tests: str = ""
    interop: str = ""
    number: int = 0
    outdated: str = ""

    @property
    def is_for_tests(self):
        """Whether tests have to find it, and not a simulation."""
        return bool(self.tests or self.interop)

    def free_for_stories(self):
        """Lets stories of one app find it beside tests, if they play all files that it is in."""
        if all(edit.file.split("/")[1] in MODULES for edit in self.edits):
            self.tests, self.interop = "", ""
        if self.unseen == OTHER_APP:
            self.unseen = ""

    @property
    def key(self):
        """Changes with what the bug does."""
        return digest([self.name] + [text for edit in self.edits for text in (edit.file, edit.old, edit.new, edit.near)])


def digest(texts):
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:16]


def read_mutants(folder):
    mutants = []
    for name in sorted(os.listdir(folder)):
        if not name.endswith(".toml"):
            continue
        with open(os.path.join(folder, name), "rb") as file:
            table = tomllib.load(file)
        for entry in table["mutant"]:
            edits = [
                Edit(edit["file"], edit["old"].strip("\n"), edit["new"].strip("\n"), edit.get("near", "").strip("\n"),
                     edit.get("as", "expression"))
                for edit in entry.get("edit", [entry])
            ]
            mutants.append(Mutant(
                entry["name"], entry["breaks"], edits, entry.get("scenarios", []), entry.get("unseen", ""),
                entry.get("tests", ""), entry.get("interop", "")))
    names = [mutant.name for mutant in mutants]
    for name in names:
        if names.count(name) > 1:
            raise PlantingError(f"two mutants are called {name}")
    for number, mutant in enumerate(mutants, 1):
        mutant.number = number
    return mutants


def scenario_names(root):
    """The names of the catalogue's scenarios, ascending."""
    folder, ending = os.path.join(root, SCENARIOS), ".scenario"
    names = os.listdir(folder) if os.path.isdir(folder) else []
    return sorted(name[: -len(ending)] for name in names if name.endswith(ending))


# --- Planting ----------------------------------------------------------------------------------------------------------


def place(edit, text):
    """Where the old text is: (start, end), or why it cannot be found."""
    if edit.near:
        if text.count(edit.near) != 1:
            return f"the text near it is {text.count(edit.near)} times in {edit.file} instead of once"
        if edit.near.count(edit.old) != 1:
            return f"the old text is {edit.near.count(edit.old)} times in the text near it instead of once"
        start = text.index(edit.near) + edit.near.index(edit.old)
    else:
        if text.count(edit.old) != 1:
            return f"the old text is {text.count(edit.old)} times in {edit.file} instead of once"
        start = text.index(edit.old)
    if edit.kind == "expression" and is_within_string(text, start):
        return "the old text lies within a string; take the whole string, with its quotes"
    return start, start + len(edit.old)


def is_within_string(text, start):
    """Whether a place is in a string of one line, and not in one of its interpolations."""
    before = text[text.rfind("\n", 0, start) + 1:start]
    return len(re.findall(r'(?<!\\)"', before)) % 2 == 1 and "\\(" not in before[before.rindex('"'):]


def switched(mutant, edit, rest):
    """Swift that is the new text where the bug is on, and `rest` elsewhere."""
    condition = f"PlantedBug.number == {mutant.number} /* {mutant.name} */"
    if edit.kind == "expression":
        return f"({condition} ? ({edit.new}) : ({rest}))"
    return f"if {condition} {{\n{edit.new}\n}} else {{\n{rest}\n}}"


def plant(text, edits):
    """The text with all edits, each behind its switch. `edits` holds (start, end, mutant, edit); they may be nested."""

    def render(start, end, inner):
        """text[start:end] with those edits in it."""
        result, position = "", start
        while inner:
            first = inner[0]
            group = [other for other in inner if other[0] < first[1]]
            if any(other[1] > first[1] for other in group):
                raise PlantingError(f"the mutants {first[2].name} and {group[-1][2].name} overlap")
            inner = inner[len(group):]
            result += text[position:first[0]] + switched(first[2], first[3], render(first[0], first[1], group[1:]))
            position = first[1]
        return result + text[position:end]

    return render(0, len(text), sorted(edits, key=lambda edit: (edit[0], -edit[1], edit[2].number)))


def read_sources(root, modules):
    """The Swift files of those targets, by path."""
    sources = {}
    for module in modules:
        for folder, _, names in os.walk(os.path.join(root, "Sources", module)):
            for name in names:
                path = os.path.join(folder, name)
                if name.endswith(".swift"):
                    with open(path, encoding="utf-8") as file:
                        sources[os.path.relpath(path, root)] = file.read()
    return sources


def planted_sources(root, mutants):
    """The files of the player's copy, by path, with the bugs that a simulation has to find; marks those out of date."""
    sources = read_sources(root, MODULES)
    with open(os.path.join(root, PLAYER), encoding="utf-8") as file:
        sources["Sources/Player/main.swift"] = file.read()
    clean = digest([text for path in sorted(sources) for text in (path, sources[path])])
    plant_all(sources, [mutant for mutant in mutants if not mutant.is_for_tests], SWITCH)
    return sources, clean


def plant_all(sources, mutants, switch):
    """Puts the bugs into the sources, and the switch into each module with one; marks those that are out of date."""
    by_file = {}
    for mutant in mutants:
        places = []
        for edit in mutant.edits:
            found = place(edit, sources[edit.file]) if edit.file in sources else f"there is no file {edit.file}"
            if isinstance(found, str):
                mutant.outdated = found
                break
            places.append((edit.file, found + (mutant, edit)))
        else:
            for file, edit in places:
                by_file.setdefault(file, []).append(edit)
    for file, edits in by_file.items():
        sources[file] = plant(sources[file], edits)
        sources["/".join(file.split("/")[:2]) + "/PlantedBug.swift"] = switch


def manifest():
    targets = []
    for module, dependencies in MODULES.items():
        kind = "executableTarget" if module == "Player" else "target"
        names = ", ".join(f'"{name}"' for name in dependencies)
        targets.append(f'    .{kind}(name: "{module}", dependencies: [{names}]),')
    return "\n".join(
        ["// swift-tools-version: 6.2", "import PackageDescription", "", 'let package = Package(', '  name: "Mutants",',
         "  targets: ["] + targets + ["  ],", "  swiftLanguageModes: [.v6]", ")", ""])


def write_copy(folder, sources, package):
    """Writes what differs of a package, so that the next build has only that to do."""
    write_sources(folder, {**sources, "Package.swift": package})


def write_sources(folder, sources):
    """Writes what differs, and removes Swift files that are not among them."""
    for path, text in sources.items():
        target = os.path.join(folder, path)
        if os.path.exists(target):
            with open(target, encoding="utf-8") as file:
                if file.read() == text:
                    continue
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "w", encoding="utf-8") as file:
            file.write(text)
    for base, _, names in os.walk(os.path.join(folder, "Sources")):
        for name in names:
            path = os.path.join(base, name)
            if name.endswith(".swift") and os.path.relpath(path, folder) not in sources:
                os.remove(path)


def owner(folder, line):
    """The mutant nearest above an error; empty where there is none."""
    match = re.match(r"(Sources/[^:]+):(\d+):", line)
    if not match:
        return ""
    with open(os.path.join(folder, match[1]), encoding="utf-8") as file:
        above = "".join(file.readlines()[: int(match[2])])
    names = re.findall(r"PlantedBug\.number == \d+ /\* ([\w-]+) \*/", above)
    return f"mutant {names[-1]}" if names else ""


def errors_with_owners(folder, output):
    """The errors in the output of a compiler, each once and with the bug whose text it is in."""
    lines = [line.replace(folder + "/", "") for line in output.splitlines() if re.match(r"/.* error: ", line)]
    where = [owner(folder, line) for line in lines]
    return list(dict.fromkeys(f"{name}: {line}" if name else line for name, line in zip(where, lines)))


def build(folder, what, *arguments):
    """Builds a copy; an error names the bug whose text it is in."""
    say(f"building {what} ...")
    start = time.monotonic()
    done = subprocess.run(
        ["swift", "build", "--package-path", folder, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        told = errors_with_owners(folder, done.stdout) or [done.stdout[-4_000:]]
        raise PlantingError("the planted bugs do not build:\n" + "\n".join(told))
    say(f"built in {time.monotonic() - start:.0f} s")


def say(text):
    print(text, file=sys.stderr, flush=True)
