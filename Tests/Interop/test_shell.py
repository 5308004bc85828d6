"""What shells get of the program: completions in bash, zsh and fish, and the manual page."""

import os
import pty
import re
import select
import shutil
import subprocess
import time

from support import PATIENCE, Case, run_zonekit, zonekit

# Completes the last of its arguments, as bash does at the key Tab.
BASH = """
source <(zonekit completions bash)
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_zonekit
[ "${#COMPREPLY[@]}" -eq 0 ] || printf '%s\\n' "${COMPREPLY[@]}"
"""


class ShellCase(Case):
    def setUp(self):
        self.place = self.folder()
        (self.place / "bin").mkdir()
        (self.place / "bin" / "zonekit").symlink_to(zonekit())
        (self.place / "notes.sql").write_text("")
        (self.place / "schemas").mkdir()
        self.environment = {
            **os.environ, "PATH": f"{self.place}/bin:{os.environ['PATH']}", "HOME": str(self.place), "TERM": "dumb",
            "ZDOTDIR": str(self.place), "XDG_CONFIG_HOME": str(self.place / "config"), "XDG_DATA_HOME": str(self.place / "share"),
        }

    def need(self, shell):
        if not shutil.which(shell):
            self.skip(f"{shell} is not installed")

    def bash(self, *words):
        """The words that bash offers for the last one of the words after `zonekit`."""
        run = subprocess.run(
            ["bash", "--norc", "-c", BASH, "bash", "zonekit", *words],
            capture_output=True, text=True, timeout=PATIENCE, env=self.environment, cwd=self.place,
        )
        self.assertEqual((run.returncode, run.stderr), (0, ""), words)
        return run.stdout.splitlines()

    def fish(self, line):
        run = subprocess.run(
            ["fish", "--no-config", "-c", "zonekit completions fish | source; complete -C $argv[1]", line],
            capture_output=True, text=True, timeout=PATIENCE, env=self.environment, cwd=self.place,
        )
        self.assertEqual((run.returncode, run.stderr), (0, ""), line)
        return [word.split("\t")[0] for word in run.stdout.splitlines()]

    def zsh(self, line):
        """The line after the key Tab, in a zsh on a terminal of its own."""
        (self.place / ".zshrc").write_text(
            "unset zle_bracketed_paste; unsetopt prompt_sp prompt_cr; PS1='ready: '\n"
            "autoload -U compinit; compinit -u -D; source <(zonekit completions zsh)\n"
        )
        pid, terminal = pty.fork()
        if pid == 0:
            os.chdir(self.place)
            os.execvpe("zsh", ["zsh", "-d", "-i"], {**self.environment, "COLUMNS": "400"})
        try:
            self.type(terminal, "", until="ready: ")
            # A letter that no word has shows that the completion is over.
            return self.shown(self.type(terminal, line + "\tQ", until="Q")).removesuffix("Q").strip()
        finally:
            os.close(terminal)
            os.waitpid(pid, 0)

    def shown(self, output):
        """What a terminal shows of a line, in which a backspace moves the cursor."""
        shown = []
        column = 0
        for character in re.sub(r"\x1b\[\?\d+[hl]|\x07", "", output):
            if character == "\b":
                column -= 1
            else:
                shown[column : column + 1] = character
                column += 1
        return "".join(shown)

    def type(self, terminal, keys, until):
        os.write(terminal, keys.encode())
        seen, deadline = "", time.monotonic() + PATIENCE
        while until not in seen:
            if not select.select([terminal], [], [], max(0, deadline - time.monotonic()))[0]:
                raise AssertionError(f"no {until!r} within {PATIENCE} s: {seen!r}")
            seen += os.read(terminal, 4096).decode(errors="replace").replace("\r", "")
        return seen


