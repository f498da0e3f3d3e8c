"""What the vocabulary says of a word as it is written, remembered: a note's words are few and come often."""

from __future__ import annotations

from plainsight.detect.lexicon.flags import Is
from plainsight.detect.lexicon.vocabulary import Vocabulary, load_vocabulary
from plainsight.note_cache import note_cache

_MOST = 1 << 17  # words remembered: far more than a batch of notes holds, a few megabytes


class WordFlags(dict[bytes, int]):
    """Words as written to their flags; unlisted ones are known by their parts, and marked for a look.

    >>> from plainsight.detect.lexicon.vocabulary import load_vocabulary
    >>> known = WordFlags(load_vocabulary())
    >>> bool(known[b"O'Brien"] & Is.NAME), known[b"Qwzx"] == Is.MARKED
    (True, True)
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary

    def __missing__(self, word: bytes) -> int:
        if len(self) >= _MOST:
            self.clear()
        flag = self.vocabulary.flags.get(word.lower(), 0) or (0 if word.isalpha() else self._by_parts(word))
        self[word] = flag = flag if flag & Is.KNOWN else flag | Is.MARKED
        return flag

    def _by_parts(self, word: bytes) -> int:
        """Judge an unlisted word by its parts: ``Yazzie-Hart``, ``O'Brien``, ``X-Ray``."""
        known, low = self.vocabulary.flags, word.lower()
        if len(low) < 4:
            return 0
        if b"-" in low:
            return _joined([known.get(part, 0) for part in low.replace(b"'", b"").split(b"-")], word)
        if b"'" in low:
            spelled = known.get(low.replace(b"'", b""), 0) & ~(Is.PHRASE | Is.SINGLE)  # listed as obrien
            return spelled if spelled & Is.NAME and word[2:3].isupper() else Is.KNOWN
        return 0


@note_cache(1)
def word_flags() -> WordFlags:
    """Return the words known so far, which all detectors of a pipeline share."""
    return WordFlags(load_vocabulary())


def _joined(parts: list[int], word: bytes) -> int:
    """Return the flags of a hyphenated word from those of its parts."""
    names, strange, eponym = False, False, 0
    for part in parts:
        if part & (Is.MEDICAL | Is.CUE | Is.STOP) and not part & Is.PURE:
            return Is.KNOWN | Is.WORD
        names = names or bool(part & (Is.PURE | Is.MIXED))
        strange = strange or not part
        eponym |= part & Is.EPONYM
    hyphen = word.find(b"-") + 1
    both = word[hyphen : hyphen + 1].isupper()
    if (not names and not (strange and both)) or (not both and not parts[0] & Is.PURE):
        return Is.KNOWN | Is.WORD
    return Is.KNOWN | Is.LAST | Is.PURE | eponym | (3 if names else 2) | Is.MARKED
