"""A question as the planner's rules see it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from temporal_recall.dataflows.language.planner_cues import QuestionCues

Direction = Literal["past", "present", "future", "none"]
"""Where the scoping range lies: wholly before now, around it, wholly ahead, or nowhere stated."""

TELLING = ("say_verb", "write_verb", "promise_verb", "told_assistant")
"""Families of words by which something was said."""

KEEPING = ("decide_verb", "create_verb")
"""Families of words by which something was settled or put on record."""

STILL_TO_COME = re.compile(r"还(?P<verb>[\u4e00-\u9fff])不(?:(?P=verb)|\s*[?。]?$)|还[\u4e00-\u9fff]{1,3}吗")
"""Asks whether a plan stands: 「还去不去」, 「球还打不」."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question as the rules see it.

    `rest` is its plain text with the times blanked, `where` where its range lies as seen from now, `topics` its
    content words and `people` those whom it names; `has_told_range` says that a second range tells when what was told
    or planned is to be.
    """

    cues: QuestionCues
    rest: str
    where: Direction
    topics: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    has_told_range: bool = False

    def has(self, *families: str) -> bool:
        """Whether any of the families of words is found."""
        return self.cues.has(*families)
