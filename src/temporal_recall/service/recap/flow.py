"""The recap flow as one call: segments in, projection, digest and messages out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from temporal_recall.schemas.recap import RecapFact, RecapWindow, Segment
from temporal_recall.service.catalog import RECAP
from temporal_recall.service.driver import build_driver
from temporal_recall.service.recap.config import RecapConfig
from temporal_recall.service.recap.material import DryRun
from temporal_recall.service.recap.prompts import prompt_of

if TYPE_CHECKING:
    import pandas as pd


class RecapFlow:
    """One driver, built once and shared; it keeps the inputs of concurrent executions apart."""

    def __init__(self, config: RecapConfig) -> None:
        self._config = config
        self._driver = build_driver(RECAP)

    def dry_run(
        self,
        segments: Sequence[Segment],
        owner_id: str,
        window: RecapWindow,
        *,
        facts: Sequence[RecapFact] = (),
        earlier_segments: Sequence[Segment] = (),
        timeline_items: pd.DataFrame | None = None,
    ) -> DryRun:
        """The projection of a day, its digest, and exactly what would leave the process.

        Args:
            earlier_segments: those of the two weeks before, for the note on what comes back.
            timeline_items: events of the recall timeline for the third lane, with the columns of `events_in_window`.
        """
        outputs: dict[str, Any] = self._driver.execute(
            list(RECAP.outputs),
            inputs={
                "segments": segments,
                "owner_id": owner_id,
                "facts": facts,
                "earlier_segments": earlier_segments,
                "timeline_items": timeline_items,
                "prompt_template": prompt_of(window.kind, self._config.language).text,
                "privacy_settings": self._config.privacy,
                "projection_settings": self._config.projection,
            },
            overrides={"recap_window": window},
        )
        return DryRun(*(outputs[name] for name in RECAP.outputs))
