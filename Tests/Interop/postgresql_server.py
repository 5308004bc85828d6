"""A PostgreSQL server of a test's own, with sorting by bytes, where Debian's package `postgresql` is installed."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

# Runs a statement and answers its result as JSON, or its error. Constraints that wait for the end are asked before.
RUN = """
create function run_statement(statement text) returns json language plpgsql as $run$
declare result json; code text; message text; detail text;
begin
  begin
    execute statement into result;
    set constraints all immediate;
    return json_build_object('rows', result);
  exception when others then
    get stacked diagnostics code = returned_sqlstate, message = message_text, detail = pg_exception_detail;
    return json_build_object('code', code, 'message', message, 'details', nullif(detail, ''));
  end;
end $run$;
"""


def programs():
    """The folder of the server's programs. Skips where there is none."""
    found = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not found:
        raise unittest.SkipTest("PostgreSQL is not installed; Debian's package is postgresql")
    if os.geteuid() == 0 and not shutil.which("runuser"):
        raise unittest.SkipTest("PostgreSQL does not run as root, and there is no runuser")
    return found[-1].parent


class PostgreSQL:
    """A server in a temporary folder, with a database. It listens on a socket in that folder alone."""

    def __init__(self):
        bin = programs()
        self._prefix = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        # The folder of TMPDIR may be closed to the user postgres.
        self._folder = pathlib.Path(tempfile.mkdtemp(prefix="pg-", dir="/tmp" if self._prefix else None))
        if self._prefix:
            shutil.chown(self._folder, "postgres")
        data = self._folder / "data"
        self._run(bin / "initdb", "-D", data, "--locale=C", "-E", "UTF8", "-A", "trust", "-U", "postgres")
        options = f"-c listen_addresses='' -c unix_socket_directories={self._folder} -c timezone=UTC -c fsync=off"
        self._run(bin / "pg_ctl", "-D", data, "-w", "-l", self._folder / "log", "-o", options, "start")
        self._stop = [bin / "pg_ctl", "-D", data, "-m", "immediate", "stop"]
        self.script(RUN)

    def _run(self, *words):
        done = subprocess.run(
            [*self._prefix, *map(str, words)], capture_output=True, text=True, timeout=60, cwd=self._folder
        )
        if done.returncode != 0:
            raise AssertionError(f"{words[0]}: {done.stderr or done.stdout}")

    def _psql(self, text):
        command = ["psql", "-h", str(self._folder), "-U", "postgres", "-qAtX", "-v", "ON_ERROR_STOP=1"]
        done = subprocess.run(
            [*self._prefix, *command], input=text, capture_output=True, text=True, timeout=300, cwd=self._folder
        )
        if done.returncode != 0:
            raise AssertionError(done.stderr)
        return done.stdout

    def script(self, text):
        """Runs statements whose results do not matter."""
        self._psql(text)

    def results(self, statements):
        """What each of those statements returns, a value of JSON, or its error."""
        text = "".join(f"select replace(run_statement($statement${one}$statement$)::text, e'\\n', '');\n" for one in statements)
        return [json.loads(line) for line in self._psql(text).splitlines()]

    def close(self):
        self._run(*self._stop)
        shutil.rmtree(self._folder, ignore_errors=True)
