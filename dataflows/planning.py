"""From the words of a question to its Context Plan: which context it needs, and all that recall must know of it.

The plan is made by named rules alone (Level 1). What a semantic planner adds comes in as `semantic_hints`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Literal, TypeVar

from temporal_recall.dataflows.language.planner_cues import QuestionCues, question_cues
from temporal_recall.dataflows.language.planner_mode import ModeRule, TenseRule, mode_rule_of
from temporal_recall.dataflows.language.planner_need import NeedRule, need_rule_of
from temporal_recall.dataflows.language.planner_people import people_named
from temporal_recall.dataflows.language.planner_question import Question
from temporal_recall.dataflows.language.planner_scope import ScopedRange, TimeRoles, direction_of
from temporal_recall.dataflows.language.planner_shape import question_filters, question_operation, question_output
from temporal_recall.dataflows.language.planner_sources import (
    expansions_of,
    strong_sources,
    weights_of_sources,
    weights_of_targets,
)
from temporal_recall.dataflows.language.planner_text import blanked
from temporal_recall.dataflows.language.planner_topics import MAX_TOPICS, question_topics
from temporal_recall.schemas.hints import SemanticHints
from temporal_recall.schemas.plan import (
    ContextNeeds,
    ContextPlan,
    Filters,
    Output,
    PlanTime,
    QueryType,
    Retrieval,
    Target,
    TargetType,
    TemporalMode,
)
from temporal_recall.schemas.settings import SourceSettings
from temporal_recall.schemas.time import TimeExpression
from temporal_recall.schemas.user import UserSnapshot

NEEDS_BY_QUERY_TYPE: dict[QueryType, ContextNeeds] = {
    "chat": ContextNeeds(user_snapshot="REQUIRED", temporal_recall="SKIP", memory_retrieval="SKIP"),
    "personal_temporal_recall": ContextNeeds(temporal_recall="REQUIRED", memory_retrieval="OPTIONAL"),
    "memory": ContextNeeds(temporal_recall="OPTIONAL", memory_retrieval="REQUIRED"),
    "mixed": ContextNeeds(temporal_recall="REQUIRED", memory_retrieval="REQUIRED"),
}
"""RFC table 2.1."""

Name = TypeVar("Name", str, TargetType)
Operation = Literal["retrieve", "retrieve_and_summarize"]


def query_signals(query_text: str) -> QuestionCues:
    """The words of the question that show what it asks for, by family, and the trap it falls into, if any."""
    return question_cues(query_text)


def question(
    query_signals: QuestionCues,
    time_scope: ScopedRange | None,
    time_expressions: list[TimeExpression],
    expression_roles: TimeRoles,
    plan_topics: tuple[str, ...],
    plan_people: tuple[str, ...],
    now: datetime,
) -> Question:
    """The question as the rules see it: its cues, subjects and people, and where its ranges lie as seen from now."""
    rest = blanked(query_signals.plain, _spans(time_expressions))
    has_told_range = expression_roles.told is not None
    return Question(query_signals, rest, direction_of(time_scope, now), plan_topics, plan_people, has_told_range)


def need_rule(question: Question) -> NeedRule:
    """The rule that says which kind of question this is: chat, recall of a time, memory of a decision, or both."""
    return need_rule_of(question)


def context_needs(need_rule: NeedRule) -> ContextNeeds:
    """Which capabilities the assistant should use (RFC table 2.1)."""
    return NEEDS_BY_QUERY_TYPE[need_rule.query_type]


def mode_rule(question: Question) -> ModeRule:
    """The rule that says what the question's range bounds."""
    return mode_rule_of(question)


def temporal_mode(mode_rule: ModeRule) -> TemporalMode:
    """What the question's range bounds: the doing, the telling, the deciding, the plan or the deadline."""
    return mode_rule.mode


