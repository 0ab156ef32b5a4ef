"""The command table of `temporal-recall`."""

from __future__ import annotations

import typer

from temporal_recall.service.cli import ask, dag, evaluating, imports, index, lists, recap, serving, understand
from temporal_recall.service.cli.errors import OneLineErrors

app = typer.Typer(
    name="temporal-recall",
    cls=OneLineErrors,
    invoke_without_command=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def _help_by_default(context: typer.Context) -> None:
    """What happened in a time range, told from a person's own sources, with evidence and without an LLM."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


app.command()(ask.demo)
app.command()(ask.query)
app.command()(understand.plan)
app.command()(understand.parse)
app.command()(lists.timeline)
app.command()(lists.sources)
app.command("import")(imports.import_)
app.command()(recap.recap)
app.add_typer(index.index, name="index")
app.command("eval")(evaluating.evaluate)
app.command()(evaluating.tune)
app.command()(dag.dag)
app.command()(serving.serve)
app.command()(serving.mcp)


def main() -> None:
    """Runs the command line; the entry point of the script `temporal-recall`."""
    app()
