"""From evidence to the timeline: what each record tells, read from its words alone.

An event that a source itself states (a calendar) is taken as it stands. Of all other records the user's own words are
read: clause by clause their cues, the tense, the times named, the act told; then, of each record, the act that leads
and the time that belongs to it. What an assistant said, a search, a document or code stays a `mention`. Nothing here
knows `now` or the question: what is written depends on the record alone.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import numpy as np
import pandas as pd

from temporal_recall.dataflows import zh_time
from temporal_recall.dataflows.columns import (
    Flags,
    flags,
    in_time_order,
    instants,
    is_one_of,
    matches,
    replaced,
    texts,
)
from temporal_recall.dataflows.intervals import interval_texts
from temporal_recall.dataflows.language import (
    extraction_acts,
    extraction_clauses,
    extraction_cues,
    extraction_importance,
    extraction_times,
    extraction_voices,
)
from temporal_recall.dataflows.language.extraction_dialect import in_standard_words
from temporal_recall.dataflows.language.extraction_people import people_in
from temporal_recall.dataflows.language.extraction_places import place_in
from temporal_recall.dataflows.language.extraction_script import in_simplified
from temporal_recall.dataflows.language.extraction_times import Told
from temporal_recall.dataflows.language.extraction_titles import MOVED_ENTRY, title_of, without_spans
from temporal_recall.dataflows.runs import run_starts
from temporal_recall.schemas.columns import Coded, Columns, told
from temporal_recall.schemas.frames import WHOLE_TIMELINE
from temporal_recall.schemas.time import zone_of

EXTRACTOR_VERSION = "7"
"""Goes up with every change of what is written; an index built with another version is stale."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_NO_INSTANT = np.iinfo("int64").min
"""What numpy reads as "not a time"."""
_MICROSECOND = timedelta(microseconds=1)
_FORESEEABLE = np.timedelta64(300, "D")
"""A date without a year that lies further ahead is the last one, not the next (五一回来第一天)."""
_LONGEST_DAY = np.timedelta64(25, "h")
_EVENING = np.timedelta64(4, "h")
"""How long before its end a day is looked back upon."""
_READ_VOICES = ("own", "memory")


def voice(evidence: pd.DataFrame) -> pd.Series:
    """Whose words each record holds: source, assistant, other, search, document, code, address, memory or own."""
    return extraction_voices.voices(evidence)


def simplified_text(evidence: pd.DataFrame) -> pd.Series:
    """The text of each record in simplified characters, each as long as it was."""
    return in_simplified(evidence["text"])


def spoken_text(simplified_text: pd.Series, voice: pd.Series) -> pd.Series:
    """The words to read of each record, simplified, dialect in standard words, quotations blanked; else empty.

    Each is as long as the record's text, or as the part of it that is read.
    """
    text = replaced(simplified_text, ~is_one_of(voice, *_READ_VOICES), "")
    return extraction_clauses.spoken_text(in_standard_words(text))


def clauses(spoken_text: pd.Series) -> pd.DataFrame:
    """The clauses of the words, one row a clause in order.

    Columns: `record` (position in `evidence`), `start` (offset in the text), `text`, `heads` (a colon stands after it).
    No words give an empty frame.
    """
    return extraction_clauses.clauses(spoken_text)


def clause_bounds(evidence: pd.DataFrame, clauses: pd.DataFrame) -> np.ndarray:
    """Where each record's clauses begin in `clauses`, and after the last record their number: int64, one more than
    there are records."""
    return np.searchsorted(clauses["record"].to_numpy(), np.arange(len(evidence) + 1))


def clause_cues(evidence: pd.DataFrame, clauses: pd.DataFrame) -> pd.DataFrame:
    """Which cues stand in each clause: one bool column a cue of `extraction_cues.CUES`, rows as in `clauses`.

    What one asks of someone in a dialogue with an assistant is asked of the assistant.
    """
    cues = extraction_cues.clause_cues(clauses)
    to_assistant = evidence["role"].eq("user").to_numpy()[clauses["record"].to_numpy()]
    return cues.assign(asks_machine=cues["asks_machine"] | (cues["calls_on_other"] & to_assistant))


