"""Library of the Recap flow, without nodes: windows, privacy, lanes, trees, texts, digest, staleness."""

if not __name__.startswith("temporal_recall."):  # a second copy of every class would be made
    raise ImportError(f"import temporal_recall.{__name__}, not {__name__}")
