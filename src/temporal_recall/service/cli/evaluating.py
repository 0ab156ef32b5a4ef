"""`eval` and `tune`: how good the answers are on labelled questions, and weights that make them better."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Group
from rich.table import Table
from rich.text import Text

from temporal_recall.service.cli.console import progress_bar, screen, write_json
from temporal_recall.service.cli.options import Config, Executor, Json, Scheduler, Workers

if TYPE_CHECKING:
    import pandas as pd

    from temporal_recall.schemas.evaluation import LabelledPersona
    from temporal_recall.service.evaluating import EvaluationReport
    from temporal_recall.service.tuning import TuningResult

Personas = Annotated[
    list[Path] | None,
    typer.Option("--persona", help="Folder with items.jsonl, queries.jsonl, gold_duplicates.jsonl; may be repeated."),
]


def evaluate(
    records: Annotated[Path | None, typer.Option("--records", help="Records file of one person.")] = None,
    queries: Annotated[Path | None, typer.Option("--queries", help="Labelled questions about those records.")] = None,
    duplicates: Annotated[Path | None, typer.Option("--duplicates", help="Labelled duplicates among them.")] = None,
    persona: Personas = None,
    config: Config = None,
    executor: Executor = "local",
    workers: Workers = 2,
    scheduler: Scheduler = None,
    out: Annotated[Path | None, typer.Option("--out", help="JSON file to write the report to.")] = None,
    against: Annotated[Path | None, typer.Option("--against", help="An earlier report: say what changed.")] = None,
    as_json: Json = False,
) -> None:
    """Measure the answers to labelled questions: a table with intervals, and what changed since an earlier run."""
    from temporal_recall.service import evaluating
    from temporal_recall.service.executors import executor_of

    people = _people(persona, records, queries, duplicates)
    with progress_bar("people") as told, executor_of(executor, address=scheduler, workers=workers) as runs:
        report = evaluating.evaluate(people, executor=runs, progress=told, **_settings(config))
    if out is not None:
        out.write_text(report.to_json() + "\n", encoding="utf-8")
    if as_json:
        typer.echo(report.to_json())
    else:
        screen().print(_report_page(report))
    if against is not None and not as_json:
        screen().print(_changes_page(*evaluating.compare(report, evaluating.read_report(against))))


def tune(
    persona: Personas = None,
    config: Config = None,
    executor: Executor = "local",
    workers: Workers = 2,
    scheduler: Scheduler = None,
    trials: Annotated[int, typer.Option(min=2, max=100_000, help="Weights to try in all.")] = 300,
    seed: Annotated[int, typer.Option(help="Seed of the search.")] = 0,
    study: Annotated[Path | None, typer.Option("--study", help="File in which the search is kept and resumed.")] = None,
    out: Annotated[Path, typer.Option("--out", help="Weights file to write when the gain is real.")] = Path(
        "weights.json"
    ),
    as_json: Json = False,
) -> None:
    """Search better ranking weights, cross-validated by person; a gain inside the noise is refused."""
    from temporal_recall.service import tuning
    from temporal_recall.service.executors import executor_of

    people, settings = _people(persona, None, None, None), _settings(config)
    with progress_bar("tuning") as told, executor_of(executor, address=scheduler, workers=workers) as runs:
        result = tuning.tune(
            people, trials=trials, seed=seed, study_path=study, executor=runs, progress=told, **settings
        )
    if result.is_accepted:
        tuning.write_weights(result.weights, out)
    if as_json:
        write_json(_tuning_row(result, out))
    else:
        screen().print(_tuning_page(result, out))


def _people(
    folders: list[Path] | None, records: Path | None, queries: Path | None, duplicates: Path | None
) -> list[LabelledPersona]:
    from temporal_recall.adapters.labels_file import persona_of, read_persona

    people = [read_persona(folder) for folder in folders or ()]
    if (records is None) != (queries is None):
        raise typer.BadParameter("--records and --queries go together")
    if records is not None and queries is not None:
        people.append(persona_of(records, queries, duplicates))
    if not people:
        raise typer.BadParameter("give --persona FOLDER, or --records and --queries")
    return people


def _settings(config: Path | None) -> dict[str, object]:
    """What an evaluation takes of a configuration: everything but its sources."""
    from temporal_recall.service.config import read_config

    if config is None:
        return {}
    settings = read_config(config)
    return {name: getattr(settings, name) for name in ("time_zone", "windows", "dedupe", "weights", "semantic_match")}


def _report_page(report: EvaluationReport) -> Group:
    table = Table("slice", "metric", "mean", "95 % interval", "n", box=None, header_style="bold")
    shown = ""
    for row in report.metric_summary.itertuples():
        name = "" if row.slice == shown else str(row.slice)
        shown = str(row.slice)
        table.add_row(name, str(row.metric), f"{row.mean:.3f}", f"{row.low:.3f} – {row.high:.3f}", str(row.n))
    merges = ", ".join(f"{name} {value:.3f}" for name, value in report.duplicate_metrics.items())
    return Group(table, Text(f"merging of duplicates: {merges}"))


def _changes_page(by_metric: pd.DataFrame, by_question: pd.DataFrame) -> Group:
    return Group(Text("\nsince the earlier report", "bold"), _frame_table(by_metric), Text(), _frame_table(by_question))


def _frame_table(frame: pd.DataFrame) -> Table:
    rows = frame.reset_index() if frame.index.name else frame
    table = Table(*map(str, rows.columns), box=None, header_style="bold")
    for row in rows.itertuples(index=False):
        table.add_row(*(f"{v:.3f}" if isinstance(v, float) else Text(str(v)) for v in row))
    return table


def _tuning_row(result: TuningResult, out: Path) -> dict[str, object]:
    return {
        "is_accepted": result.is_accepted,
        "gain": result.gain,
        "low": result.low,
        "high": result.high,
        "p_value": result.p_value,
        "folds": result.folds.reset_index().to_dict("records"),
        "weights": result.weights,
        "weights_file": str(out) if result.is_accepted else None,
    }


def _tuning_page(result: TuningResult, out: Path) -> Group:
    verdict = f"written to {out}" if result.is_accepted else "refused: the gain may be chance; nothing was written"
    gain = f"held-out gain {result.gain:+.4f} ({result.low:+.4f} – {result.high:+.4f}), p = {result.p_value:.3f}"
    return Group(_frame_table(result.folds), Text(f"{gain}: {verdict}"))
