"""From evidence to the timeline: what each record tells, read from its words alone.

A record whose source states an event (a calendar) is taken as it stands. Of all others the user's own words are read;
what an assistant said, a search, a document or code stays a `mention`. Nothing here knows `now` or the question.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from temporal_recall.dataflows.language import extraction_clauses
from temporal_recall.dataflows.language.extraction_acts import clause_acts as _acts_of
from temporal_recall.dataflows.language.extraction_cues import clause_cues as _cues_of
from temporal_recall.dataflows.language.extraction_importance import confidences, importances
from temporal_recall.dataflows.language.extraction_people import people_in
from temporal_recall.dataflows.language.extraction_places import place_in
from temporal_recall.dataflows.language.extraction_titles import title_of
from temporal_recall.dataflows.language.extraction_voices import voices
from temporal_recall.schemas.frames import TIMELINE, checked

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


def clause_acts(clauses: pd.DataFrame, clause_cues: pd.DataFrame) -> pd.DataFrame:
    """The act of each clause: `rule`, `type`, `status`, `rank`; rows as in `clauses`."""
    is_timed = np.zeros(len(clauses), dtype=bool)
    return _acts_of(clause_cues.assign(record=clauses["record"], timed=is_timed, timed_here=is_timed))


def main_acts(evidence: pd.DataFrame, clauses: pd.DataFrame, clause_acts: pd.DataFrame) -> pd.DataFrame:
    """The leading act of each record: `rule`, `type`, `status`, `clause` (its words); index of `evidence`.

    A record without an act is a mention with null `rule`; its clause is the whole text.
    """
    acts = clause_acts.assign(record=clauses["record"], clause=clauses["text"])
    leads = acts[acts["rank"].lt(99)].sort_values(["record", "rank"], kind="stable").drop_duplicates("record")
    main = leads.set_index("record")[["rule", "type", "status", "clause"]].reindex(range(len(evidence)))
    main.index = evidence.index
    return main.fillna({"type": "mention", "status": "mentioned"}).assign(
        clause=main["clause"].fillna(evidence["text"].str.slice(0, 200))
    )


def timeline(evidence: pd.DataFrame, voice: pd.Series, main_acts: pd.DataFrame) -> pd.DataFrame:
    """What happened, is planned or was said (contract `TIMELINE`), one row a record.

    Sorted by `event_time` (rows without one last), then `observed_time`, then `source_ref`. Empty evidence gives an
    empty frame.
    """
    if evidence.empty:
        return TIMELINE.empty()
    is_stated = voice.eq("source")
    item_type = main_acts["type"].mask(is_stated, "event")
    status = main_acts["status"].mask(is_stated, "planned").mask(evidence["event_status"].eq("cancelled"), "cancelled")
    happened = status.isin(["completed", "mentioned"]) & item_type.ne("mention")
    event_time = evidence["event_start"].where(is_stated).fillna(evidence["observed_time"].where(happened))
    due = pd.Series(data=False, index=evidence.index)
    people = pd.Series([people_in(t) for t in evidence["text"].tolist()], index=evidence.index, dtype=object)
    people = people.where(~is_stated, evidence["event_attendees"])
    frame = evidence[
        ["source_ref", "source", "user_id", "observed_time", "time_zone", "thread_id", "role", "app"]
    ].assign(
        type=item_type,
        event_time=event_time,
        event_end=evidence["event_end"],
        granularity=pd.Series("minute", index=evidence.index, dtype="str").where(event_time.notna()),
        due=due,
        status=status,
        owner="self",
        title=evidence["event_title"].where(is_stated).fillna(main_acts["clause"].map(title_of)),
        content=evidence["text"],
        participants=people,
        location=evidence["event_location"].where(
            is_stated, pd.Series([place_in(t) for t in evidence["text"].tolist()], index=evidence.index, dtype="str")
        ),
        importance=importances(item_type, evidence["text"], people, due),
        confidence=confidences(voice, evidence["outcome"], event_time.notna().to_numpy()),
        is_correction=main_acts["rule"].eq("moved_event").fillna(value=False).astype(bool),
        is_stated=is_stated,
        rules=pd.Series(
            [(v,) if r is None or r != r else (v, r) for v, r in zip(voice, main_acts["rule"].tolist(), strict=True)],
            index=evidence.index,
            dtype=object,
        ),
        extractor_version=EXTRACTOR_VERSION,
    )
    order = ["event_time", "observed_time", "source_ref"]
    return checked(frame.astype(TIMELINE.dtypes).sort_values(order, na_position="last", ignore_index=True), TIMELINE)
