"""Write a surrogate word the way the original was written."""

from __future__ import annotations

from plainsight.replace.surrogate.names.parse import Piece
from plainsight.replace.surrogate.names.pools import display

__all__ = ["cased", "write"]

_ACCENTS = str.maketrans("áéíóúñèêëôïç", "aeiouneeeoic")
_WITH_ACCENTS = """
    maría josé ángel ángela jesús inés raúl rubén andrés martín adrián joaquín sebastián nicolás tomás
    óscar iván julián fabián germán hernán ramón simón agustín benjamín césar víctor héctor félix álvaro
    álex mónica verónica sofía lucía rocío belén concepción asunción bárbara débora rené renée andré
    hélène irène françois geneviève thérèse anaïs zoë chloë noël joël garcía martínez lópez gonzález
    rodríguez hernández sánchez ramírez pérez gómez díaz jiménez gutiérrez álvarez vázquez vásquez
    chávez méndez núñez muñoz peña fernández domínguez velázquez velásquez suárez juárez ibáñez ordóñez
    yáñez treviño ocaña saldaña castañeda quiñones patiño ávila ríos solís galván durán beltrán román
    guzmán córdova mejía valdés marín aragón rincón calderón cáceres páez sáenz báez bermúdez márquez
    galíndez colón pabón pagán germán marroquín cortés garzón rendón tobón zúñiga zárate
"""
_ACCENTED = {word.translate(_ACCENTS): word for word in _WITH_ACCENTS.split()}


def cased(word: str, like: str) -> str:
    """Return a word in the case of another one.

    >>> cased("mcdonald", "SMITH"), cased("mcdonald", "Smith"), cased("mcdonald", "smith")
    ('MCDONALD', 'McDonald', 'mcdonald')
    """
    if like[1:].islower() and like.isalpha() and like[0].isupper():
        return display(word)
    if like.islower():
        return display(word).lower()
    if len(like) > 1 and 4 * sum(map(str.islower, like)) <= len(like):  # OCR reads I as l: STURDlVANT
        return display(word).upper()
    return display(word)


def write(word: str, piece: Piece, *, dotted: bool = False) -> str:
    """Return a surrogate word in the writing of a piece: case, accents, spelled out or abbreviated."""
    if piece.short and dotted:  # Wm. becomes R., not Robert.
        return cased(word, piece.text)[:1]
    if piece.joint:
        return piece.joint.join(word.upper() if piece.text.isupper() else word)
    if not piece.text.isascii() and word in _ACCENTED:
        word = _ACCENTED[word]
    return cased(word, piece.text)
