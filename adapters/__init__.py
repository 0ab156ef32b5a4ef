"""The outside world: one module a source, one a store, one the chat client. Imports schemas only."""

if not __name__.startswith("temporal_recall."):  # a second copy of every class would be made
    raise ImportError(f"import temporal_recall.{__name__}, not {__name__}")
