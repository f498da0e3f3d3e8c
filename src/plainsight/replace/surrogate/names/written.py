"""How names are written: capitals inside them, apostrophes, accents."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache

__all__ = ["accented", "apostrophe_parts", "display", "plain"]

_MAC = """
    macallister macarthur macaulay maccallum macdonald macdonell macdougall macdowell macduff macfarland
    macfarlane macgillivray macgregor macinnes macinnis macintosh macintyre macisaac maciver macivor mackay
    mackenzie mackinnon mackintosh maclachlan maclaren maclaughlin maclean maclellan maclennan macleod
    macmahon macmaster macmillan macmullen macnab macnamara macneal macneil macneill macphail macphee
    macpherson macqueen macrae mactaggart macvicar macwilliams"""
_APOSTROPHE = """
    oberry oboyle obrian obriant obrien obryan obryant obyrne ocallaghan ocasey oconnell oconner oconnor
    oday odea odell odoherty odonnell odonoghue odonohue odonovan odowd odriscoll odwyer ofarrell oferrell
    oflaherty oflynn ogara ogorman ogrady ohagan ohalloran ohanlon ohara ohare ohearn oherron ohern
    okane okeefe okeeffe okelley okelly olaughlin oleary oloughlin omahony omalley omara omeara omeally
    oneal oneale oneil oneill oquinn oquin oregan oreilly oriley oriordan orourke oryan oshaughnessy oshea
    oshields osullivan otoole dagostino dagosta dalessandro dalessio dalfonso damato dambrosio damico
    damore dandrea dangelo dantonio darcy dauria dasaro daddario daloisio dandre damelio
    danna dapolito daquila davanzo dercole dorazio durso dippolito dimperio dinnocenzo"""
_ACCENTED = """
    acuña adrián agustín alarcón álvarez andrés ángel ángela álvaro aragón araújo arévalo avilés ávila
    báez barragán beltrán benavídez benítez bermúdez bolaños cáceres calderón cárdenas castañeda
    castañón chacón chávez colón concepción córdova cortés cortéz dávila díaz dávalos domínguez durán
    echeverría encarnación estévez fabián farías félix fernández galán galván garcía garzón gastón
    germán gómez gonzález guillén guzmán gutiérrez héctor hernán hernández ibáñez inés íñiguez iván
    jiménez jesús joaquín josé josué juárez julián júnior lázaro león lópez luján lucía magaña maría
    marín martín martínez mejía méndez menéndez míguez mónica montalván montañez montaño morán
    muñiz muñoz narváez nicolás núñez óscar ocaña ordóñez ortíz páez patiño peláez peña peñaloza pérez piña
    ramírez ramón raúl rené rendón ríos rincón rodríguez roldán román rubén sáenz salomón
    sánchez sáinz santillán sebastián simón sofía solís solórzano suárez téllez tomás treviño urías valdés
    valdéz valentín vásquez vázquez vélez verónica víctor villaseñor yáñez zúñiga ángeles
    françois andré rené étienne benoît geneviève hélène renée thérèse gérard frédéric bélanger lévesque
    müller schröder krüger björn jörg günther jürgen göran håkan åsa sørensen jørgensen"""
_LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ı": "i", "æ": "ae", "œ": "oe", "ß": "ss", "þ": "th", "ħ": "h"}
)


def display(name: str) -> str:
    """Return a name in small letters as it is usually written.

    >>> display("mcdonald"), display("obrien"), display("macleod"), display("smith")
    ('McDonald', "O'Brien", 'MacLeod', 'Smith')
    """
    return _inner_capitals().get(name) or (
        f"Mc{name[2:].capitalize()}" if name.startswith("mc") and len(name) > 4 else name.capitalize()
    )


def apostrophe_parts(name: str) -> Sequence[str]:
    """Return what stands before and after the apostrophe of a name in small letters, if it is written so.

    >>> apostrophe_parts("obrien"), apostrophe_parts("smith")
    (['o', 'brien'], ())
    """
    shown = _inner_capitals().get(name)
    return shown.casefold().split("'") if shown and "'" in shown else ()


@cache
def _inner_capitals() -> Mapping[str, str]:
    scots = {name: f"Mac{name[3:].capitalize()}" for name in _MAC.split()}
    return scots | {name: f"{name[0].upper()}'{name[1:].capitalize()}" for name in _APOSTROPHE.split()}


def plain(name: str) -> str:
    """Return a name without its accents and apostrophes, as lists have it.

    >>> plain("núñez"), plain("o'brien")
    ('nunez', 'obrien')
    """
    if name.isascii() and name.isalpha():
        return name
    letters = unicodedata.normalize("NFKD", name.translate(_LETTERS))
    return "".join(letter for letter in letters if letter.isalnum())


def accented(name: str, original: str) -> str:
    """Return a name with accents if the original has some: its usual ones, or the original's.

    >>> accented("gomez", "pérez"), accented("novak", "horák"), accented("gomez", "perez")
    ('gómez', 'novák', 'gomez')
    """
    if original.isascii():
        return name
    if usual := _accents().get(name):
        return usual
    letters = list(name)
    for place, letter in enumerate(unicodedata.normalize("NFC", original)):
        base = plain(letter)
        places = [at for at, other in enumerate(letters) if other == base and at]
        if letter == "ñ":
            places = [
                at for at in places if set(name[at - 1 : at + 2 : 2]) <= set("aeiou") and name[at + 1 :]
            ]
        if letter != base and places:
            letters[min(places, key=lambda at: abs(at - place))] = letter
    return "".join(letters)


@cache
def _accents() -> Mapping[str, str]:
    return {plain(name): name for name in _ACCENTED.split()}