def plan_time(temporal_mode: TemporalMode, time_scope: ScopedRange | None, told_scope: ScopedRange | None) -> PlanTime:
    """The question's ranges on the axes of its mode: observed, event, or both; all null where it names no time.

    A deadline that also says when it was promised fills both.
    """
    is_told = temporal_mode in ("MENTIONED_IN", "CREATED_IN") or (temporal_mode == "DUE_IN" and told_scope is not None)
    mention = time_scope if is_told or temporal_mode == "AMBIGUOUS" else None
    event = told_scope if is_told else time_scope
    return PlanTime(
        mention_range=mention.core if mention else None,
        mention_wide=mention.wide if mention else None,
        event_range=event.core if event else None,
        event_wide=event.wide if event else None,
        excluded=time_scope.excluded if time_scope else (),
    )


def target_weights(
    query_signals: QuestionCues, temporal_mode: TemporalMode, need_rule: NeedRule
) -> dict[TargetType, float]:
    """How much each kind of item is looked for, heaviest first."""
    return weights_of_targets(query_signals, temporal_mode, need_rule.query_type)


def source_weights(
    query_signals: QuestionCues, temporal_mode: TemporalMode, need_rule: NeedRule, source_settings: SourceSettings
) -> dict[str, float]:
    """How much each enabled source is trusted to know, heaviest first. Strong words weigh; every source is asked."""
    enabled = [setting.name for setting in source_settings.sources]
    is_told_assistant = temporal_mode == "MENTIONED_IN" and query_signals.has("told_assistant")
    return weights_of_sources(
        enabled, strong_sources(query_signals), temporal_mode, need_rule.query_type, is_told_assistant=is_told_assistant
    )


def plan_people(
    query_signals: QuestionCues, time_expressions: list[TimeExpression], user_snapshot: UserSnapshot | None = None
) -> tuple[str, ...]:
    """The people the question names, in its order; those of the user's snapshot are known by name."""
    known = user_snapshot.people if user_snapshot else ()
    return people_named(blanked(query_signals.text, _spans(time_expressions)), known)


def plan_topics(
    query_signals: QuestionCues,
    time_expressions: list[TimeExpression],
    plan_people: tuple[str, ...],
    user_snapshot: UserSnapshot | None = None,
) -> tuple[str, ...]:
    """What the question is about: projects of the user that it names, quoted spans, then its other content words."""
    projects = user_snapshot.active_projects if user_snapshot else ()
    named = [project for project in projects if project.lower() in query_signals.text.lower()]
    elsewhere = [*_spans(time_expressions), *_places(query_signals.text, plan_people)]
    words = question_topics(query_signals, elsewhere)
    return tuple(dict.fromkeys((*named, *words)))[:MAX_TOPICS]


def _spans(expressions: list[TimeExpression]) -> list[tuple[int, int]]:
    return [expression.span for expression in expressions]


def _places(text: str, names: tuple[str, ...]) -> list[tuple[int, int]]:
    return [m.span() for name in names for m in re.finditer(re.escape(name), text)]


def expanded_queries(
    source_weights: dict[str, float],
    temporal_mode: TemporalMode,
    plan_topics: tuple[str, ...],
    plan_people: tuple[str, ...],
) -> dict[str, tuple[str, ...]]:
    """What each source is searched for (RFC section 8): topics, people, and words that its records use."""
    subjects = (*plan_topics, *plan_people)
    return {name: expansions_of(name, temporal_mode, subjects) for name in source_weights}


def result_filters(query_signals: QuestionCues) -> Filters:
    """The hard conditions that the question sets: importance and status."""
    return question_filters(query_signals)


def plan_operation(query_signals: QuestionCues, temporal_mode: TemporalMode) -> Operation:
    """Whether the items are to be listed or told in summary."""
    return question_operation(query_signals, temporal_mode)


def output_shape(query_signals: QuestionCues) -> Output:
    """The shape of the answer: how it is grouped."""
    return question_output(query_signals)


