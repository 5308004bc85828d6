"""Plants bugs in a copy of the sources and looks whether the swarm finds them. `Scripts/mutants` prepares and starts it.

All bugs go into one build: where a bug is, the copy says `if PlantedBug.number == N { new } else { old }`, and the player
gets the number of the bug that is on. So each bug costs a run and no build, and the clean product is the same program with none on.
"""

import argparse
import json
import os
import selectors
import subprocess
import sys
import time

import mutants_check
import mutants_of_tests
from planting import (
    SCENARIOS, PlantingError, build, manifest, planted_sources, read_mutants, say, scenario_names, write_copy,
)

# Seeds are played in portions of this size.
PORTION = 40
# A seed that takes longer hangs, in seconds: it usually takes a tenth of one.
SEED_LIMIT = 120
# A scenario that takes longer hangs, in seconds: it usually takes a hundredth of one.
SCENARIO_LIMIT = 60
# A story that takes longer to be made short hangs, in seconds: it usually takes ten.
STORY_LIMIT = 600


# --- Playing -----------------------------------------------------------------------------------------------------------


def play(program, number, seeds, jobs, app, is_enough=lambda results: False):
    """The results of those seeds: seed -> (digest, promise, text). Ends early where the program crashes or hangs, and where
    the results so far are enough."""
    jobs = max(1, min(jobs, len(seeds)))
    results, selector, running = {}, selectors.DefaultSelector(), {}
    for part in range(jobs):
        process = subprocess.Popen(
            [program, str(number), str(seeds[0]), str(seeds[-1]), str(part), str(jobs), *app], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0)
        running[process.stdout] = process
        selector.register(process.stdout, selectors.EVENT_READ, (part, bytearray(), [time.monotonic()]))
    try:
        while running and not is_enough(results):
            for key, _ in selector.select(1):
                part, buffer, heard = key.data
                heard[0] = time.monotonic()
                chunk = os.read(key.fd, 65_536)
                buffer += chunk
                while b"\n" in buffer:
                    line, _, rest = bytes(buffer).partition(b"\n")
                    buffer[:] = rest
                    seed, trace, promise, text = line.decode(errors="replace").split("\t", 3)
                    results[int(seed)] = (trace, promise or ("error" if text else ""), text)
                if not chunk:
                    selector.unregister(key.fileobj)
                    process = running.pop(key.fileobj)
                    if process.wait() != 0:
                        results[next_seed(seeds, part, jobs, results)] = ("", "crash", f"it ended with {process.returncode}")
            for key in list(selector.get_map().values()):
                if time.monotonic() - key.data[2][0] > SEED_LIMIT:
                    selector.unregister(key.fileobj)
                    process = running.pop(key.fileobj)
                    process.kill()
                    process.wait()
                    seed = next_seed(seeds, key.data[0], jobs, results)
                    results[seed] = ("", "hang", f"a seed took more than {SEED_LIMIT} s")
    finally:
        for process in running.values():
            process.kill()
            process.wait()
    return results


def next_seed(seeds, part, jobs, results):
    return next((seed for seed in seeds[part::jobs] if seed not in results), seeds[0])


def first_found(results, clean):
    """The first seed that violates an invariant with the bug and none without it; None where there is none."""
    return min((seed for seed, result in results.items() if result[1] and not clean[seed][1]), default=None)


def is_found(seeds, results, clean):
    """Whether there is such a seed and all before it were played."""
    found = first_found(results, clean)
    return found is not None and all(seed in results for seed in range(seeds[0], found))


