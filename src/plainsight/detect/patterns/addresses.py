"""Rules for addresses: street lines, states and post codes, coded rooms and beds, as one set of forms."""

from __future__ import annotations

from plainsight.detect.patterns.forms import form_rule
from plainsight.detect.patterns.postal import POSTAL
from plainsight.detect.patterns.rooms import ROOMS
from plainsight.detect.patterns.rule import Rule
from plainsight.detect.patterns.streets import HOUSES, STREETS

RULES: tuple[Rule, ...] = (form_rule("address", HOUSES, STREETS, POSTAL + ROOMS),)
