"""Time expressions in Chinese and mixed text: rules, numerals, calendar, resolution. A library without nodes."""

if not __name__.startswith("temporal_recall."):  # a second copy of every class would be made
    raise ImportError(f"import temporal_recall.{__name__}, not {__name__}")

from temporal_recall.dataflows.zh_time.parse import find_times, parse_time, resolve_times

__all__ = ["find_times", "parse_time", "resolve_times"]
