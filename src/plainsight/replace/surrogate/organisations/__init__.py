"""Surrogate hospitals and organisations: they keep their kind, and all forms of one name agree.

The road of a name: `names` parts it into words of its kind, words of its own, brands and codes; `cores`
gives each word of its own another of the same sort; `acronyms` makes the letters that stand for a whole name
anew from the surrogate; `codes` turns the numbers and letters of wards and rooms; `renaming` puts them
together, and `organisations` asks for all names of a scope.
"""

from plainsight.replace.surrogate.organisations.organisations import Organisations

__all__ = ["Organisations"]
