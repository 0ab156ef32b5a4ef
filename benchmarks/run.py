"""The whole suite by one command: each benchmark in a process of its own, its JSON kept, and the table of README.md.

    python benchmarks/run.py [--only NAME …] [--out results.json]

Figures of an earlier run that are not measured now stay in the table, with their own date and load.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent
RESULTS, README = FOLDER / "results.json", FOLDER / "README.md"
BEGIN, END = "<!-- figures: python benchmarks/run.py -->", "<!-- end of figures -->"

BREAKDOWNS = {"slowest_nodes_ms", "us_a_record"}
"""Figures that are long and stand in the JSON alone."""

SUITE: dict[str, tuple[str, ...]] = {
    "parser": ("parser.py", "--json"),
    "planner": ("planner.py", "--json"),
    "flow cost": ("flow_cost.py",),
    "extraction": ("extraction.py",),
    "ranking": ("ranking.py", "--json"),
    "ablation": ("ablation.py", "--json"),
    "recall": ("recall.py",),
    "index": ("index.py", "--postgres"),
    "sync": ("sync.py",),
    "backfill": ("backfill.py",),
    "import": ("import.py", "--records", "200000"),
    "recap": ("recap.py", "--days", "30", "--json"),
    "service load": ("service.py", "load"),
    "service overhead": ("service.py", "overhead"),
    "service leak": ("service.py", "leak"),
    "service malformed": ("service.py", "malformed"),
}
"""What is measured, and how it is called; each prints one JSON object last."""


def main() -> None:
    """Runs the chosen benchmarks and writes results and table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="+", choices=list(SUITE), default=list(SUITE))
    parser.add_argument("--out", type=Path, default=RESULTS)
    chosen = parser.parse_args()
    results = json.loads(chosen.out.read_text(encoding="utf-8")) if chosen.out.exists() else {}
    for name in chosen.only:
        print(f"{name} …", file=sys.stderr)
        results[name] = measured(SUITE[name])
        chosen.out.write_text(json.dumps(results, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    write_table(results)


def measured(words: tuple[str, ...]) -> dict[str, Any]:
    """The figures of one benchmark, with where and when it ran; `error` where it gave none."""
    sys.path.insert(0, str(FOLDER))
    from harness import surroundings

    where = surroundings()
    done = subprocess.run([sys.executable, FOLDER / words[0], *words[1:]], capture_output=True, text=True, check=False)
    try:
        figures: dict[str, Any] = json.loads(done.stdout[done.stdout.index("{") :])
    except ValueError:
        return {"error": (done.stderr.strip().splitlines() or ["no output"])[-1], "surroundings": where}
    return {**figures, "surroundings": where}


def write_table(results: dict[str, dict[str, Any]]) -> None:
    """Writes the figures between the two marks of README.md."""
    before, _, rest = README.read_text(encoding="utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    README.write_text(f"{before}{BEGIN}\n{table(results)}\n{END}{after}", encoding="utf-8")


def table(results: dict[str, dict[str, Any]]) -> str:
    """One row a figure, by benchmark; the date and the load a core at its start stand beside the first."""
    lines = ["| benchmark | figure | value | date, load a core |", "|---|---|---|---|"]
    for name in SUITE:
        figures = dict(results.get(name, {}))
        where = figures.pop("surroundings", {})
        when = f"{where.get('date')}, {where.get('load_per_core')}"
        for number, (figure, value) in enumerate(_flat(figures)):
            first = (name, when) if number == 0 else ("", "")
            lines.append(f"| {first[0]} | {figure} | {value} | {first[1]} |")
    return "\n".join([_machine(results), "", *lines])


def _machine(results: dict[str, dict[str, Any]]) -> str:
    where = next((r["surroundings"] for r in results.values() if "surroundings" in r), {})
    versions = ", ".join(f"{name} {version}" for name, version in where.get("versions", {}).items())
    return f"{where.get('machine')}; Python {where.get('python')}; {versions}."


def _flat(figures: dict[str, Any], path: str = "") -> list[tuple[str, Any]]:
    """Nested figures as `a, b: value`, best and median in one cell."""
    rows: list[tuple[str, Any]] = []
    for name, value in figures.items():
        here = f"{path}, {name}" if path else name
        if isinstance(value, dict) and value.keys() == {"best", "median"}:
            rows.append((here, f"{value['best']} best, {value['median']} median"))
        elif isinstance(value, dict) and name not in BREAKDOWNS:
            rows += _flat(value, here)
        elif not isinstance(value, dict):
            rows.append((here, f"{value:,}" if isinstance(value, int) and value >= 10_000 else value))
    return rows


if __name__ == "__main__":
    main()
