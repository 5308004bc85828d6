"""Checks a working copy against the rules and prints one line per finding. `Scripts/check` prepares and starts it."""

import json
import os
import re
import subprocess
import sys
import tomllib
from typing import NamedTuple

import catalogue
import links
import mutants_of_tests
import planting
import rules
from swift_source import SwiftSource

IMPORT = re.compile(
    r"^[ \t]*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?"
    r"import\s+(?:(?:struct|class|enum|protocol|typealias|func|var|let)\s+)?(\w+)",
    re.MULTILINE,
)
TRAP = re.compile(r"(?<![\w.])(?<!func )(" + "|".join(rules.TRAPS) + r")\s*(\()")
DIAGNOSTIC = re.compile(r"^(/.*?):(\d+):(?:\d+:)? error: (.*)$")
UNDECLARED_IMPORT = re.compile(r"error: (Target .* imports another target .*)$")
CODE_ENDINGS = (".swift", ".py", ".sh", ".awk", ".js", ".css", ".c", ".h")
SKIPPED_FOLDERS = {".git", ".build", ".zonekit", "__pycache__"}


class Finding(NamedTuple):
    path: str
    line: int
    rule: str
    right: str

    def __str__(self):
        return f"{self.path}:{self.line}: {self.rule} — {self.right}"


