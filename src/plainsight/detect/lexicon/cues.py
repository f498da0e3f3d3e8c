"""Words that tell who or what stands beside them: titles, credentials, relations, roles, labels, verbs.

They are the locale's (``name_cues.toml``), where each list is described.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from plainsight.locale import default_locale


class Cue(NamedTuple):
    """What stands left of a name: whose name it says this is, and how strongly.

    Weight 4 is a form label, 3 a title, 2 a relation, role or signature, 1 a hint, 0 nothing.
    """

    label: str
    weight: int


_words = default_locale().word_sets("name_cues")
_KINDS = (
    ("patient_hints", "PATIENT", 1),
    ("doctor_hints", "DOCTOR", 1),
    ("doctor_signs", "DOCTOR", 2),
    ("patient_roles", "PATIENT", 2),
    ("doctor_roles", "DOCTOR", 2),
    ("patient_titles", "PATIENT", 3),
    ("doctor_titles", "DOCTOR", 3),
)  # of a word in several lists the last one counts

CUES: Mapping[bytes, Cue] = {
    word: Cue(label, weight) for key, label, weight in _KINDS for word in _words[key]
}
LABELS: Mapping[bytes, str] = {
    **dict.fromkeys(_words["patient_labels"], "PATIENT"),
    **dict.fromkeys(_words["doctor_labels"], "DOCTOR"),
}
CREDENTIALS, SHARED_CREDENTIALS = _words["credentials"], _words["shared_credentials"]
SPEECH, EPONYM_NOUNS, PLACE_WORDS = _words["speech"], _words["eponym_nouns"], _words["place_words"]
STOP_WORDS, CALENDAR_WORDS = _words["stop_words"], _words["calendar_words"]

_BY_LAST_TWO: Mapping[bytes, tuple[bytes, ...]] = {
    ending[-2:]: tuple(other for other in _words["medical_endings"] if other[-2:] == ending[-2:])
    for ending in _words["medical_endings"]
}


def ends_medically(low: bytes) -> bool:
    """Return whether a word that no list holds ends as clinical and Latin words do, so that it is no name.

    >>> ends_medically(b"cystolithotripsy"), ends_medically(b"quillerby")
    (True, False)
    """
    endings = _BY_LAST_TWO.get(low[-2:])
    return endings is not None and low.endswith(endings)
