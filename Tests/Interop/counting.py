"""Runs one test module for `run`: failures in full, skips with their reason, and last the three counts."""

import sys
import unittest


class Counts(unittest.TextTestResult):
    """Counts tests; a test with failing parts is one that failed."""

    def __init__(self, *arguments, **more):
        super().__init__(*arguments, **more)
        self.passed = 0

    def addSuccess(self, test):
        super().addSuccess(test)
        self.passed += 1

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        print(f"skipped {test.id()}: {reason}", file=sys.stderr)

    def failed(self):
        """How many tests failed, whatever number of their parts did."""
        tests = [getattr(test, "test_case", test) for test, _ in self.failures + self.errors]
        return len({test.id() for test in tests}) + len(self.unexpectedSuccesses)


def main(name):
    suite = unittest.defaultTestLoader.loadTestsFromName(name)
    result = unittest.TextTestRunner(stream=sys.stderr, resultclass=Counts, verbosity=0).run(suite)
    sys.stderr.flush()
    print(result.passed, result.failed(), len(result.skipped), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
