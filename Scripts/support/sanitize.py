"""Runs tests and the real program under AddressSanitizer and ThreadSanitizer. `Scripts/check --sanitize` prepares and
starts it.

Every process of a stage, however deep, writes its reports to files of one folder. A report is a failure, whatever the exit
code of the process that wrote it, and of the one that started it.
"""

import os
import signal
import subprocess
import sys
import tempfile
import time

SANITIZERS = ("address", "thread")
# What the sanitizers' runtimes are told. AddressSanitizer ends a process at its first report, ThreadSanitizer does not. Leaks
# are left out: a process that exits keeps its loop, its files and what Swift never releases.
OPTIONS = {
    "address": {"ASAN_OPTIONS": "detect_leaks=0:log_path={reports}/report"},
    "thread": {"TSAN_OPTIONS": "halt_on_error=0:report_signal_unsafe=0:log_path={reports}/report"},
}
# The optimizer stays on: without it the simulation under a sanitizer takes half an hour. -enable-testing is what a test
# with @testable needs besides.
BUILD = ["--configuration", "release", "-Xswiftc", "-enable-testing"]
# Black-box tests that start no server and no device, or play the simulation again.
LEFT_OUT = {"test_documentation", "test_library", "test_simulate", "test_scenarios"}
SEEDS = "1..40"
# A stage that takes longer hangs, in seconds. Standard error shows every so many seconds how long a stage has run.
LIMIT = 1800
PROGRESS = 30
# So many lines of a report, and of the output of a stage that failed, are shown.
LINES_OF_REPORT = 60
LINES_OF_OUTPUT = 80


class Stage:
    """One command under a sanitizer, with a folder of its own for reports."""

    def __init__(self, sanitizer, label):
        self.sanitizer = sanitizer
        self.label = f"{sanitizer}: {label}"

    def run(self, command, environment=None, check=lambda output: None):
        """Whether the command succeeded without a report. `check` finds what is wrong with the output of a success."""
        start = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="zk-") as reports:
            options = {name: text.format(reports=reports) for name, text in OPTIONS[self.sanitizer].items()}
            inherited = {**os.environ, "SWIFT_BACKTRACE": "enable=no", "ZONEKIT_SANITIZER": self.sanitizer}
            output, code = self.output(command, {**inherited, **options, **(environment or {})})
            found = [self.read(os.path.join(reports, name)) for name in sorted(os.listdir(reports))]
        fault = f"exit code {code}" if code else check(output)
        seconds = f"{time.monotonic() - start:.0f} s"
        if not found and not fault:
            print(f"{self.label}: passed in {seconds}", flush=True)
            return True
        print(f"{self.label}: failed in {seconds}: " + ", ".join(
            ([fault] if fault else []) + ([f"reports of {len(found)} processes"] if found else [])))
        for text in [*found, *([last_lines(output)] if fault else [])]:
            print("  | " + text.rstrip().replace("\n", "\n  | "))
        sys.stdout.flush()
        return False

    def output(self, command, environment):
        """What the command printed, and its exit code. Says on standard error how long it runs and what it printed last."""
        start = time.monotonic()
        print(f"{self.label} ...", file=sys.stderr, flush=True)
        with tempfile.TemporaryFile() as log:
            process = subprocess.Popen(
                command, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, start_new_session=True)
            try:
                while (code := self.wait(process)) is None:
                    seconds = time.monotonic() - start
                    if seconds > LIMIT:
                        return text_of(log) + f"\nended after {LIMIT} s", 124
                    last = text_of(log).rstrip().rpartition("\n")[2]
                    print(f"{self.label}: {seconds:.0f} s, {last[:100]}", file=sys.stderr, flush=True)
            finally:
                end_group(process)
            return text_of(log), code

    @staticmethod
    def wait(process):
        try:
            return process.wait(PROGRESS)
        except subprocess.TimeoutExpired:
            return None

    @staticmethod
    def read(path):
        with open(path, encoding="utf-8", errors="replace") as file:
            lines = file.read().splitlines()
        left_out = [f"... {len(lines) - LINES_OF_REPORT} more lines"] if len(lines) > LINES_OF_REPORT else []
        return "\n".join(lines[:LINES_OF_REPORT] + left_out)


def end_group(process):
    """Ends what a stage left running. SwiftPM passes no signal on to the tests."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def text_of(log):
    """What a command has printed so far. The command writes where the file's offset is, so that must not move."""
    return os.pread(log.fileno(), os.fstat(log.fileno()).st_size, 0).decode(errors="replace")


def last_lines(output):
    """The last lines; of Swift tests those about failures."""
    lines = output.rstrip().splitlines()
    failures = [line for line in lines if line.startswith(("✘ ", "↳ "))]
    return "\n".join((failures or lines)[-LINES_OF_OUTPUT:])


def swift(root, sanitizer, verb, *options):
    scratch = os.path.join(root, ".build", f"sanitize-{sanitizer}")
    return ["swift", verb, "--package-path", root, "--scratch-path", scratch, "--sanitize", sanitizer, *BUILD, *options]


def tests(root, sanitizer):
    """Runs the Swift tests. They are counted in the event stream, as `Scripts/test` does."""
    with tempfile.TemporaryDirectory(prefix="zk-") as folder:
        events = os.path.join(folder, "events.jsonl")
        open(events, "w").close()

        def check(output):
            counting = os.path.join(root, "Scripts", "support", "count-tests.awk")
            counted = subprocess.run(["awk", "-f", counting, events], capture_output=True, text=True, check=True).stdout
            passed, failed, _ = map(int, counted.split())
            return f"{passed} tests passed, {failed} failed" if failed or not passed else None

        command = swift(root, sanitizer, "test", "--skip-build", "--disable-xctest", "--event-stream-output-path", events)
        return Stage(sanitizer, "Swift tests").run(command, check=check)


def interop(root):
    """The black-box tests that start real servers and devices."""
    run = os.path.join(root, "Tests", "Interop", "run")
    listed = subprocess.run([run, "--list"], capture_output=True, text=True, check=True).stdout.split()
    return [run, *(name for name in listed if name not in LEFT_OUT)]


def stages(root, sanitizer):
    """Runs all stages of one sanitizer, and yields for each whether it passed. Without a build there is nothing to run."""
    built = Stage(sanitizer, "build").run(swift(root, sanitizer, "build", "--build-tests"))
    yield built
    if not built:
        return
    program = os.path.join(root, ".build", f"sanitize-{sanitizer}", "release", "zonekit")
    yield tests(root, sanitizer)
    yield Stage(sanitizer, "scenarios").run([program, "run", os.path.join(root, "Diagnostics", "Scenarios")])
    yield Stage(sanitizer, f"seeds {SEEDS}").run([program, "simulate", "--seeds", SEEDS])
    yield Stage(sanitizer, "servers and devices").run(interop(root), {"ZONEKIT": program})


def main(arguments):
    root, wanted = arguments[0], arguments[1:] or SANITIZERS
    passed = [result for sanitizer in wanted for result in stages(root, sanitizer)]
    print(f"{sum(passed)} stages passed, {len(passed) - sum(passed)} failed")
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
