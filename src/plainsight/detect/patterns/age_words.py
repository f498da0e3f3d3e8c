"""The words by which an age is known: relatives, persons, milestones; and what makes a number no age.

They are the locale's (``ages.toml``), where each list is described.
"""

from __future__ import annotations

from plainsight.locale import default_locale

_words, _patterns = default_locale().word_sets("ages"), default_locale().patterns("ages")

RELATIVE, PERSON, MILESTONE = _patterns["relative"], _patterns["person"], _patterns["milestone"]
EVENT, CHRONIC = _patterns["event"], _patterns["chronic"]

KIN, PLURAL, POPULATION = _words["kin"], _words["plural"], _words["population"]
FAMILY, PEOPLE = KIN | _words["family_history"], KIN | _words["people"]
MEASURED, MEASURE_AFTER = _words["measured"], _words["measure_after"]
FRENCH_TOOLS, NOT_AGES = _words["french_tools"], _words["not_ages"]
SMALL_NUMBERS = _words["small_numbers"]
NOT_NAMES = MEASURED | _words["after_relatives"]
THINGS = MEASURED | _words["numbered_things"]
