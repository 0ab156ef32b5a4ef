"""The labelled personas are sound, and broad enough to measure with."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace

import pytest
from check_personas import FOLDERS, Persona, problems, read_persona

NAMES = {folder.name for folder in FOLDERS}


@pytest.fixture(scope="module", params=FOLDERS, ids=lambda folder: folder.name)
def persona(request: pytest.FixtureRequest) -> Persona:
    return read_persona(request.param)


def test_no_labelled_life_got_lost() -> None:
    assert {
        "bakery_changsha",
        "designer_guangzhou",
        "editor_beijing",
        "engineer_shenzhen",
        "facilities_hangzhou",
        "grad_singapore",
        "lawyer_chongqing",
        "lecturer_nanjing",
        "nurse_xian",
        "retired_shenyang",
        "sales_wuhan",
        "teacher_chengdu",
        "trader_ningbo",
    } <= NAMES


def test_records_labels_and_questions_agree(persona: Persona) -> None:
    assert problems(persona) == []


def test_a_persona_is_broad_enough_to_measure_with(persona: Persona) -> None:
    """Enough of everything: records, questions, empty answers, questions without a time, both kinds of duplicates."""
    kinds = {row.get("link", row["kind"]) for row in persona.duplicates}
    assert len(persona.items) >= 150
    assert len(persona.queries) >= 40
    assert sum(not query["relevant"] for query in persona.queries) >= 3
    assert sum(query["time_range"] is None for query in persona.queries) >= 3
    assert all(query["must_not"] for query in persona.queries)
    assert kinds == {"merge", "thread", "hard_negative"}
    assert len(persona.non_events) >= 10


def test_the_check_sees_a_record_from_after_the_question(persona: Persona) -> None:
    """A check that cannot fail is none: a record of the last day put into the first question is found."""
    queries = deepcopy(persona.queries)
    last = list(persona.items)[-1]
    first = min(queries, key=lambda query: str(query["now"]))
    first["relevant"][last] = 1
    assert f"{first['qid']}: {last} is later than now" in problems(replace(persona, queries=queries))
