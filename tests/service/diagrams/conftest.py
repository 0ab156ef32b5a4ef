"""A small flow to draw: two modules, one source lane, an input that need not be there, a shortcut."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest

from temporal_recall.service.catalog import Flow
from temporal_recall.service.diagrams.graph import Diagram, flow_diagram

READ = '''
from hamilton.function_modifiers import tag

@tag(lane="true")
def letters_evidence(letters_adapter: list[str], now: str) -> list[str]:
    """The letters that were read.

    Args:
        now: not told in the picture.
    """
    return [*letters_adapter, now]
'''

WRITE = '''
def words(letters_evidence: list[str], now: str, spelling: dict[str, int] | None = None) -> list[str]:
    """Words made of letters."""
    return letters_evidence

def answer(words: list[str], letters_evidence: list[str], now: str) -> str | None:
    """The answer."""
    return now
'''


def _module(name: str, source: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    module = ModuleType(name)
    monkeypatch.setitem(sys.modules, name, module)
    exec(source, module.__dict__)
    return module


@pytest.fixture
def flow(monkeypatch: pytest.MonkeyPatch) -> Flow:
    modules = (_module("letters.read", READ, monkeypatch), _module("letters.write", WRITE, monkeypatch))
    return Flow(name="letters", meaning="From letters to an answer.", modules=modules, outputs=("answer",))


@pytest.fixture
def diagram(flow: Flow) -> Diagram:
    return flow_diagram(flow)
