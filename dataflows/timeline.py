"""From evidence to the timeline: what each record tells, read from its words alone.

A record whose source states an event (a calendar) is taken as it stands. Of all others the user's own words are read;
what an assistant said, a search, a document or code stays a `mention`. Nothing here knows `now` or the question.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import numpy as np
import pandas as pd

from temporal_recall.dataflows.language import extraction_clauses
from temporal_recall.dataflows.language.extraction_acts import MOVING, NO_ACT, tenses
from temporal_recall.dataflows.language.extraction_acts import clause_acts as _acts_of
from temporal_recall.dataflows.language.extraction_cues import clause_cues as _cues_of
from temporal_recall.dataflows.language.extraction_importance import confidences, importances
from temporal_recall.dataflows.language.extraction_people import people_in
from temporal_recall.dataflows.language.extraction_places import place_in
from temporal_recall.dataflows.language.extraction_times import (
    Told,
    event_span,
    interval_texts,
    is_placed,
    mentions_of,
    move_end,
)
from temporal_recall.dataflows.language.extraction_titles import title_of
from temporal_recall.dataflows.language.extraction_voices import voices
from temporal_recall.schemas.frames import TIMELINE, checked
from temporal_recall.schemas.time import zone_of

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)

EXTRACTOR_VERSION = "1"
"""Goes up with every change of a rule; an index built with another version is stale."""


def voice(evidence: pd.DataFrame) -> pd.Series:
    """Whose words each record holds (see `extraction_voices.voices`), index of `evidence`."""
    return voices(evidence)


def spoken_text(evidence: pd.DataFrame, voice: pd.Series) -> pd.Series:
    """The words to read of each record: the user's own, quotations blanked; empty where nothing is to be read."""
    return extraction_clauses.spoken_text(evidence["text"].where(voice.isin(["own", "memory"]), ""))


def clauses(spoken_text: pd.Series) -> pd.DataFrame:
    """One row a clause: `record` (position in `evidence`), `start` (offset in the text), `text`."""
    return extraction_clauses.clauses(spoken_text)


def clause_cues(clauses: pd.DataFrame) -> pd.DataFrame:
    """Which cues stand in each clause: one bool column a cue, rows as in `clauses`."""
    return _cues_of(clauses)


def clause_tenses(clauses: pd.DataFrame, clause_cues: pd.DataFrame, voice: pd.Series) -> pd.Series:
    """The tense of each clause, `past` or `plan`: its own words', else that of its neighbours; rows as in `clauses`."""
    is_memory = voice.eq("memory").to_numpy()[clauses["record"].to_numpy()]
    return tenses(clause_cues, clauses["record"], is_memory)


def time_mentions(
    evidence: pd.DataFrame, spoken_text: pd.Series, clauses: pd.DataFrame, clause_tenses: pd.Series
) -> pd.Series:
    """The time expressions of each record's words: a tuple of `TimeMention` in order of place, index of `evidence`."""
    bounds = np.searchsorted(clauses["record"].to_numpy(), np.arange(len(evidence) + 1)).tolist()
    starts, tense = clauses["start"].tolist(), clause_tenses.tolist()
    rows = zip(
        spoken_text.tolist(), evidence["observed_time"].tolist(), evidence["time_zone"].tolist(), bounds, bounds[1:]
    )
    found = [
        mentions_of(text, starts[a:b], tense[a:b], now.to_pydatetime(warn=False), zone) if a < b else ()
        for text, now, zone, a, b in rows
    ]
    return pd.Series(found, index=evidence.index, dtype=object)


def clause_times(clauses: pd.DataFrame, time_mentions: pd.Series, evidence: pd.DataFrame) -> pd.DataFrame:
    """What times each clause names: bool columns `timed_here`, `ahead_here`, `behind_here`; rows as in `clauses`."""
    first = np.searchsorted(clauses["record"].to_numpy(), np.arange(len(evidence)))
    flags = np.zeros((3, len(clauses)), dtype=bool)
    for start, mentions, now in zip(
        first.tolist(), time_mentions.tolist(), evidence["observed_time"].tolist(), strict=True
    ):
        for mention in mentions:
            if is_placed(mention):
                flags[:, start + mention.clause] |= (
                    True,
                    mention.start > now,
                    mention.end is not None and mention.end <= now,
                )
    return pd.DataFrame({"timed_here": flags[0], "ahead_here": flags[1], "behind_here": flags[2]}, index=clauses.index)


def clause_acts(clauses: pd.DataFrame, clause_cues: pd.DataFrame, clause_times: pd.DataFrame) -> pd.DataFrame:
    """The act of each clause: `rule`, `type`, `status`, `rank`; rows as in `clauses`."""
    known = pd.concat([clause_cues, clause_times], axis=1)
    return _acts_of(known.assign(record=clauses["record"], timed=clause_times["timed_here"]))


def main_acts(evidence: pd.DataFrame, clauses: pd.DataFrame, clause_acts: pd.DataFrame) -> pd.DataFrame:
    """The leading act of each record: `rule`, `type`, `status`, `clause` (row in `clauses`); index of `evidence`.

    A record without an act is a mention, with null `rule` and clause -1.
    """
    acts = clause_acts.assign(record=clauses["record"], clause=np.arange(len(clauses)))
    leads = acts[acts["rank"].lt(NO_ACT)].sort_values(["record", "rank"], kind="stable").drop_duplicates("record")
    main = leads.set_index("record")[["rule", "type", "status", "clause"]].reindex(range(len(evidence)))
    main.index = evidence.index
    return main.fillna({"type": "mention", "status": "mentioned", "clause": -1}).astype({"clause": "int64"})


