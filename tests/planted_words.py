"""De-identify a note full of planted words, drop everything, and search all live objects for the words.

    python planted_words.py POLICY function|pipeline

Prints the planted words that are still in memory. They stand here spelled backwards, and are compared so, in
order that neither this source nor the search puts them there.
"""

import gc
import sys

import numpy as np

import plainsight
from plainsight.document import Document, Patient

SECRETS = (
    "etiawhtnexxyz",
    "lednavrouq",
    "6590274318",
    "6590-274-318",
    "kaiwokzrb",
    "13288-1744",
    "elpmaxe.xyz@lednavq",
)
NOTE = """
.02144 HO ,kaiwokzrB ,enaL kaiwokzrB 71 ,13288-1744 NRM ,lednavrouQ etiawhtnexxyZ :tneitaP
lednavrouQ ta kaiwokzrB .rD yb 9102/40/30 neeS .elpmaxe.xyz@lednavq ,6590274318 llec ,6590-274-318 enohP
.elbats lednavrouQ tp ;seerga lednavrouQ .Z .yrdnuoF kaiwokzrB ta skrow etiawhtnexxyZ .rM .latipsoH
"""


def run(policy: str, way: str) -> None:
    """De-identify the note in one of two ways; nothing of it is returned."""
    text = NOTE[::-1]
    if way == "function":
        plainsight.deidentify(text, policy=policy)
        plainsight.detect([text, text.upper()], policy=policy)
        return
    pipeline = plainsight.load(policy, key=b"k" * 32)
    patient = Patient(id="p", names=("lednavrouQ etiawhtnexxyZ"[::-1],), phones=("6590-274-318"[::-1],))
    notes = [Document(str(number), text, patient_id="p", patient=patient) for number in range(3)]
    list(pipeline.deidentify(notes))
    list(pipeline.detect([Document("upper", text.upper())]))


def contents() -> list[str]:
    """Return every string, bytes object and array that is reachable, as text in small letters, backwards."""
    gc.collect()
    stack = gc.get_objects()
    seen = {id(stack)}
    texts = []
    while stack:
        thing = stack.pop()
        if id(thing) in seen:
            continue
        seen.add(id(thing))
        if isinstance(thing, str):
            texts.append(thing)
        elif isinstance(thing, bytes | bytearray):
            texts.append(bytes(thing).decode("latin-1"))
        elif type(thing) is np.ndarray and thing.dtype != object and thing.nbytes < 1 << 25:
            texts.append(thing.tobytes().decode("latin-1"))
        else:
            stack.extend(inner for inner in gc.get_referents(thing) if not gc.is_tracked(inner))
    return [text.lower()[::-1] for text in texts]


def main() -> None:
    """Run, drop, search."""
    run(sys.argv[1], sys.argv[2])
    every = contents()
    for secret in SECRETS:
        if any(secret in text for text in every):
            print(secret[::-1])


if __name__ == "__main__":
    main()