def clause_tenses(clauses: pd.DataFrame, clause_cues: pd.DataFrame, voice: pd.Series) -> pd.Series:
    """The tense of each clause, `past` or `plan`, rows as in `clauses`."""
    is_memory = voice.eq("memory").to_numpy()[clauses["record"].to_numpy()]
    return extraction_acts.clause_tenses(clause_cues, clauses["record"], is_memory)


def observed_here(evidence: pd.DataFrame) -> pd.Series:
    """The local time at which each record was observed: a `datetime` in the record's zone, index of `evidence`."""
    moments = pd.DatetimeIndex(evidence["observed_time"]).to_pydatetime().tolist()
    zones = evidence["time_zone"].tolist()
    here = [moment.astimezone(zone_of(zone)) for moment, zone in zip(moments, zones, strict=True)]
    return pd.Series(here, index=evidence.index, dtype=object)


def time_words(spoken_text: pd.Series) -> pd.Series:
    """What the words of each record say of time, whenever they were said: `TimeWords`, index of `spoken_text`."""
    words = [zh_time.time_words(text) for text in spoken_text.tolist()]
    return pd.Series(words, index=spoken_text.index, dtype=object)


def time_mentions(
    time_words: pd.Series,
    observed_here: pd.Series,
    clauses: pd.DataFrame,
    clause_bounds: np.ndarray,
    clause_tenses: pd.Series,
) -> pd.Series:
    """The time expressions of each record: a tuple of `TimeMention` in order of place, index of `time_words`.

    Each is read from the record's own observed time, in its own zone, in the tense of its clause.
    """
    starts, tenses, bounds = clauses["start"].tolist(), clause_tenses.tolist(), clause_bounds.tolist()
    rows = zip(time_words.tolist(), observed_here.tolist(), bounds, bounds[1:], strict=False)
    found = [
        extraction_times.time_mentions(words, starts[a:b], tenses[a:b], now) if words.heard else ()
        for words, now, a, b in rows
    ]
    return pd.Series(found, index=time_words.index, dtype=object)


def clause_times(
    evidence: pd.DataFrame, clauses: pd.DataFrame, clause_bounds: np.ndarray, time_mentions: pd.Series
) -> pd.DataFrame:
    """What times each clause names, rows as in `clauses`.

    Bool columns `timed_here` (any), `ahead_here` (one after the record was observed), `behind_here` (one before),
    `hour_ahead_here` (one ahead, on a day that is named, told to the hour or part of the day).
    """
    placed = [
        (record, first + mention.clause, mention)
        for record, (first, mentions) in enumerate(zip(clause_bounds.tolist(), time_mentions.tolist(), strict=False))
        for mention in mentions
        if mention.is_placed
    ]
    record = np.array([record for record, _, _ in placed], dtype="int64")
    now = evidence["observed_time"].to_numpy("datetime64[us]")[record]
    start, end = (_instants([getattr(m, side) for _, _, m in placed]) for side in ("start", "end"))
    is_ahead = (now < start) & (start < now + _FORESEEABLE)
    marks = {
        "timed_here": np.ones(len(placed), dtype=bool),
        "ahead_here": is_ahead,
        "behind_here": end <= now,
        "hour_ahead_here": is_ahead & np.array([m.is_hour_of_day for _, _, m in placed], dtype=bool),
    }
    clause = np.array([clause for _, clause, _ in placed], dtype="int64")
    return pd.DataFrame({name: _true_at(clause[mark], len(clauses)) for name, mark in marks.items()}, clauses.index)


def _true_at(rows: np.ndarray, count: int) -> np.ndarray:
    is_true = np.zeros(count, dtype=bool)
    is_true[rows] = True
    return is_true


def clause_acts(
    clauses: pd.DataFrame, clause_cues: pd.DataFrame, clause_times: pd.DataFrame, voice: pd.Series
) -> pd.DataFrame:
    """The act of each clause: `rule`, `type`, `status` (null where there is none) and `rank`; rows as in `clauses`."""
    is_timed = clause_times["timed_here"]
    known = pd.concat([clause_cues, clause_times], axis=1).assign(
        timed=is_timed,
        coming=is_timed & ~clause_times["behind_here"],
        memory=voice.eq("memory").to_numpy()[clauses["record"].to_numpy()],
    )
    return extraction_acts.clause_acts(known, clauses["record"], clauses["heads"])


