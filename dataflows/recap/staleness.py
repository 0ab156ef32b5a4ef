"""What a cached diary is worth now: hints alone, nothing expires by itself. Pure: `now` comes in."""

from __future__ import annotations

from datetime import datetime, timedelta

from temporal_recall.schemas.recap import RecapOut, RecapRow, RecapWindow

STALE_AFTER = timedelta(hours=1)


def recap_out(
    window: RecapWindow,
    row: RecapRow | None,
    *,
    latest_end: datetime | None,
    now: datetime,
    prompt_hash: str,
    knowledge_hash: str,
    late_segments: int = 0,
) -> RecapOut:
    """A window as its owner sees it.

    Args:
        row: the cached diary, if one was ever written.
        latest_end: the latest instant inside the window that any segment reaches; None where there is no segment.
        prompt_hash: of the template in use; another one in the row makes it regenerable.
        knowledge_hash: over the facts that a diary written now would use.
        late_segments: how many segments came or changed after the diary was written.
    """
    if row is None:
        return _bare(window, is_empty=latest_end is None, regenerable=latest_end is not None)
    behind = latest_end is not None and latest_end - row.segment_watermark > STALE_AFTER
    segment_stale = behind and now < window.end_exclusive
    partial_day = behind and row.generated_at < window.end_exclusive
    knowledge_stale = row.knowledge_hash != knowledge_hash
    return public_recap_out(window, row).model_copy(
        update={
            "knowledge_stale": knowledge_stale,
            "segment_stale": segment_stale,
            "partial_day": partial_day,
            "late_segments": late_segments,
            "facts_gone": latest_end is None,
            "regenerable": segment_stale or knowledge_stale or partial_day or row.prompt_hash != prompt_hash,
        }
    )


def public_recap_out(window: RecapWindow, row: RecapRow) -> RecapOut:
    """A cached diary as others see it: every hint is false."""
    return _bare(window, is_empty=False, regenerable=False).model_copy(
        update={
            "narrative": row.narrative,
            "generated_at": row.generated_at,
            "model": row.model,
            "prompt_hash": row.prompt_hash,
            "segment_watermark": row.segment_watermark,
            "missing_dates": row.missing_dates,
        }
    )


def _bare(window: RecapWindow, *, is_empty: bool, regenerable: bool) -> RecapOut:
    return RecapOut(
        date=window.local_date,
        time_zone=window.time_zone,
        start=window.start,
        end_exclusive=window.end_exclusive,
        kind=window.kind,
        day_start_hour=window.day_start_hour,
        is_empty=is_empty,
        regenerable=regenerable,
    )