def event_spans(
    evidence: pd.DataFrame,
    spoken_text: pd.Series,
    clauses: pd.DataFrame,
    clause_cues: pd.DataFrame,
    main_acts: pd.DataFrame,
    time_mentions: pd.Series,
) -> pd.DataFrame:
    """When each record's event happens: `event_time`, `event_end`, `granularity`, `other_times`; index of `evidence`."""
    first = np.searchsorted(clauses["record"].to_numpy(), np.arange(len(evidence) + 1)).tolist()
    is_dead = (clause_cues["cancels"] | clause_cues["undone"]).tolist()
    starts, words, moves = (
        clauses["start"].tolist(),
        clauses["text"].tolist(),
        (clause_cues["moves"] | clause_cues["corrects"]).tolist(),
    )
    rows = []
    for i, (text, now, zone, mentions, kind, status, rule, main) in enumerate(
        zip(
            spoken_text.tolist(),
            evidence["observed_time"].tolist(),
            evidence["time_zone"].tolist(),
            time_mentions.tolist(),
            main_acts["type"].tolist(),
            main_acts["status"].tolist(),
            main_acts["rule"].tolist(),
            main_acts["clause"].tolist(),
            strict=True,
        )
    ):
        a, b = first[i], first[i + 1]
        if kind == "mention" and not mentions:
            rows.append((None, ()))
            continue
        moved_at = (
            next((starts[c] + move_end(words[c]) for c in range(a, b) if moves[c]), None) if rule in MOVING else None
        )
        dead = frozenset(c - a for c in range(a, b) if is_dead[c] and c != main)
        told = Told(
            text, kind, status, main - a, moved_at, dead, now.to_pydatetime(warn=False).astimezone(zone_of(zone))
        )
        rows.append(event_span(told, mentions))
    spans = [span for span, _ in rows]
    return pd.DataFrame(
        {
            "event_time": _instants([s and s.start for s in spans], evidence.index),
            "event_end": _instants([s and s.end for s in spans], evidence.index),
            "granularity": pd.Series([s and s.granularity for s in spans], index=evidence.index, dtype="str"),
            "other_times": pd.Series(
                [interval_texts(others) for _, others in rows], index=evidence.index, dtype=object
            ),
        }
    )


def _instants(moments: list[datetime | None], index: pd.Index) -> pd.Series:
    micros = pd.Series([m and (m - _EPOCH) // _MICROSECOND for m in moments], index=index, dtype="Int64")
    return micros.astype("datetime64[us]").dt.tz_localize("UTC")


def timeline(
    evidence: pd.DataFrame, voice: pd.Series, spoken_text: pd.Series, main_acts: pd.DataFrame, event_spans: pd.DataFrame
) -> pd.DataFrame:
    """What happened, is planned or was said (contract `TIMELINE`), one row a record.

    Sorted by `event_time` (rows without one last), then `observed_time`, then `source_ref`. Empty evidence gives an
    empty frame.
    """
    if evidence.empty:
        return TIMELINE.empty()
    is_stated = voice.eq("source")
    item_type = main_acts["type"].mask(is_stated, "event")
    status = main_acts["status"].mask(is_stated, "planned").mask(evidence["event_status"].eq("cancelled"), "cancelled")
    event_time = evidence["event_start"].where(is_stated, event_spans["event_time"])
    event_end = evidence["event_end"].where(is_stated, event_spans["event_end"])
    is_past = event_end.fillna(event_time).lt(evidence["observed_time"])
    status = status.mask(~is_stated & item_type.eq("event") & status.eq("planned") & is_past, "completed")
    due = item_type.isin(["todo", "commitment"]) & status.eq("planned") & event_time.notna()
    people = pd.Series([people_in(t) for t in spoken_text.tolist()], index=evidence.index, dtype=object)
    people = people.where(~is_stated, evidence["event_attendees"])
    granularity = event_spans["granularity"].mask(is_stated, "minute").mask(evidence["event_is_all_day"], "day")
    frame = evidence[
        ["source_ref", "source", "user_id", "observed_time", "time_zone", "thread_id", "role", "app"]
    ].assign(
        type=item_type,
        event_time=event_time,
        event_end=event_end,
        granularity=granularity,
        due=due,
        status=status,
        owner="self",
        title=evidence["event_title"].where(is_stated).fillna(evidence["text"].map(title_of)),
        content=evidence["text"],
        participants=people,
        location=evidence["event_location"].where(
            is_stated, pd.Series([place_in(t) for t in evidence["text"].tolist()], index=evidence.index, dtype="str")
        ),
        importance=importances(item_type, evidence["text"], people, due),
        confidence=confidences(voice, evidence["outcome"], event_time.notna().to_numpy()),
        is_correction=main_acts["rule"].isin(MOVING),
        is_stated=is_stated,
        rules=pd.Series(
            [(v,) if r is None or r != r else (v, r) for v, r in zip(voice, main_acts["rule"].tolist(), strict=True)],
            index=evidence.index,
            dtype=object,
        ),
        extractor_version=EXTRACTOR_VERSION,
        other_times=event_spans["other_times"],
    )
    order = ["event_time", "observed_time", "source_ref"]
    return checked(frame.astype(TIMELINE.dtypes).sort_values(order, na_position="last", ignore_index=True), TIMELINE)