def main_acts(
    evidence: pd.DataFrame, clauses: pd.DataFrame, clause_acts: pd.DataFrame, clause_cues: pd.DataFrame
) -> pd.DataFrame:
    """The act that leads each record, index of `evidence`.

    Columns: `rule`, `type`, `status`, `clause` (row in `clauses`), `owner` (self or other), `is_doubtful`. A
    record without an act is a mention: null `rule`, clause -1.
    """
    record, rank = clauses["record"].to_numpy(), clause_acts["rank"].to_numpy()
    by_rank = np.lexsort((rank, record))
    by_rank = by_rank[rank[by_rank] < extraction_acts.NO_ACT]
    leads = by_rank[run_starts(record[by_rank])]
    main = np.full(len(evidence), -1)
    main[record[leads]] = leads
    rule, kind, status = (clause_acts[name].array.take(main, allow_fill=True) for name in ("rule", "type", "status"))
    is_others = _true_of(main, extraction_acts.is_others_plan(clause_cues, record))
    columns = {
        "rule": rule,
        "type": kind.fillna("mention"),
        "status": status.fillna("mentioned"),
        "clause": main,
        "owner": texts(Coded(is_others.astype("int8"), ("self", "other")).texts()),
        "is_doubtful": _true_of(main, clause_cues["doubt"].to_numpy()),
    }
    return pd.DataFrame(columns, evidence.index)


def _true_of(rows: np.ndarray, is_true: np.ndarray) -> np.ndarray:
    """Whether it is true of each row, none of -1."""
    return np.asarray(np.append(is_true, False)[rows])


def clause_marks(clauses: pd.DataFrame, clause_cues: pd.DataFrame) -> pd.DataFrame:
    """What each clause says of times that were told, rows as in `clauses`.

    Columns: `gives_up` (bool: the time in it holds no more), `moved_at` (int64: the offset in the message after which
    the new time of what is moved stands, -1 where nothing is).
    """
    is_moved = extraction_acts.any_of(clause_cues, "moves", "moves_by", "corrects")
    ends = np.full(len(clauses), -1)
    ends[is_moved] = clauses["start"].to_numpy()[is_moved] + [
        extraction_times.move_end(words) for words in clauses["text"][is_moved].tolist()
    ]
    gives_up = extraction_acts.any_of(clause_cues, "cancels", "undone", "denies", "declines", "waits", "rules_out")
    return pd.DataFrame({"gives_up": gives_up, "moved_at": ends}, index=clauses.index)


def told_events(
    spoken_text: pd.Series,
    observed_here: pd.Series,
    clause_bounds: np.ndarray,
    clause_marks: pd.DataFrame,
    main_acts: pd.DataFrame,
) -> pd.Series:
    """What is known of each record before the time of its event is chosen: `Told`, None for a mention."""
    gives_up, moved_at = clause_marks["gives_up"].tolist(), clause_marks["moved_at"].tolist()
    rules, kinds, statuses = (main_acts[name].tolist() for name in ("rule", "type", "status"))
    texts, observed = spoken_text.tolist(), observed_here.tolist()
    bounds, mains = clause_bounds.tolist(), main_acts["clause"].tolist()
    told: list[Told | None] = [None] * len(texts)
    for i in np.flatnonzero(main_acts["type"].ne("mention")).tolist():
        first, last = bounds[i], bounds[i + 1]
        told[i] = Told(
            text=texts[i],
            type=kinds[i],
            status=statuses[i],
            clause=mains[i] - first,
            observed=observed[i],
            moved_at=_first_mark(moved_at[first:last]) if rules[i] in extraction_acts.MOVING else None,
            given_up=frozenset(
                n for n, given_up in enumerate(gives_up[first:last]) if given_up and first + n != mains[i]
            ),
            is_now=rules[i] == "under_way",
            is_shifted=rules[i] in extraction_acts.SHIFTING,
        )
    return pd.Series(told, index=spoken_text.index, dtype=object)


