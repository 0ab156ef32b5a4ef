"""Words and rules of the Chinese language that the planner and the extraction fill their nodes with."""

if not __name__.startswith("temporal_recall."):  # a second copy of every class would be made
    raise ImportError(f"import temporal_recall.{__name__}, not {__name__}")
