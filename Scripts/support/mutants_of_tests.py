"""Plants bugs in a copy of the whole package and looks whether its tests find them. `Scripts/mutants --tests` starts it.

All bugs go into one build, as in `mutants.py`; the environment variable PLANTED_BUG holds the number of the bug that is on.
So a test turns it on for the programs that it starts, too.
"""

import json
import os
import re
import shutil
import signal
import subprocess

from planting import build, plant_all, read_sources, write_copy

# Tests that take longer hang, in seconds.
LIMIT = 300
SWITCH = """import Glibc

/// Which planted bug is on; 0 for none.
enum PlantedBug {
  static let number = unsafe getenv("PLANTED_BUG").flatMap { unsafe Int(String(cString: $0)) } ?? 0
}
"""


def planted_sources(root, mutants):
    """The Swift files of the copy, by path, with the bugs that tests have to find; marks those out of date."""
    folder = os.path.join(root, "Sources")
    sources = read_sources(root, sorted(os.listdir(folder)) if os.path.isdir(folder) else [])
    plant_all(sources, [mutant for mutant in mutants if mutant.is_for_tests], SWITCH)
    return sources


def package_of_copy(root):
    """The manifest of the copy: a switch over a bug may warn, and reads the environment."""
    with open(os.path.join(root, "Package.swift"), encoding="utf-8") as file:
        return re.sub(r"^let (pure|driver): \[SwiftSetting\] = .*$", r"let \1: [SwiftSetting] = []", file.read(), flags=re.M)


def write_tests(root, folder):
    """Copies the tests and what they read; makes the folder of each target that is no Swift."""
    for name in ("Tests", "Diagnostics", "Scripts"):
        shutil.copytree(os.path.join(root, name), os.path.join(folder, name), dirs_exist_ok=True)
    for base, _, names in os.walk(os.path.join(root, "Sources")):
        for name in names:
            if not name.endswith(".swift"):
                target = os.path.join(folder, os.path.relpath(os.path.join(base, name), root))
                os.makedirs(os.path.dirname(target), exist_ok=True)
                shutil.copy2(os.path.join(base, name), target)


def run(folder, number, mutant):
    """What the tests of a bug say with the bug of that number on: "passed", "failed", or "no test"."""
    environment = {**os.environ, "PLANTED_BUG": str(number), "ZONEKIT": os.path.join(folder, ".build", "debug", "zonekit")}
    if mutant.interop:
        command = [os.path.join(folder, "Tests", "Interop", "run"), mutant.interop]
    else:
        command = ["swift", "test", "--package-path", folder, "--skip-build", "--disable-xctest", "--filter", mutant.tests]
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment, text=True,
        errors="replace", start_new_session=True)
    try:
        output, _ = process.communicate(timeout=LIMIT)
    except subprocess.TimeoutExpired:
        # The tests are a child of the command.
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return "failed"
    if not mutant.interop and re.search(r"Test run with 0 tests", output):
        return "no test"
    return "passed" if process.returncode == 0 else "failed"


def verdict(folder, mutant):
    """Whether the tests of a bug pass without it and fail with it: "found", or what is wrong."""
    if mutant.outdated:
        return f"out of date: {mutant.outdated}"
    without = run(folder, 0, mutant)
    if without != "passed":
        return f"without the bug: {without}"
    return "found" if run(folder, mutant.number, mutant) == "failed" else "survived"


def prove(root, sources, mutants, as_json):
    """Runs the tests of each bug without it and with it; returns the exit code."""
    folder = os.path.join(root, ".build", "mutants-of-tests")
    write_copy(folder, sources, package_of_copy(root))
    write_tests(root, folder)
    build(folder, "all planted bugs with the tests", "--build-tests")
    found = 0
    for mutant in mutants:
        end = verdict(folder, mutant)
        found += end == "found"
        if as_json:
            print(json.dumps({"name": mutant.name, "breaks": mutant.breaks, "end": end}), flush=True)
        else:
            print(f"{mutant.name}  {end}", flush=True)
    if not as_json:
        print(f"{found} of {len(mutants)} planted bugs found by tests")
    return 0 if found == len(mutants) else 1
