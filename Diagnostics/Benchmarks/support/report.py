"""Figures with their spread, as an aligned table or as JSON lines."""

import datetime
import json
import os
import statistics
import sys


def progress(text):
    """Progress goes to standard error, so that standard output holds the figures and nothing else."""
    print(text, file=sys.stderr, flush=True)


def shown(value):
    """Three digits are what a measurement on a shared machine can carry."""
    size = abs(value)
    return f"{value:,.0f}" if size >= 100 else f"{value:.1f}" if size >= 10 else f"{value:.2f}"


class Report:
    """The figures of one benchmark. `command` is the line that repeats it."""

    def __init__(self, name, as_json):
        self.name, self.as_json, self.rows, self.attached = name, as_json, [], []
        self.command = f"Scripts/bench {name}"

    def add(self, what, samples, unit, goal=None, least=None):
        """One row. `goal` is the median that is hoped for at most, `least` the one that is hoped for at least. To miss it is
        shown, and is no failure: machines differ."""
        ordered = sorted(samples)
        self.rows.append({
            "benchmark": self.name, "what": what, "unit": unit, "rounds": len(ordered), "min": ordered[0],
            "median": statistics.median(ordered), "p90": ordered[min(len(ordered) - 1, len(ordered) * 9 // 10)],
            "max": ordered[-1], "goal": goal, "least": least, "command": self.command,
        })

    def skip(self, what, reason):
        """A row that could not be measured here, and why."""
        self.rows.append({"benchmark": self.name, "what": what, "skipped": reason, "command": self.command})

    def attach(self, title, table, figures):
        """Another program's table, and the JSON file that holds every figure of it as a list of objects."""
        with open(figures, encoding="utf-8") as file:
            self.attached.append((title, table.rstrip(), json.load(file)))

    def print(self):
        """All rows, on standard output."""
        if self.as_json:
            for row in self.rows:
                print(json.dumps(row, sort_keys=True), flush=True)
            for title, _, figures in self.attached:
                row = {"benchmark": self.name, "what": title, "figures": figures, "command": self.command}
                print(json.dumps(row, sort_keys=True), flush=True)
            return
        print(f"{self.name}, {datetime.date.today()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
        lines = [["what", "unit", "rounds", "min", "median", "p90", "max", "goal"]]
        lines += [self.cells(row) for row in self.rows if "skipped" not in row]
        if len(lines) > 1:
            widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
            lines.insert(1, ["-" * width for width in widths])
            for line in lines:
                print("| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths)) + " |")
        for row in self.rows:
            if "skipped" in row:
                print(f"{row['what']}: skipped: {row['skipped']}")
        for title, table, _ in self.attached:
            print(f"{title}:\n{table}")
        print(f"again: {self.command}\n", flush=True)

    def cells(self, row):
        goal = ""
        if row["goal"] is not None:
            goal = f"{row['goal']} at most: {'met' if row['median'] <= row['goal'] else 'missed'}"
        elif row["least"] is not None:
            goal = f"{row['least']} at least: {'met' if row['median'] >= row['least'] else 'missed'}"
        figures = [shown(row[key]) for key in ("min", "median", "p90", "max")]
        return [row["what"], row["unit"], str(row["rounds"]), *figures, goal]
