"""What the user confirmed about a day: facts and corrections that outrank what the lanes suggest."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from temporal_recall.dataflows.recap.privacy import safe_text
from temporal_recall.schemas.recap import RecapFact

FACTS_HEADING = "Confirmed by the user (outranks everything above):"
FACT_CHARS = 1000


def knowledge_text(facts: Sequence[RecapFact]) -> str:
    """The facts as lines of text, those with a time first; the empty string for none."""
    lines = [f"- {_time_text(fact)}{safe_text(fact.text)[:FACT_CHARS]}" for fact in _in_order(facts)]
    return "\n".join([FACTS_HEADING, *lines]) if lines else ""


def canonical_facts(facts: Iterable[RecapFact]) -> str:
    """The facts as one JSON text that does not depend on their order."""
    rows = [[fact.start, fact.end, fact.text] for fact in _in_order(facts)]
    return json.dumps(rows, ensure_ascii=False, separators=(",", ":"))


def _in_order(facts: Iterable[RecapFact]) -> list[RecapFact]:
    return sorted(facts, key=lambda fact: (fact.start or "99:99", fact.end or "", fact.text))


def _time_text(fact: RecapFact) -> str:
    if fact.start and fact.end:
        return f"{fact.start}-{fact.end} "
    return f"{fact.start} " if fact.start else ""
