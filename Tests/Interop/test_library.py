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
    .testTarget(name: "ShoppingTests", dependencies: [.product(name: "ZoneKit", package: "zonekit")])
  ])
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

    def test_the_example_runs_in_a_package_that_depends_on_a_release(self):
        self.release()
        tests = self.package / "Tests" / "ShoppingTests"
        tests.mkdir(parents=True)
        (self.package / "Package.swift").write_text(MANIFEST.format(repository=self.repository))
        shutil.copy(ROOT / "Tests" / "ZoneKitTests" / "ExampleTests.swift", tests)
        # No C library can be found: the library needs none.
        run = self.run_program(
            "swift", "test", "--disable-xctest", "--cache-path", self.folder.path / "cache", where=self.package,
            timeout=220, PKG_CONFIG_LIBDIR=str(self.empty), PKG_CONFIG_PATH="")
        self.assertEqual(run.returncode, 0, run.stdout[-4000:])
        self.assertIn("Test run with 1 test in 0 suites passed", run.stdout)
        self.assertNotIn("warning:", run.stdout)
