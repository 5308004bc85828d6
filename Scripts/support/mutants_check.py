"""Looks whether all planted bugs compile, without building anything. `Scripts/mutants --check` starts it.

The modules with bugs are type-checked with all of their bugs planted, against the modules of the last debug build. That takes
seconds, while the builds that find the bugs take minutes.
"""

import concurrent.futures
import os
import re
import subprocess

from planting import PlantingError, errors_with_owners, plant_all, read_sources, say, write_sources

SWITCH = """enum PlantedBug {
  static let number = 0
}
"""
# Modules that are checked at the same time.
JOBS = 2


def modules_with_bugs(mutants):
    return sorted({edit.file.split("/")[1] for mutant in mutants for edit in mutant.edits if edit.file.startswith("Sources/")})


def command(root, module, files):
    """The compiler's command that type-checks those files as that module."""
    build = os.path.join(root, ".build", "debug")
    with open(os.path.join(root, ".build", "debug.yaml"), encoding="utf-8") as file:
        package = re.search(r'"-package-name","([^"]+)"', file.read())
    maps = [
        option for name in sorted(os.listdir(os.path.join(root, "Sources")))
        for path in (os.path.join(root, "Sources", name, "module.modulemap"), os.path.join(build, f"{name}.build", "module.modulemap"))
        if os.path.exists(path)
        for option in ("-Xcc", f"-fmodule-map-file={path}")
    ]
    # A program has a file with statements at the top level, and a module without one may have a single file.
    is_program = any(os.path.basename(path) == "main.swift" for path in files)
    return [
        "swiftc", "-typecheck", "-module-name", module, *([] if is_program else ["-parse-as-library"]),
        "-swift-version", "6", "-package-name", package[1] if package else "zonekit",
        "-I", os.path.join(build, "Modules"), "-module-cache-path", os.path.join(build, "ModuleCache"),
        "-suppress-warnings", *maps, *files,
    ]


def check(root, folder, module, sources):
    """The errors of a module with its bugs, each with the bug that it belongs to."""
    files = [os.path.join(folder, path) for path in sorted(sources) if path.startswith(f"Sources/{module}/")]
    done = subprocess.run(
        command(root, module, files), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode == 0:
        return []
    return errors_with_owners(folder, done.stdout) or [f"{module}: {done.stdout[-2_000:]}"]


def prove(root, mutants):
    """Type-checks all modules with bugs; returns the exit code."""
    if not os.path.exists(os.path.join(root, ".build", "debug.yaml")):
        raise PlantingError("there is no debug build to check against; make one with `swift build`")
    modules = modules_with_bugs(mutants)
    sources = read_sources(root, modules)
    plant_all(sources, mutants, SWITCH)
    folder = os.path.join(root, ".build", "planted")
    write_sources(folder, sources)
    findings = [f"{mutant.name}: out of date: {mutant.outdated}" for mutant in mutants if mutant.outdated]
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        for errors in pool.map(lambda module: check(root, folder, module, sources), modules):
            findings += errors
    for finding in dict.fromkeys(findings):
        say(finding)
    print(f"{len(mutants)} planted bugs in {len(modules)} modules compile" if not findings else "not all planted bugs compile")
    return 1 if findings else 0