class Bash(ShellCase):
    def test_verbs_and_options_come_from_the_help(self):
        listed = re.findall(r"^  ([a-z]+)  ", run_zonekit("--help").stdout, re.MULTILINE)
        self.assertEqual(self.bash(""), listed)
        for verb in listed:
            help = run_zonekit(verb, "--help", environment={"COLUMNS": "400"}).stdout
            options = re.findall(r"^  (--?[a-z-]+)", help.partition("options:\n")[2].partition("\nexample:")[0], re.MULTILINE)
            self.assertEqual(self.bash(verb, "-"), options, verb)

    def test_the_beginning_of_a_word_selects(self):
        self.assertEqual(self.bash("sna"), ["snapshot"])
        self.assertEqual(self.bash("serve", "--push-r"), ["--push-retire-tokens"])
        self.assertEqual(self.bash("fly", ""), [])

    def test_the_words_of_options_are_offered(self):
        self.assertEqual(self.bash("serve", "--auth", ""), ["open", "strict"])
        self.assertEqual(self.bash("serve", "--push-slot", "o"), ["oldest"])
        self.assertIn("SwissCoin", self.bash("device", "A", "--app", ""))
        self.assertEqual(self.bash("purge", "--app", ""), ["SwissCoin", "DietLog"])
        self.assertEqual(self.bash("status", "-o", ""), ["env"])
        self.assertEqual(self.bash("diff", "A", "B", "--environment", "p"), ["production"])

    def test_an_option_with_an_equals_sign_is_three_words_of_bash(self):
        self.assertEqual(self.bash("serve", "--auth", "="), ["open", "strict"])
        self.assertEqual(self.bash("serve", "--auth", "=", "s"), ["strict"])

    def test_devices_zones_and_snapshots_are_those_of_the_data_directory(self):
        data = self.place / "data"
        self.serve(data)
        for name in ("Anna's phone", "Ben"):
            self.assertEqual(run_zonekit("device", name, "-c", "log diaper pee", data=data).returncode, 0)
        self.assertEqual(run_zonekit("snapshot", "save", "before", data=data).returncode, 0)
        there = ("--data", str(data))
        self.assertEqual(self.bash("erase", *there, ""), ["Anna\\'s\\ phone", "Ben"])
        self.assertEqual(self.bash("export", *there, "--device", "B"), ["Ben"])
        self.assertEqual(self.bash("diff", f"--data={data}", "Ben", "B"), ["Ben"])
        self.assertIn("NannyAndMe", self.bash("reset", *there, "zone", ""))
        self.assertEqual(self.bash("reset", *there, "local", "B"), ["Ben"])
        self.assertEqual(self.bash("snapshot", *there, "restore", ""), ["before"])
        self.environment["ZONEKIT_DATA"] = str(data)
        self.assertEqual(self.bash("erase", "B"), ["Ben"])

    def test_scenarios_are_those_of_the_catalogue(self):
        names = [line.split()[0] for line in run_zonekit("scenarios").stdout.splitlines()[1:]]
        self.assertEqual(self.bash("scenarios", ""), names)
        self.assertEqual(self.bash("run", "dropped-push-l"), ["dropped-push-late"])

    def test_files_and_folders_are_offered_where_a_path_stands(self):
        self.assertEqual(sorted(self.bash("serve", "--tables", "n")), ["none", "notes.sql"])
        self.assertEqual(sorted(self.bash("serve", "--import", "")), ["bin", "schemas"])
        self.assertEqual(self.bash("import", "n"), ["notes.sql"])
        self.assertEqual(self.bash("check", "s"), ["schemas"])

    def test_the_command_of_exec_is_one_of_the_system(self):
        self.assertIn("python3", self.bash("exec", "--", "pytho"))
        self.assertEqual(self.bash("exec", "--", "cat", "n"), ["notes.sql"])

    def test_where_nothing_is_known_nothing_is_offered(self):
        for words in (("serve", "--http", ""), ("erase", "A", ""), ("simulate", "--seeds", ""), ("snapshot", "list", "")):
            self.assertEqual(self.bash(*words), [], words)


class Fish(ShellCase):
    def setUp(self):
        super().setUp()
        self.need("fish")

    def test_verbs_options_and_values_are_offered(self):
        self.assertEqual(self.fish("zonekit sna"), ["snapshot"])
        self.assertEqual(self.fish("zonekit serve --auth "), ["open", "strict"])
        self.assertEqual(self.fish("zonekit serve --auth=s"), ["--auth=strict"])
        self.assertEqual(self.fish("zonekit run dropped-push-l"), ["dropped-push-late"])
        self.assertEqual(self.fish("zonekit serve --push-r"), ["--push-retire-tokens"])

    def test_files_and_folders_are_offered_where_a_path_stands(self):
        self.assertEqual(sorted(self.fish("zonekit serve --tables n")), ["none", "notes.sql"])
        self.assertEqual(self.fish("zonekit check sch"), ["schemas/"])
        self.assertEqual(self.fish("zonekit erase "), [])


class Zsh(ShellCase):
    def setUp(self):
        super().setUp()
        self.need("zsh")

    def test_verbs_options_and_values_are_completed(self):
        for typed, completed in (
            ("zonekit sna", "zonekit snapshot"), ("zonekit serve --auth s", "zonekit serve --auth strict"),
            ("zonekit serve --auth=s", "zonekit serve --auth=strict"),
            ("zonekit run dropped-push-l", "zonekit run dropped-push-late"),
            ("zonekit serve --push-r", "zonekit serve --push-retire-tokens"),
        ):
            self.assertEqual(self.zsh(typed), completed)

    def test_paths_are_completed_where_they_stand(self):
        self.assertEqual(self.zsh("zonekit serve --tables not"), "zonekit serve --tables notes.sql")
        self.assertEqual(self.zsh("zonekit check sch"), "zonekit check schemas/")


class Manual(Case):
    def manual(self):
        path = self.folder() / "zonekit.1"
        path.write_text(run_zonekit("manual").stdout)
        return path

    def mandoc(self, *words):
        if not shutil.which("mandoc"):
            self.skip("mandoc is not installed")
        return subprocess.run(["mandoc", *map(str, words)], capture_output=True, text=True, timeout=PATIENCE)

    def test_mandoc_finds_nothing_wrong(self):
        run = self.mandoc("-T", "lint", self.manual())
        self.assertEqual((run.stdout, run.stderr, run.returncode), ("", "", 0))

    def test_the_page_has_every_verb_with_its_options_and_examples(self):
        page = re.sub(r".\x08", "", self.mandoc("-T", "ascii", "-O", "width=300", self.manual()).stdout)
        lines = [line.strip() for line in page.splitlines()]
        for verb in re.findall(r"^  ([a-z]+)  ", run_zonekit("--help").stdout, re.MULTILINE):
            self.assertIn(verb, lines)
            options, examples = run_zonekit(verb, "--help", environment={"COLUMNS": "400"}).stdout.partition("options:\n")[2].split("\nexample:\n")
            for spelling, help in re.findall(r"^  (--?\S+(?: [^ ]+)*)  +(\S.*)$", options, re.MULTILINE):
                self.assertIn(" ".join(spelling.split()), " ".join(page.split()), verb)
            for example in examples.splitlines():
                self.assertIn(example.strip(), lines, verb)
        for code in ("0", "1", "2", "3"):
            self.assertRegex(page[page.index("EXIT STATUS"):], rf"\n +{code} +\S")