class Hunt:
    """Finds bugs, remembering what is done."""

    def __init__(self, program, place, clean, options):
        self.program, self.place, self.last, self.jobs, self.app = program, place, options.seeds, options.jobs, options.app
        self.state = {"clean": clean, "seeds": {}, "mutants": {}}
        if os.path.exists(place) and not options.again:
            with open(place, encoding="utf-8") as file:
                kept = json.load(file)
            if kept["clean"] == clean:
                self.state = kept

    def save(self):
        with open(self.place + ".new", "w", encoding="utf-8") as file:
            json.dump(self.state, file, indent=1)
        os.replace(self.place + ".new", self.place)

    def clean_results(self, seeds):
        """What comes of those seeds without any bug."""
        known = self.state["seeds"]
        if any(str(seed) not in known for seed in seeds):
            for seed, result in play(self.program, 0, seeds, self.jobs, self.app).items():
                known[str(seed)] = result[:2]
            self.save()
        return {seed: known[str(seed)] for seed in seeds}

    def hunt(self, mutant):
        kept = self.state["mutants"].get(mutant.name)
        if kept and kept["key"] == mutant.key and (kept["seed"] or kept["last"] >= self.last):
            return kept
        start, waited, found = time.monotonic(), 0, None
        if not kept or kept["key"] != mutant.key:
            kept = {"key": mutant.key, "seconds": 0, "changed": 0, "red": 0, "last": 0}
        changed, red, last = kept["changed"], kept["red"], kept["last"]
        while last < self.last and found is None:
            seeds = range(last + 1, min(last + PORTION, self.last) + 1)
            before = time.monotonic()
            clean = self.clean_results(seeds)
            waited += time.monotonic() - before
            results = play(
                self.program, mutant.number, seeds, self.jobs, self.app, lambda results: is_found(seeds, results, clean))
            changed += sum(1 for seed, result in results.items() if result[0] != clean[seed][0])
            red += sum(1 for seed in seeds if clean[seed][1])
            found = first_found(results, clean)
            last = seeds[-1]
        result = {
            "key": mutant.key, "seed": found, "promise": results[found][1] if found else "",
            "text": results[found][2] if found else "",
            "seconds": round(kept["seconds"] + time.monotonic() - start - waited, 1),
            # How many stories the bug changed at all, how many were red without it and so prove nothing.
            "changed": changed, "red": red, "last": last,
        }
        self.state["mutants"][mutant.name] = result
        self.save()
        return result


def retell(program, mutant, seed, app):
    """The result of the story of the seed that found a bug, made short and played as a scenario: (steps, verdict, text)."""
    try:
        done = subprocess.run(
            [program, str(mutant.number), "story", str(seed), *app], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True, timeout=STORY_LIMIT)
    except subprocess.TimeoutExpired:
        return 0, "other", f"it took more than {STORY_LIMIT} s"
    cells = done.stdout.rstrip("\n").split("\t", 3)
    return (int(cells[1]), cells[2], cells[3]) if len(cells) == 4 else (0, "other", f"it ended with {done.returncode}")


def retell_all(program, mutants, results, app, as_json):
    """Retells the story of each bug that was found; returns whether every scenario fails the same way."""
    found = [(mutant, results[mutant.name]) for mutant in mutants if results.get(mutant.name, {}).get("seed")]
    same = 0
    for mutant, result in found:
        steps, verdict, text = retell(program, mutant, result["seed"], app)
        same += verdict == "same"
        if as_json:
            print(json.dumps({"mutant": mutant.name, "seed": result["seed"], "steps": steps, "end": verdict, "text": text}))
        else:
            say(f"{mutant.name}  seed {result['seed']}, {steps} steps: " + ("the same" if verdict == "same" else text))
    if not as_json:
        print(f"{same} of {len(found)} stories fail the same way as scenarios")
    return same == len(found)


# --- Scenarios ---------------------------------------------------------------------------------------------------------


def play_scenarios(program, number, files):
    """The results of those scenarios: file -> (digest, "held" or what else, text)."""
    results = {}
    while len(results) < len(files):
        left = [file for file in files if file not in results]
        process = subprocess.Popen(
            [program, str(number), "scenarios", *left], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, bufsize=0)
        try:
            verdict = read_scenarios(process, results)
        finally:
            process.kill()
            process.wait()
        after = next((file for file in files if file not in results), None)
        if after is not None:
            results[after] = ("", *verdict)
    return results