def _first_mark(offsets: list[int]) -> int | None:
    return next((offset for offset in offsets if offset >= 0), None)


def event_spans(told_events: pd.Series, time_mentions: pd.Series) -> pd.DataFrame:
    """When each record's event happens, index of `evidence`.

    Columns: `event_time`, `event_end` (exclusive), `granularity`, all null where no time is known, and `other_times`:
    a tuple of the further times that the record names, as ISO 8601 intervals.
    """
    rows = zip(told_events.tolist(), time_mentions.tolist(), strict=True)
    spans = [extraction_times.event_span(told, mentions) for told, mentions in rows]
    return pd.DataFrame(
        {
            "event_time": _in_utc([span.start if span else None for span, _ in spans]),
            "event_end": _in_utc([span.end if span else None for span, _ in spans]),
            "granularity": pd.Series([span.granularity if span else None for span, _ in spans], dtype="str"),
            "other_times": pd.Series([interval_texts(others) for _, others in spans], dtype=object),
        }
    ).set_axis(told_events.index)


def _in_utc(moments: list[datetime | None]) -> pd.Series:
    return pd.Series(pd.DatetimeIndex(_instants(moments)).tz_localize("UTC"))


def _instants(moments: list[datetime | None]) -> np.ndarray:
    """Moments as `datetime64[us]` in UTC, NaT for none."""
    micros = [_NO_INSTANT if moment is None else (moment - _EPOCH) // _MICROSECOND for moment in moments]
    return np.array(micros, dtype="int64").view("datetime64[us]")


def titles(
    evidence: pd.DataFrame,
    clauses: pd.DataFrame,
    clause_bounds: np.ndarray,
    main_acts: pd.DataFrame,
    time_mentions: pd.Series,
) -> pd.Series:
    """A short name of what each record tells, times left out; a source's own title stands. Index of `evidence`."""
    starts, lengths, bounds = clauses["start"].tolist(), clauses["text"].str.len().tolist(), clause_bounds.tolist()
    read = []
    for text, main, mentions, a, b in zip(
        evidence["text"].tolist(),
        main_acts["clause"].tolist(),
        time_mentions.tolist(),
        bounds,
        bounds[1:],
        strict=False,
    ):
        spans = [(m.at, m.until) for m in mentions]
        bare = [without_spans(text[starts[c] : starts[c] + lengths[c]], starts[c], spans) for c in range(a, b)]
        read.append(title_of(bare or [text[:100]], max(main - a, 0)))
    return evidence["event_title"].fillna(pd.Series(read, index=evidence.index, dtype="str"))


def participants(evidence: pd.DataFrame, simplified_text: pd.Series) -> pd.Series:
    """The people of each record, without the user: a tuple of names; those that a source states stand as they are."""
    rows = zip(evidence["event_attendees"].tolist(), evidence["text"].tolist(), simplified_text.tolist(), strict=True)
    named = [stated or people_in(simplified[:1000], shown) for stated, shown, simplified in rows]
    return pd.Series(named, index=evidence.index, dtype=object)


def places(evidence: pd.DataFrame, spoken_text: pd.Series) -> pd.Series:
    """Where each record's event happens, null where it is not said; a source's own place stands."""
    read = pd.Series([place_in(text) for text in spoken_text.tolist()], index=evidence.index, dtype="str")
    return evidence["event_location"].fillna(read)


def statuses(evidence: pd.DataFrame, voice: pd.Series, main_acts: pd.DataFrame, event_spans: pd.DataFrame) -> pd.Series:
    """How far each record's matter is: planned, completed, cancelled, mentioned or unknown.

    A planned event whose time was past when it was told is completed; what a memory states without a time to come
    too; and so is what is told of the day itself late in its evening. A doubted plan is
    unknown.
    """
    observed, start, end = map(
        instants, (evidence["observed_time"], event_spans["event_time"], event_spans["event_end"])
    )
    end = np.where(np.isnat(end), start, end)
    is_day_told = ~is_one_of(main_acts["rule"], *extraction_acts.MOVING) & is_one_of(event_spans["granularity"], "day")
    end = np.where(is_day_told, end - _EVENING, end)
    is_past = (end < observed) | (is_one_of(voice, "memory") & (start <= observed))
    is_plan = is_one_of(main_acts["status"], "planned") & is_one_of(main_acts["type"], "event")
    is_stated = is_one_of(voice, "source")
    read = replaced(main_acts["status"], is_plan & flags(main_acts["is_doubtful"]), "unknown")
    read = replaced(replaced(read, is_plan & is_past, "completed"), is_stated, "planned")
    return replaced(read, is_stated & is_one_of(evidence["event_status"], "cancelled"), "cancelled")


def due(main_acts: pd.DataFrame, statuses: pd.Series, event_spans: pd.DataFrame) -> pd.Series:
    """Whether each record's event time is a deadline: something owed and not done; a mere reminder is none."""
    is_owed = is_one_of(main_acts["type"], "todo", "commitment") & is_one_of(statuses, "planned")
    is_deadline = ~is_one_of(main_acts["rule"], *extraction_acts.NO_DEADLINE)
    return pd.Series(is_owed & is_deadline & event_spans["event_time"].notna().to_numpy(), main_acts.index)


def timeline(
    evidence: pd.DataFrame,
    voice: pd.Series,
    main_acts: pd.DataFrame,
    event_spans: pd.DataFrame,
    statuses: pd.Series,
    due: pd.Series,
    titles: pd.Series,
    participants: pd.Series,
    places: pd.Series,
) -> pd.DataFrame:
    """What happened, is planned or was said: contract `WHOLE_TIMELINE`, one row a record.

    Sorted by `event_time` (rows without one last), then `observed_time`, then `source_ref`. Empty evidence gives an
    empty frame.
    """
    is_stated = is_one_of(voice, "source")
    types = replaced(main_acts["type"], is_stated, "event")
    granularity = _with_stated(event_spans["granularity"], evidence, is_stated)
    columns = {name: evidence[name] for name in _KEPT} | {
        "type": types,
        "event_time": np.where(is_stated, instants(evidence["event_start"]), instants(event_spans["event_time"])),
        "event_end": np.where(is_stated, instants(evidence["event_end"]), instants(event_spans["event_end"])),
        "granularity": granularity,
        "due": due,
        "status": statuses,
        "owner": main_acts["owner"],
        "title": titles,
        "content": evidence["text"],
        "participants": participants,
        "location": places,
        "importance": extraction_importance.importances(types, evidence["text"], participants, due),
        "confidence": extraction_importance.confidences(voice, evidence["outcome"], granularity),
        "is_correction": is_one_of(main_acts["rule"], *extraction_acts.MOVING)
        | (is_stated & matches(told(titles), MOVED_ENTRY)),
        "is_stated": is_stated,
        "rules": _fired_rules(voice, main_acts["rule"]),
        "extractor_version": [EXTRACTOR_VERSION] * len(evidence),
        "other_times": event_spans["other_times"],
    }
    rows = Columns.of(WHOLE_TIMELINE.frame(columns), WHOLE_TIMELINE)
    return in_time_order(rows).frame(WHOLE_TIMELINE)


_KEPT = ("source_ref", "source", "user_id", "observed_time", "time_zone", "thread_id", "role", "app")


def _with_stated(granularity: pd.Series, evidence: pd.DataFrame, is_stated: Flags) -> pd.Series:
    """A stated event is known to the minute, all-day ones to the day or, over several days, as a range."""
    is_all_day = is_stated & flags(evidence["event_is_all_day"])
    is_long = instants(evidence["event_end"]) - instants(evidence["event_start"]) > _LONGEST_DAY
    to_the_day = replaced(replaced(granularity, is_stated, "minute"), is_all_day, "day")
    return replaced(to_the_day, is_all_day & is_long, "range")


def _fired_rules(voice: pd.Series, rule: pd.Series) -> pd.Series:
    """The voice of each record and the rule of its leading act, where there is one."""
    fired = [(v, r) if isinstance(r, str) else (v,) for v, r in zip(voice.tolist(), rule.tolist(), strict=True)]
    return pd.Series(fired, index=voice.index, dtype=object)
