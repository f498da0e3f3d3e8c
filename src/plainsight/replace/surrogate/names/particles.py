"""The surnames that follow a particle: ``de la Cruz`` becomes ``de la Torre``, never ``de la Kowalski``.

The Census writes such names as one word, so most of these lists come from its surnames; the few that it hides
among other names are written by hand.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache

from plainsight.lists import read
from plainsight.replace.surrogate.keyed import Keyed
from plainsight.replace.surrogate.names.parse import PARTICLES
from plainsight.replace.surrogate.names.pools import is_surname, surname

__all__ = ["after_particle"]

_ARABIC = """
amin asadi bakri faraj fayed ghamdi habib haddad hakim halabi hashimi jabari jaffal jamal janabi khalidi
khatib khalil khoury mansour masri mousawi mutairi nasser obaidi omari qahtani qasim rashid rawi rubaie
sabbagh sadiq saleh samarrai sayed shami shammari sharif tamimi tikriti turki wahab yasin zahrani zaidi
zubaidi ansari azzawi dulaimi harbi hariri kaabi maliki nuaimi otaibi rifai sabah saadi sheikh tai zayed
bayati
"""
_SONS = """
abdallah ahmad ali amir anwar faisal farid fahad hamad hamid hassan hussein ibrahim idris isa ismail
jamil khalid majid mahmoud mansur musa mustafa nasir omar rashid saad said salim sami suleiman tariq
talib umar walid yahya yasir yusuf zayd zakaria
"""
_NOBLE = """
allmen arx bergen brandt burg dohlen drehle eschen feldt felten gunten hagen hoffman hollen holt holtz
kaenel kampen lehman linden merten moos oppen ohlen rohr rosenberg ruden schlegel seggern steiger stein
tobel wald weller wald werder winckel wyl zell ehren buren canon drasek euw goeben heimburg herbulis
korff
"""
_SAINTS = """
amand amant andre ange antoine arnold aubin cloud cyr clair claire denis dennis felix fleur fort george
germain germaine gelais hilaire jacques james jean john julien laurent leger louis marie martin mary
maurice michel onge paul peter philip pierre romain rose thomas vincent yves
"""
_WRITTEN = {
    **dict.fromkeys(("al", "el", "ul", "abd"), _ARABIC),
    **dict.fromkeys(("bin", "ibn", "bint", "ben", "abu"), _SONS),
    **dict.fromkeys(("von", "vom", "zu", "zur"), _NOBLE),
    **dict.fromkeys(("st", "ste", "saint"), _SAINTS),
}
_FEW = 8
_FIXED = 100
_TURNS = 60


def after_particle(keyed: Keyed, particle: str, original: str, turn: int = 0) -> str:
    """Return a surrogate for a surname that stands after a particle, both without it."""
    heads = _heads(particle)
    loose = particle in ("de", "del") and is_surname(particle + original) < _FIXED  # Robles de Maldonado
    if loose or len(heads) < _FEW or turn >= _TURNS:
        return surname(keyed, original, turn)
    number = keyed.number(f"after {particle} {original}", len(heads))
    return heads[keyed.permute(number, len(heads), turn)]


@lru_cache(maxsize=256)
def _heads(particle: str) -> tuple[str, ...]:
    """Return the surnames that are found after a particle."""
    if written := _WRITTEN.get(particle):
        return tuple(sorted(set(written.split())))
    start = particle.replace(" ", "")
    alone = " " not in particle and start not in ("vander", "vande")
    names = (name[len(start) :] for name in _joined_names().get(start[:2], ()) if name.startswith(start))
    # "van" stands in "vanish" too: what is left must be a surname itself, unless the particle is a clear one
    return tuple(
        head
        for head in names
        if len(head) > (3 if alone else 4) and (is_surname(head) >= _FIXED or not alone)
    )


@cache
def _joined_names() -> Mapping[str, Sequence[str]]:
    """Return the surnames that begin with a particle by their first two letters, the most common first."""
    starts = tuple(PARTICLES)
    found: dict[str, list[str]] = {}
    for name in read("surnames")["name"]:
        if name.startswith(starts):
            found.setdefault(name[:2], []).append(name)
    return found
