"""Words of the domain: what crosses a seam between stages. Imports nothing of ours."""

if not __name__.startswith("temporal_recall."):  # a second copy of every class would be made
    raise ImportError(f"import temporal_recall.{__name__}, not {__name__}")
