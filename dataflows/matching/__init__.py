"""Library without nodes: which rows meet, what speaks for a pair being one event, and which rows join."""

if not __name__.startswith("temporal_recall."):  # a second copy of every class would be made
    raise ImportError(f"import temporal_recall.{__name__}, not {__name__}")
