"""Recap as a service: the cached diary of a day, its generation, and the projection that agents read."""