def read_scenarios(process, results):
    """Reads the output of a player; returns the result of the scenario at which the output ended."""
    buffer = bytearray()
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while selector.select(SCENARIO_LIMIT):
            chunk = os.read(process.stdout.fileno(), 65_536)
            if not chunk:
                return "crash", f"it ended with {process.wait()}"
            buffer += chunk
            while b"\n" in buffer:
                line, _, rest = bytes(buffer).partition(b"\n")
                buffer[:] = rest
                file, trace, end, text = line.decode(errors="replace").split("\t", 3)
                results[file] = (trace, end, text)
    return "hang", f"the scenario took more than {SCENARIO_LIMIT} s"


def prove_scenarios(root, program, mutants, chosen, plays_all, as_json):
    """Plays scenarios under the bugs that are to turn them red; returns the exit code."""
    names = scenario_names(root)
    files = {name: os.path.join(root, SCENARIOS, name + ".scenario") for name in names}
    reds, failures = {name: [] for name in names}, []
    clean = play_scenarios(program, 0, list(files.values()))
    for name, file in files.items():
        if clean[file][1] != "held":
            failures.append(f"{name} does not hold without any bug: {clean[file][2]}")
    for mutant in chosen:
        listed = names if plays_all else mutant.scenarios
        if mutant.outdated:
            say("  ".join(row(mutant, None)))
            continue
        results = play_scenarios(program, mutant.number, [files[name] for name in listed if name in files])
        for name in listed:
            if name not in files:
                failures.append(f"{mutant.name} lists {name}, which is no scenario")
                continue
            _, end, text = results[files[name]]
            if end != "held":
                reds[name].append(mutant.name)
            elif name in mutant.scenarios:
                failures.append(f"{mutant.name} does not turn {name} red")
            if as_json and listed:
                print(json.dumps({"mutant": mutant.name, "scenario": name, "end": end, "text": text}))
    if len(chosen) == len(mutants):
        failures += [f"no planted bug turns {name} red" for name in names if not reds[name]]
    if not as_json:
        for name in names:
            if reds[name]:
                print(f"{name}: {', '.join(reds[name])}")
        print(f"{sum(1 for name in names if reds[name])} of {len(names)} scenarios turned red")
    for failure in failures:
        say(failure)
    return 1 if failures else 0


# --- Telling -----------------------------------------------------------------------------------------------------------


def row(mutant, result):
    if mutant.outdated:
        return [mutant.name, "out of date", mutant.outdated, ""]
    if not result:
        return [mutant.name, "unseen", mutant.unseen, ""]
    if result["seed"] is None:
        return [
            mutant.name, "survived", f"{result['changed']} of {result['last']} stories went otherwise", f"{result['seconds']:.1f}"]
    return [mutant.name, str(result["seed"]), result["promise"], f"{result['seconds']:.1f}"]


def tell(mutants, results, as_json):
    if as_json:
        for mutant in mutants:
            known = {key: value for key, value in results.get(mutant.name, {}).items() if key != "key"}
            state = "outOfDate" if mutant.outdated else "unseen" if not known else "found" if known["seed"] else "survived"
            print(json.dumps({"name": mutant.name, "breaks": mutant.breaks, "state": state, "why": mutant.outdated or mutant.unseen, **known}))
        return
    rows = [["mutant", "found at seed", "invariant", "seconds"]]
    rows += [row(mutant, results.get(mutant.name)) for mutant in mutants]
    widths = [max(len(line[column]) for line in rows) for column in range(4)]
    for line in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip())
    found = sum(1 for result in results.values() if result["seed"])
    unseen = sum(1 for mutant in mutants if mutant.unseen)
    print(f"{found} of {len(mutants) - unseen} planted bugs found" + (f"; {unseen} are for scenarios only" if unseen else ""))