def rule_plan(
    need_rule: NeedRule,
    context_needs: ContextNeeds,
    plan_time: PlanTime,
    time_zone: str,
    temporal_mode: TemporalMode,
    target_weights: dict[TargetType, float],
    source_weights: dict[str, float],
    expanded_queries: dict[str, tuple[str, ...]],
    result_filters: Filters,
    output_shape: Output,
    plan_operation: Operation,
    plan_topics: tuple[str, ...],
    plan_people: tuple[str, ...],
) -> ContextPlan:
    """The plan as the rules alone make it; where no recall is needed it says SKIP and asks no source."""
    if context_needs.temporal_recall == "SKIP":
        return ContextPlan(query_type=need_rule.query_type, time_zone=time_zone, context_needs=context_needs)
    return ContextPlan(
        query_type=need_rule.query_type,
        time=plan_time,
        time_zone=time_zone,
        temporal_mode=temporal_mode,
        targets=tuple(Target(type=kind, weight=weight) for kind, weight in target_weights.items()),
        sources=source_weights,
        retrievals=_retrievals(source_weights, expanded_queries),
        filters=result_filters,
        output=output_shape,
        context_needs=context_needs,
        operation=plan_operation,
        topics=plan_topics,
        people=plan_people,
    )


def _retrievals(weights: dict[str, float], queries: dict[str, tuple[str, ...]]) -> tuple[Retrieval, ...]:
    return tuple(Retrieval(source=name, expanded_queries=queries[name], weight=w) for name, w in weights.items())


def context_plan(rule_plan: ContextPlan, semantic_hints: SemanticHints | None = None) -> ContextPlan:
    """The plan of the question: the rules' own, with what a semantic planner adds to it.

    Hints add or raise targets, source weights, search words, topics, people and filters. They never touch time, never
    take a source away, name none that is not enabled, and never turn a question that needs no recall into one.
    """
    if semantic_hints is None or rule_plan.context_needs.temporal_recall == "SKIP":
        return rule_plan
    return _with_hints(rule_plan, semantic_hints)


def _with_hints(plan: ContextPlan, hints: SemanticHints) -> ContextPlan:
    own_targets: dict[TargetType, float] = {target.type: target.weight for target in plan.targets}
    targets = _raised(own_targets, hints.targets)
    sources = _raised(plan.sources, {name: w for name, w in hints.sources.items() if name in plan.sources})
    words = (*hints.topics, *hints.people, *hints.expanded_queries)
    queries = {r.source: tuple(dict.fromkeys((*r.expanded_queries, *words)))[:64] for r in plan.retrievals}
    return plan.model_copy(
        update={
            "targets": tuple(Target(type=kind, weight=weight) for kind, weight in targets.items()),
            "sources": sources,
            "retrievals": _retrievals(sources, queries),
            "topics": tuple(dict.fromkeys((*plan.topics, *hints.topics)))[:32],
            "people": tuple(dict.fromkeys((*plan.people, *hints.people)))[:32],
            "filters": _filled(plan.filters, hints.filters),
        }
    )


def _raised(weights: Mapping[Name, float], hinted: Mapping[Name, float]) -> dict[Name, float]:
    together = {**weights, **{name: max(weight, weights.get(name, 0.0)) for name, weight in hinted.items()}}
    return dict(sorted(together.items(), key=lambda item: -item[1]))


def _filled(own: Filters, hinted: Filters) -> Filters:
    importance_min = hinted.importance_min if own.importance_min is None else own.importance_min
    return Filters(importance_min=importance_min, status=own.status or hinted.status)


def plan_trace(
    need_rule: NeedRule,
    mode_rule: ModeRule,
    tense_rule: TenseRule,
    query_signals: QuestionCues,
    time_expressions: list[TimeExpression],
    expression_roles: TimeRoles,
    semantic_rules: list[str] | None = None,
) -> dict[str, tuple[str, ...]]:
    """The names of the rules that fired, by slot of the plan.

    Args:
        semantic_rules: why a semantic planner was asked and how that went; a slot of its own where it was.
    """
    lead, told = expression_roles.lead, expression_roles.told
    return {
        "need": (need_rule.name,) if query_signals.trap is None else (need_rule.name, query_signals.trap),
        "mode": (mode_rule.name,),
        "tense": (tense_rule.name,),
        "words": tuple(query_signals.spans_by_family),
        "sources": tuple(strong_sources(query_signals)),
        "time": tuple(f"{e.text}: {' '.join(e.rules)}" for e in time_expressions),
        "scope": tuple(e.text for e in (lead, told) if e is not None),
        **({"semantic": tuple(semantic_rules)} if semantic_rules else {}),
    }
