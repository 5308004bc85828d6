"""The library ZoneKit in somebody else's package: a release of a repository, as a package of theirs depends on it."""

import os
import shutil
import subprocess

from support import ROOT, Case, Folder

MANIFEST = """// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Shopping",
  dependencies: [.package(url: "file://{repository}", from: "1.0.0")],
  targets: [
{own}
    .testTarget(
      name: "ShoppingTests", dependencies: [{names}, .product(name: "ZoneKit", package: "zonekit")])
  ])
"""

# Targets of the user's own, under names that a library of this kind may be tempted to take for itself.
OWN_TARGETS = ["Records", "Storage", "Simulator", "Service", "Wire"]

OWN_TARGET = """/// Something of the user's own.
public enum Own{name} {{
  /// Its name.
  public static let name = "{name}"
}}
"""


class Consumer(Case):
    def setUp(self):
        self.folder = Folder()
        self.addCleanup(self.folder.close)
        self.repository = self.folder.path / "zonekit"
        self.package = self.folder.path / "shopping"
        self.empty = self.folder.path / "empty"
        self.empty.mkdir()

    def run_program(self, *command, where, timeout=60, **environment):
        return subprocess.run(
            [str(word) for word in command], cwd=where, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, timeout=timeout, env={**os.environ, **environment})

    def release(self):
        """A repository with a version, because only there SwiftPM refuses what a stranger's package may not do."""
        self.repository.mkdir()
        shutil.copy(ROOT / "Package.swift", self.repository)
        for name in ("Sources", "Tests"):
            shutil.copytree(ROOT / name, self.repository / name, ignore=shutil.ignore_patterns("__pycache__"))
        author = ["-c", "user.name=test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false"]
        for words in (["init", "-q"], ["add", "-A"], [*author, "commit", "-qm", "A release"], ["tag", "1.0.0"]):
            done = self.run_program("git", *words, where=self.repository)
            self.assertEqual(done.returncode, 0, done.stdout)

    def write_own_targets(self, tests):
        """The manifest, the user's own targets, and a file of the tests that uses them beside the library."""
        own = "\n".join(f'    .target(name: "{name}"),' for name in OWN_TARGETS)
        names = ", ".join(f'"{name}"' for name in OWN_TARGETS)
        manifest = MANIFEST.format(repository=self.repository, own=own, names=names)
        (self.package / "Package.swift").write_text(manifest)
        for name in OWN_TARGETS:
            folder = self.package / "Sources" / name
            folder.mkdir(parents=True)
            (folder / f"Own{name}.swift").write_text(OWN_TARGET.format(name=name))
        imports = "".join(f"import {name}\n" for name in sorted([*OWN_TARGETS, "ZoneKit"]))
        values = ", ".join(f"Own{name}.name" for name in OWN_TARGETS)
        (tests / "OwnTargets.swift").write_text(f"{imports}\nlet ownTargets: [Name] = [{values}].map {{ Name($0) }}\n")

    def test_the_example_runs_in_a_package_that_depends_on_a_release(self):
        self.release()
        tests = self.package / "Tests" / "ShoppingTests"
        tests.mkdir(parents=True)
        self.write_own_targets(tests)
        shutil.copy(ROOT / "Tests" / "ZoneKitTests" / "ExampleTests.swift", tests)
        # No C library can be found: the library needs none.
        run = self.run_program(
            "swift", "test", "--disable-xctest", "--cache-path", self.folder.path / "cache", where=self.package,
            timeout=540, PKG_CONFIG_LIBDIR=str(self.empty), PKG_CONFIG_PATH="")
        self.assertEqual(run.returncode, 0, run.stdout[-4000:])
        self.assertIn("Test run with 2 tests in 0 suites passed", run.stdout)
        self.assertNotIn("warning:", run.stdout)