def arguments(words):
    parser = argparse.ArgumentParser(
        prog="Scripts/mutants", allow_abbrev=False,
        description="Plants bugs in a private copy of the sources and looks whether the swarm finds them. A bug is found "
        "at a seed that violates an invariant with it and none without it. Bugs are in Diagnostics/Mutants. Ends with exit "
        "code 1 when one survived or is out of date. Results are kept until the sources change, so a run that was ended "
        "goes on where it was. With --scenarios the scenarios of the catalogue are played instead: each bug must turn those "
        "red that its table lists, and every scenario must be turned red by some bug. With --tests the whole package is "
        "copied, and the tests that a bug names must fail with it and pass without it.",
        epilog="example: Scripts/mutants stamp-ignores-what-it-saw --seeds 200")
    parser.add_argument("names", nargs="*", metavar="NAME", help="which bugs (default all)")
    parser.add_argument("--seeds", type=int, default=2_000, metavar="N", help="how many seeds a bug may take (default 2000)")
    parser.add_argument(
        "--app", metavar="NAME", nargs=1, default=[], choices=["NannyAndMe", "Items", "SwissCoin", "DietLog", "records"],
        help="play stories of that app alone, and hunt the bugs for tests too that lie in what the stories play")
    parser.add_argument("--jobs", type=int, default=2, metavar="J", help="processes that play at once (default 2)")
    parser.add_argument("--scenarios", action="store_true", help="play the scenarios that the bugs list, not the swarm")
    parser.add_argument(
        "--stories", action="store_true",
        help="make the story of each bug that was found short, write it as a scenario and play that: it must fail the same way")
    parser.add_argument("--all-scenarios", action="store_true", help="play every scenario under every bug")
    parser.add_argument("--tests", action="store_true", help="run the tests that bugs name, for bugs that no simulation sees")
    parser.add_argument(
        "--check", action="store_true", help="only look whether all bugs fit the sources and compile, with the modules of a debug build")
    parser.add_argument("--list", action="store_true", help="say which bugs there are and whether they fit the sources")
    parser.add_argument("--json", action="store_true", help="one object a line")
    parser.add_argument("--again", action="store_true", help="forget the results of earlier runs")
    options = parser.parse_args(words)
    if options.seeds < 1 or options.jobs < 1:
        parser.error("--seeds and --jobs take a number from 1 on")
    return options


def main(root, words):
    options = arguments(words)
    mutants = read_mutants(os.path.join(root, "Diagnostics", "Mutants"))
    if options.app:
        for mutant in mutants:
            mutant.free_for_stories()
    unknown = [name for name in options.names if name not in [mutant.name for mutant in mutants]]
    if unknown:
        say(f"there is no mutant {unknown[0]}; Scripts/mutants --list names all")
        return 2
    sources, clean = planted_sources(root, mutants)
    tested = mutants_of_tests.planted_sources(root, mutants)
    chosen = [mutant for mutant in mutants if not options.names or mutant.name in options.names]
    if options.check:
        return mutants_check.prove(root, chosen)
    if options.list:
        for mutant in chosen:
            print(f"{mutant.name}: {mutant.breaks}" + (f" — OUT OF DATE: {mutant.outdated}" if mutant.outdated else ""))
        return 1 if any(mutant.outdated for mutant in chosen) else 0
    if options.tests:
        return mutants_of_tests.prove(root, tested, [mutant for mutant in chosen if mutant.is_for_tests], options.json)
    mutants = [mutant for mutant in mutants if not mutant.is_for_tests]
    chosen = [mutant for mutant in chosen if not mutant.is_for_tests]
    folder = os.path.join(root, ".build", "mutants")
    write_copy(folder, sources, manifest())
    build(folder, "all planted bugs (release)", "-c", "release", "--product", "Player")
    program = os.path.join(folder, ".build", "release", "Player")
    if options.scenarios or options.all_scenarios:
        return prove_scenarios(root, program, mutants, chosen, options.all_scenarios, options.json)
    hunt = Hunt(program, os.path.join(folder, f"results{''.join(options.app)}.json"), clean, options)
    results = {}
    for mutant in chosen:
        if mutant.outdated:
            say("  ".join(row(mutant, None)))
            continue
        if mutant.unseen and mutant.name not in options.names:
            continue
        results[mutant.name] = hunt.hunt(mutant)
        say("  ".join(row(mutant, results[mutant.name])))
    tell(chosen, results, options.json)
    if options.stories and not retell_all(program, chosen, results, options.app, options.json):
        return 1
    return 0 if all(mutant.unseen or results.get(mutant.name, {}).get("seed") for mutant in chosen) else 1


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1], sys.argv[2:]))
    except PlantingError as error:
        say(str(error))
        sys.exit(3)
