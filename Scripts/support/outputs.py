"""The commands in the articles whose output is the same at every run, and what they print. An article shows such a command as
`    $ zonekit run NAME`, and a scenario of its own before it as `    $ cat NAME.scenario`."""

import glob
import os
import re
import subprocess
import tempfile

import links

CAT = re.compile(r"^    \$ cat (\S+\.scenario)\n((?:(?!    \$)    .*\n|\n(?=    (?!\$)))+)", re.MULTILINE)
RUN = re.compile(r"^    \$ zonekit (run (?!.*--processes).*)\n((?:(?!    \$)    .*\n)+)", re.MULTILINE)


def dedented(block):
    return re.sub(r"^    ", "", block, flags=re.MULTILINE)


def indented(text):
    return re.sub(r"^(?=.)", "    ", text, flags=re.MULTILINE)


def printed(program, root, command, scenarios):
    """What a command prints in a folder that has the article's scenarios."""
    with tempfile.TemporaryDirectory(prefix="zonekit-docs-") as folder:
        for name, text in scenarios.items():
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        done = subprocess.run(
            [program, *command.split()], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, env={**os.environ, "ZONEKIT_SCENARIOS": os.path.join(root, "Diagnostics/Scenarios")})
    return done.stdout if done.stdout.endswith("\n") else done.stdout + "\n"


def articles(root):
    return sorted(os.path.relpath(path, root) for path in glob.glob(os.path.join(root, links.CATALOG, "*.md")))


def blocks(text):
    """The commands of an article, as (match, the scenarios shown before it). One that shows an error in a changed file has no
    output of its own."""
    for match in RUN.finditer(text):
        if not match[2].startswith("    zonekit:"):
            yield match, {shown[1]: dedented(shown[2]) for shown in CAT.finditer(text, 0, match.start())}


def current(root, program, path):
    """An article with the outputs that its commands have now, and the number of commands."""
    text = links.read(root, path)
    parts, end, count = [], 0, 0
    for match, scenarios in blocks(text):
        parts += [text[end:match.start(2)], indented(printed(program, root, match[1], scenarios))]
        end, count = match.end(2), count + 1
    return "".join(parts) + text[end:], count


def problems(root, program):
    """The articles whose outputs are not those of the program."""
    for path in articles(root):
        text, now = links.read(root, path), current(root, program, path)[0]
        if text != now:
            line = next(i for i, (old, new) in enumerate(zip(text.splitlines() + [""], now.splitlines() + [""]), 1) if old != new)
            yield links.Problem(path, line, "output", "what the program prints now: run Scripts/docs --update")


def update(root, program):
    """Writes the outputs of the program into the articles, and returns the articles that changed."""
    changed = []
    for path in articles(root):
        now = current(root, program, path)[0]
        if now != links.read(root, path):
            with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                file.write(now)
            changed.append(path)
    return changed
