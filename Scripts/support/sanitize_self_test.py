"""Shows that `Scripts/check --sanitize` can fail: small programs with a data race and with a write behind a buffer must turn a
stage red, also where another process started them and ends well."""

import contextlib
import io
import os
import subprocess
import tempfile

from sanitize import SANITIZERS, Stage

# Sanitizer -> a program that it must report, and what the report says.
FAULTY = {
    "address": ("""\
let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: 8)
for index in 0...8 { bytes[index] = 1 }
print(bytes[0])
""", "heap-buffer-overflow"),
    "thread": ("""\
import Glibc

nonisolated(unsafe) var counter = 0
func count(_: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  for _ in 0..<1000 { counter += 1 }
  return nil
}
var other = pthread_t()
pthread_create(&other, nil, count, nil)
_ = count(nil)
pthread_join(other, nil)
print(counter)
""", "ThreadSanitizer: Swift access race"),
}
SOUND = "print([1, 2].map { $0 + 1 })\n"


def result(sanitizer, command, check=lambda output: None):
    """Whether a stage of that command passes, and what it prints."""
    with contextlib.redirect_stdout(io.StringIO()) as printed, contextlib.redirect_stderr(io.StringIO()):
        passed = Stage(sanitizer, "self-test").run(command, check=check)
    return passed, printed.getvalue()


def compile_program(path, sanitizer, program):
    # The linker warns about symbols of the runtime, so its output shows only where it fails.
    command = ["swiftc", "-swift-version", "6", "-g", f"-sanitize={sanitizer}", path, "-o", program]
    built = subprocess.run(command, capture_output=True, text=True)
    if built.returncode:
        raise OSError(f"{path} does not compile: {built.stderr}")


def missed():
    """The number of cases and what went wrong in them."""
    cases, wrong = 0, []
    with tempfile.TemporaryDirectory(prefix="planted ") as folder:
        for sanitizer in SANITIZERS:
            source, report = FAULTY[sanitizer]
            programs = {}
            for name, text in (("faulty", source), ("sound", SOUND)):
                path = os.path.join(folder, f"{name}.swift")
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
                programs[name] = os.path.join(folder, f"{sanitizer}-{name}")
                compile_program(path, sanitizer, programs[name])
            hidden = ["sh", "-c", '"$0" || true', programs["faulty"]]
            for what, command, check, passes, shown in [
                ("a sound program", [programs["sound"]], lambda output: None, True, "passed"),
                ("an output that is wrong", [programs["sound"]], lambda output: "wrong" if "[2, 3]" in output else None, False, "wrong"),
                ("a faulty program", [programs["faulty"]], lambda output: None, False, report),
                ("a faulty program of a script that ends well", hidden, lambda output: None, False, report),
            ]:
                cases += 1
                passed, printed = result(sanitizer, command, check)
                if passed != passes or shown not in printed:
                    wrong.append(f"{what} under {sanitizer}: {'passed' if passed else 'failed'}, and printed {printed!r}")
    return cases, wrong