def project_files(root):
    """The paths of all files that are, or could be, committed; relative, sorted."""
    listing = subprocess.run(
        ["git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        capture_output=True, text=True,
    ) if os.path.exists(os.path.join(root, ".git")) else None
    if listing and listing.returncode == 0:
        paths = {path for path in listing.stdout.split("\0") if path}
    else:
        paths = set()
        for folder, folders, names in os.walk(root):
            folders[:] = [name for name in folders if name not in SKIPPED_FOLDERS]
            paths.update(os.path.relpath(os.path.join(folder, name), root) for name in names)
    return sorted(path for path in paths if os.path.isfile(os.path.join(root, path)))


def read_text(root, path):
    """The file's text, or None where it is not a text."""
    with open(os.path.join(root, path), "rb") as file:
        content = file.read()
    return None if b"\0" in content else content.decode("utf-8", errors="replace")


# One file


def findings_in_text(path, text):
    yield from found_words(path, "text", [(0, text)], lambda offset: text.count("\n", 0, offset) + 1)
    lines = len(text.splitlines())
    is_code = path.endswith(CODE_ENDINGS) or is_script(path)
    most = rules.LINES_OF_A_PAGE_SCRIPT if path in rules.PAGE_SCRIPTS else rules.LINES_OF_A_FILE
    if is_code and lines > most:
        yield Finding(path, most + 1, "file length", f"{lines} lines; at most {most}: split it by type")


def found_words(path, within, parts, line):
    """The banned words of `parts`, which are (offset, text); `line` gives the line of an offset."""
    for word in rules.WORDS:
        if word.within != within or not path.startswith(word.folders):
            continue
        for offset, text in parts:
            for match in word.pattern.finditer(text):
                # A pattern may take blank space first; the finding is where its words are.
                start = match.start() + len(match[0]) - len(match[0].lstrip())
                yield Finding(path, line(offset if within == "strings" else start), word.rule, word.right)


def without_allowed(path, lines, found):
    """The findings without those that the rules allow, and the entries of the rules that allow nothing."""
    unused = [allowed for allowed in rules.ALLOWED if allowed.path == path]
    for finding in found:
        allowing = [allowed for allowed in rules.ALLOWED
                    if allowed[:2] == (finding.rule, path) and allowed.text in lines[finding.line - 1]]
        if not allowing:
            yield finding
        unused = [allowed for allowed in unused if allowed not in allowing]
    for allowed in unused:
        yield Finding(path, 1, "allowance", f"an entry of ALLOWED, Scripts/support/rules.py, that allows something: {allowed.text!r} does not")


def findings_in_swift(path, source):
    words = [*found_words(path, "code", [(0, source.code)], source.line), *found_words(path, "strings", source.literals, source.line)]
    yield from without_allowed(path, source.text.splitlines(), words)
    yield from found_imports(path, source)
    for match in TRAP.finditer(source.code):
        if source.arguments(match.start(2)) < rules.TRAPS[match[1]]:
            yield Finding(path, source.line(match.start()), "mute trap", f"{match[1]} with a sentence that says what was wrong")
    for name, line, length in source.functions():
        if length > rules.LINES_OF_A_FUNCTION:
            yield Finding(path, line, "function length",
                          f"{name} has {length} lines; at most {rules.LINES_OF_A_FUNCTION}: name its parts")


def found_imports(path, source):
    parts = path.split("/")
    if len(parts) < 3 or parts[0] not in ("Sources", "Tests"):
        return
    if parts[0] == "Sources":
        module, allowed = parts[1], rules.IMPORTS.get(parts[1], [])
    else:
        module = parts[1]
        allowed = rules.TEST_IMPORTS + (["ZoneKitNannyAndMe"] if module in rules.TESTS_OF_THE_APP else [])
    for match in IMPORT.finditer(source.code):
        if match[1] not in allowed:
            may = ", ".join(allowed) if allowed else "nothing"
            yield Finding(path, source.line(match.start(1)), "import", f"{module} may import {may}; not {match[1]}")


# The tree


def is_script(path):
    """Whether people start this file: the entries of Scripts, the continuous check and the tests that are scripts."""
    folder, name = os.path.split(path)
    return folder == "Scripts" or path == ".ci/run" or path == "Tests/Interop/run"


def findings_in_tree(root, paths):
    for path in paths:
        if is_script(path) and not os.access(os.path.join(root, path), os.X_OK):
            yield Finding(path, 1, "executable", f"chmod +x {path}")
    modules = {path.split("/")[1]: path for path in reversed(paths) if re.match(r"Sources/[^/]+/.*\.swift$", path)}
    for module, path in sorted(modules.items()):
        if module not in rules.IMPORTS:
            yield Finding(path, 1, "module", f"a row for {module} in the import table, Scripts/support/rules.py")


def findings_in_manifest(root, paths):
    """Targets of the manifest that lack a setting or have a dependency outside the import table, and folders without a target."""
    dump = subprocess.run(["swift", "package", "--package-path", root, "dump-package"], capture_output=True, text=True)
    if dump.returncode != 0:
        yield Finding("Package.swift", 1, "manifest", "a manifest that loads: " + last_line(dump.stderr))
        return
    manifest_lines = read_text(root, "Package.swift").splitlines()
    folders = set()
    for target in json.loads(dump.stdout)["targets"]:
        name = target["name"]
        line = next((i for i, text in enumerate(manifest_lines, 1) if f'name: "{name}"' in text or f'"{name}",' in text), 1)
        parent = "Tests" if target["type"] == "test" else "Sources"
        folders.add(target.get("path") or f"{parent}/{name}")
        if target["type"] == "system" or name in rules.C_TARGETS:
            continue
        yield from found_settings(target, line)
        for dependency in dependencies(target):
            if target["type"] != "test" and dependency not in rules.IMPORTS.get(name, rules.TEST_IMPORTS):
                yield Finding("Package.swift", line, "dependency", f"{name} must not depend on {dependency}")
    for path in paths:
        match = re.match(r"((?:Sources|Tests)/[^/]+)/.*\.swift$", path)
        if match and match[1] not in folders:
            folders.add(match[1])
            yield Finding(path, 1, "target", f"a target for {match[1]} in Package.swift: nothing builds this file")


def found_settings(target, line):
    settings = {setting for entry in target["settings"] for setting in entry["kind"]}
    wanted = rules.SETTINGS_OF_PURE_TARGETS if target["name"] in rules.PURE else rules.SETTINGS_OF_ALL_TARGETS
    for setting in wanted:
        if setting not in settings:
            yield Finding("Package.swift", line, "setting", f"{target['name']} with .{setting}")


def dependencies(target):
    return [names[0] for dependency in target["dependencies"] for kind, names in dependency.items()]


def findings_of_catalogue(root):
    """A list of the files in the program that is not that of the folder."""
    path = os.path.join(root, catalogue.LIST)
    if os.path.isdir(os.path.join(root, catalogue.FOLDER)) and os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            if file.read() != catalogue.listing(root):
                yield Finding(catalogue.LIST, 1, "catalogue", "every file of Diagnostics/Scenarios: run Scripts/docs --update")


def findings_of_planted_bugs(root):
    """Bugs of Diagnostics/Mutants that no longer fit the sources, which Scripts/mutants could not plant, and scenarios that
    no bug is to turn red, of which nobody knows whether they can fail."""
    folder = "Diagnostics/Mutants"
    if not os.path.isdir(os.path.join(root, folder)):
        return
    try:
        mutants = planting.read_mutants(os.path.join(root, folder))
        planting.planted_sources(root, mutants)
        mutants_of_tests.planted_sources(root, mutants)
    except (planting.PlantingError, tomllib.TOMLDecodeError, KeyError, OSError) as error:
        yield Finding(folder, 1, "planted bug", f"tables that can be read: {error}")
        return
    places = {
        match[1]: (f"{folder}/{name}", number)
        for name in sorted(os.listdir(os.path.join(root, folder))) if name.endswith(".toml")
        for number, line in enumerate(read_text(root, f"{folder}/{name}").splitlines(), 1)
        if (match := re.match(r'name = "(.*)"$', line))
    }
    for mutant in mutants:
        if mutant.outdated:
            path, line = places.get(mutant.name, (folder, 1))
            yield Finding(path, line, "planted bug", f"{mutant.name} as the sources are now: {mutant.outdated}")
    names = planting.scenario_names(root)
    for mutant in mutants:
        path, line = places.get(mutant.name, (folder, 1))
        for name in sorted(set(mutant.scenarios) - set(names)):
            yield Finding(path, line, "planted bug", f"{mutant.name} with scenarios of the catalogue; {name} is none")
        if mutant.unseen and not mutant.scenarios:
            yield Finding(path, line, "planted bug", f"{mutant.name} with a scenario, as the swarm cannot see it")
    for name in sorted(set(names) - {name for mutant in mutants for name in mutant.scenarios}):
        path = os.path.join(planting.SCENARIOS, name + ".scenario")
        yield Finding(path, 1, "planted bug", "a bug that lists it, and so proves that it can fail")


def findings_in_documentation(root):
    """Dead links, a README that is too long, articles that no page lists: what `Scripts/docs --check` finds."""
    for problem in links.problems(root):
        yield Finding(*problem)


def findings_of_format(root, paths):
    swift = [path for path in paths if path.endswith(".swift")]
    if not swift:
        return
    lint = subprocess.run(
        ["swift", "format", "lint", "--strict", "--parallel", "--configuration", ".swift-format", *swift],
        cwd=root, capture_output=True, text=True,
    )
    before = len(swift)
    for text in lint.stderr.splitlines():
        match = re.match(r"(.*?):(\d+):\d+: (?:error|warning): (.*)$", text)
        if match:
            before = 0
            yield Finding(os.path.relpath(os.path.join(root, match[1]), root), int(match[2]), "format",
                          f"{match[3]} (Scripts/tidy mends most)")
    if lint.returncode != 0 and before:
        yield Finding(".swift-format", 1, "format", "a lint that runs: " + last_line(lint.stderr))


def findings_of_build(root):
    """Builds all targets and tests; an import that the manifest does not declare, a warning and an error are findings."""
    print("building everything ...", file=sys.stderr)
    build = subprocess.run(
        ["swift", "build", "--package-path", root, "--build-tests", "--explicit-target-dependency-import-check", "error"],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True, errors="replace",
    )
    if build.returncode == 0:
        return
    undeclared, diagnostics = set(), set()
    for text in build.stdout.splitlines():
        if match := UNDECLARED_IMPORT.match(text):
            undeclared.add(Finding("Package.swift", 1, "undeclared import", match[1]))
        elif match := DIAGNOSTIC.match(text):
            diagnostics.add(Finding(os.path.relpath(match[1], root), int(match[2]), "build", match[3]))
    # An undeclared import breaks the build in other ways too, depending on what was built first.
    if not undeclared and not diagnostics:
        print(build.stdout, file=sys.stderr)
        diagnostics.add(Finding("Package.swift", 1, "build", "a package that builds: " + last_line(build.stdout)))
    yield from undeclared or diagnostics


def last_line(text):
    """The last line that says `error:`, else the last line at all."""
    lines = [line.strip() for line in text.splitlines() if line.strip()] or ["no reason was given"]
    return next((line for line in reversed(lines) if "error:" in line), lines[-1])


def findings(root, builds):
    """All findings, sorted by place, each once."""
    paths = project_files(root)
    found = set(findings_in_tree(root, paths))
    found.update(Finding(path, 1, "allowance", "a file: ALLOWED, Scripts/support/rules.py, names it")
                 for path in {allowed.path for allowed in rules.ALLOWED} - set(paths))
    for path in paths:
        text = read_text(root, path)
        if text is None:
            continue
        found.update(findings_in_text(path, text))
        if path.endswith(".swift"):
            found.update(findings_in_swift(path, SwiftSource(text)))
    found.update(findings_in_manifest(root, paths))
    found.update(findings_of_planted_bugs(root))
    found.update(findings_of_catalogue(root))
    found.update(findings_in_documentation(root))
    found.update(findings_of_format(root, paths))
    if builds:
        found.update(findings_of_build(root))
    return sorted(found), len(paths)


def main(arguments):
    root = arguments[0]
    found, files = findings(root, builds="--fast" not in arguments)
    for finding in found:
        print(finding)
    print(f"{len(found)} {'finding' if len(found) == 1 else 'findings'} in {files} files")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
