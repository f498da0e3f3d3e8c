"""What a word can be, as bits of one number."""

from __future__ import annotations


class Is:
    """The flags of a word. Plain integers: an enumeration costs more than the rules that ask."""

    # The bits that rules ask for most come first: tests of small numbers are the fastest, and 30 bits in all
    # keep every number in one machine word of Python's.
    LEVEL = 3  # mask: how much a capitalised word is a name by itself, 0 to 3, see `level`
    KNOWN = 1 << 2  # in any list at all
    MARKED = 1 << 3  # worth a rule's look; so is a word in no list
    TITLE = 1 << 4  # Dr, Mr, Pastor
    EPONYM = 1 << 5  # a surname or place medicine uses
    PURE = 1 << 6  # a name and hardly anything else
    CITY = 1 << 7
    FIRST = 1 << 8  # a listed first name
    LAST = 1 << 9  # a listed surname
    COMMON = 1 << 10  # borne by more than one person in 50,000
    MIXED = 1 << 11  # a name and an ordinary word, both common
    WORD = 1 << 12  # an ordinary word (it may be a rare name)
    STOP = 1 << 13  # a function word
    MEDICAL = 1 << 14  # drug, disease, brand, clinical word
    BIG_CITY = 1 << 15  # over 100,000 people
    STATE = 1 << 16
    CODE = 1 << 17  # a state's two letters
    COUNTRY = 1 << 18
    PEOPLE = 1 << 19  # nationality
    LANGUAGE = 1 << 20
    CALENDAR = 1 << 21
    HEAD = 1 << 22  # last word of a facility's name
    ORG_HEAD = 1 << 23  # last word of an organisation's name
    GENERIC = 1 << 24  # says nothing in a facility's name
    PHRASE = 1 << 25  # first word of a phrase in a list
    SINGLE = 1 << 26  # first word of an entry without spaces
    LOOSE = 1 << 27  # first word of an excluded phrase, whose next word may have no capital
    PLACE_WORD = 1 << 28  # County, Bridge, Highway, Lake
    CUE = 1 << 29  # a relation or role: says that a name is near, is none itself

    NAME = FIRST | LAST
    HEADS = HEAD | ORG_HEAD
