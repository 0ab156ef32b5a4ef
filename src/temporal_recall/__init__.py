"""Temporal Recall: what happened in a time range, told from a person's own sources, with evidence."""
