"""All rules in the order in which the scanner tries them."""

from __future__ import annotations

from temporal_recall.dataflows.zh_time import (
    rules_calendar,
    rules_clock,
    rules_english,
    rules_feast,
    rules_glue,
    rules_length,
    rules_lookalike,
    rules_numeric,
    rules_relative,
    rules_vague,
    rules_zone,
)
from temporal_recall.dataflows.zh_time.hints import starts
from temporal_recall.dataflows.zh_time.lexer import Rule, Scanner

RULES: tuple[Rule, ...] = (
    *rules_lookalike.RULES,
    *rules_numeric.RULES,
    *rules_vague.RULES,
    *rules_glue.EVERY_RULES,
    *rules_feast.RULES,
    *rules_relative.RULES,
    *rules_length.REACH_RULES,
    *rules_clock.RANGE_RULES,
    *rules_calendar.RULES,
    *rules_length.RULES,
    *rules_clock.RULES,
    *rules_zone.RULES,
    *rules_english.RULES,
    *rules_glue.RULES,
)
"""Every rule. An earlier rule wins where two match at one place."""

SCANNER = Scanner(RULES, starts)
