"""Names: surrogates for the people of a scope."""

from plainsight.replace.surrogate.names.people import People, Person

__all__ = ["People", "Person"]
