"""Two and a half weeks of an invented person's life, to try Temporal Recall on without a source of one's own.

She keeps a bookshop in Chengdu. The records come from four sources (typed input, chats with an assistant, a calendar,
a long-term memory) and hold what real ones hold: one event told three times, plans that move or fall through,
promises, small talk. `DEMO_NOW` is the morning after a full day: `DEMO_QUESTION` has a good answer.
"""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

DEMO_USER_ID = "demo-user"
DEMO_TIME_ZONE = "Asia/Shanghai"
DEMO_NOW = datetime(2026, 5, 21, 9, 30, tzinfo=ZoneInfo(DEMO_TIME_ZONE))
DEMO_QUESTION = "我昨天有什么重要的事？"


def records_path() -> Path:
    """The records file of the demo persona: JSON lines, oldest first, none observed after `DEMO_NOW`."""
    return Path(__file__).with_name("records.jsonl")
