"""The Portal's own words; it has nothing to do with `temporal_recall.schemas`."""
