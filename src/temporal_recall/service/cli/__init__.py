"""Command line `temporal-recall`: one module a group of commands; each loads what it needs when it runs."""

from temporal_recall.service.cli.app import app, main

__all__ = ["app", "main"]
