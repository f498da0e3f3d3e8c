"""The calendar's vocabulary as pattern fragments: months, weekdays, seasons, holidays, number words.

Fragments are plain strings without capturing groups, in the common subset of RE2 and ``re``, to be used
without regard to case. Frequent misspellings and scanning errors (``Febuary``, ``0ct``) stand beside the
right forms.
"""

from __future__ import annotations

__all__ = [
    "AGE_WORD", "DAY_WORD", "FOREIGN_MONTH", "FOREIGN_WEEKDAY", "HOLIDAY", "MONTH", "ORDINAL_WORD", "SEASON",
    "WEEKDAY", "YEAR_WORDS",
]  # fmt: skip

MONTH = (
    r"(?:jan(?:uary|urary|uray|aury)?|feb(?:ruary|uary|urary|rary|ruray|r)?|mar(?:ch)?|apr(?:il|li)?|apirl"
    r"|may"
    r"|june?|july?|aug(?:ust|sut)?|agust|sept?(?:ember|mber|emeber|tember)?|setember|[o0]ct(?:ober)?|ocotber"
    r"|nov(?:ember|emeber|ermber)?|dec(?:ember|emeber)?)"
)
"""English months, long, short or misspelt."""

FOREIGN_MONTH = (
    r"(?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|setiembre|octubre|noviembre|diciembre"
    r"|janvier|fevrier|mars|avril|mai|juin|juillet|aout|septembre|octobre|novembre|decembre"
    r"|januar|februar|juni|juli|oktober|dezember|janeiro|fevereiro|maio|junho|julho|setembro|outubro|dezembro"
    r"|gennaio|febbraio|maggio|giugno|luglio|settembre|ottobre|dicembre)"
)
"""Months of five other languages; an accent is gone in the shadow."""

WEEKDAY = (
    r"(?:mon(?:days?|dya)?|tues?(?:days?|dya|ady)?|wed(?:s|nesdays?|nsday|esday|nesdya)?|wensday|wendsday"
    r"|thu(?:r(?:s(?:days?|dya|ady)?)?)?|thrusday|fri(?:days?|dya)?|firday|sat(?:urdays?|erday|urdya)?"
    r"|sun(?:days?|dya)?)"
)
"""English weekdays, long, short, plural or misspelt."""

FOREIGN_WEEKDAY = r"(?:lunes|martes|miercoles|jueves|viernes|sabado|domingo)"
"""Spanish weekdays."""

SEASON = r"(?:spring|summer|fall|autumn|winter)"

_OF_SAINTS = (
    r"(?:st\.?|saint) (?:patrick'?s?'?|paddy'?s|valentine'?s|joseph'?s|john'?s|nicholas'?s?|lucia'?s?) day"
)

HOLIDAY = "(?:" + "|".join(
    [
        r"new year'?s?'?(?: (?:eve|day))?", r"(?:lunar|chinese|russian|orthodox|persian) new year",
        r"hogmanay", r"(?:martin luther king|mlk)(?:,? jr\.?)?(?:'?s)? (?:day|weekend|holiday)",
        r"president'?s'? day", r"groundhog day", r"super bowl(?: sunday)?", r"valentine'?s'?(?: day)?",
        r"mardi gras", r"fat tuesday", r"ash wednesday", r"lent", _OF_SAINTS, r"palm sunday", r"holy week",
        r"maundy thursday", r"good friday", r"(?:orthodox |greek )?easter(?: (?:sunday|monday))?",
        r"passover", r"pesach", r"purim", r"patriots'? day", r"april fools?'?s?'?(?: day)?", r"earth day",
        r"tax day", r"cinco de mayo", r"mother'?s'? day", r"memorial day", r"decoration day", r"pentecost",
        r"whitsun", r"shavuot", r"flag day", r"father'?s'? day", r"juneteenth",
        r"midsummer(?:'?s)?(?: (?:eve|day))?", r"juhannus", r"canada day", r"victoria day",
        r"independence day", r"(?:the )?(?:fourth|4th) of july", r"bastille day", r"pioneer day",
        r"labou?r day", r"patriot day", r"rosh hasha[nh]ah?", r"yom kippur", r"sukk(?:ot|oth|os)",
        r"simchat torah", r"michaelmas", r"(?:columbus|indigenous peoples'?) day", r"hallowe'?en",
        r"all (?:saints|souls|hallows)'?(?: (?:day|eve))?", r"dia de los muertos", r"day of the dead",
        r"guy fawkes(?: (?:night|day))?", r"bonfire night", r"election day", r"town meeting day",
        r"veterans?'?s?'? day", r"remembrance day", r"armistice day", r"anzac day", r"australia day",
        r"(?:canadian )?thanksgiving(?: day)?", r"black friday", r"cyber monday", r"advent", r"hanukk?ah?",
        r"chanuk?kah", r"kwanzaa", r"(?:russian |orthodox )?(?:christmas|x-?mas)(?: (?:eve|day))?",
        r"boxing day", r"candlemas", r"epiphany", r"three kings'? day", r"dia de reyes", r"semana santa",
        r"navidad", r"nochebuena", r"watch night", r"leap day", r"ramadh?an",
        r"eid(?: (?:al|ul)[- ](?:fitr|adha))?", r"ashura", r"muharram", r"mawlid", r"diwali", r"deepavali",
        r"holi", r"navratri", r"dussehra", r"onam", r"vaisakhi", r"nowruz", r"norouz", r"tet", r"chuseok",
        r"obon", r"songkran", r"losar", r"meskel", r"timkat", r"enkutatash", r"gergyovden", r"shabbat",
        r"shabbos", r"sabbath", r"lammas", r"martinmas", r"st\.? stephen'?s day",
        r"(?:ascension|assumption|arbor|may|derby|statehood|kamehameha|d-|v-?[ej]) ?day",
        r"ascension thursday", r"(?:holy|maundy) thursday", r"holy saturday",
        r"(?:shrove|pancake) (?:tuesday|day)", r"whit (?:sunday|monday)", r"trinity sunday",
        r"mothering sunday", r"(?:spring |august |may )?bank holiday", r"twelfth night", r"las posadas",
        r"(?:mid-autumn|moon|dragon boat|harvest) festival", r"qingming", r"ganesh chaturthi",
        r"raksha bandhan", r"pongal", r"janmashtami", r"vesak", r"lag b'?omer", r"tisha b'av",
        r"simchas torah", r"laylat al-qadr", r"pascha", r"(?:winter|summer) solstice",
        r"(?:spring|vernal|autumn|autumnal|fall) equinox", r"dia de (?:los )?muertos",
        r"immaculate conception", r"feast of (?:the |st\.? |saint |our lady of )?[a-z]+",
    ]
) + ")"  # fmt: skip
"""Holidays and holy days of the calendars patients live by."""

_UNIT = r"(?:one|two|three|four|five|six|seven|eight|nine)"
_TEEN = r"(?:ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen)"
_TENS = r"(?:twenty|thirty|forty|fourty|fifty|sixty|seventy|eighty|ninety|ninty)"

AGE_WORD = rf"(?:{_TENS}(?:[- ]{_UNIT})?|{_TEEN}|{_UNIT})"
"""A number from one to ninety-nine in words."""

YEAR_WORDS = (
    rf"(?:(?:(?:nineteen|twenty)[- ])?(?:{_TENS}(?:[- ]{_UNIT})?|{_TEEN}|oh[- ]{_UNIT})"
    rf"|two thousand(?: (?:and )?{AGE_WORD})?)"
)
"""A year as it is spoken: ``nineteen sixty one``, ``seventy two``, ``oh four``."""

ORDINAL_WORD = (
    r"(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|thirteenth"
    r"|fourteenth"
    r"|fifteenth|sixteenth|seventeenth|eighteenth|nineteenth|twentieth|thirtieth|(?:twenty"
    r"|thirty)[- ](?:first|second"
    r"|third|fourth|fifth|sixth|seventh|eighth|ninth))"
)
"""A day of the month in words: ``twenty second``."""

DAY_WORD = rf"(?:(?:twenty|thirty)[- ]{_UNIT}|{_TEEN}|twenty|thirty|(?:oh )?{_UNIT})"
"""A day or a month as it is spoken: ``fourteen``, ``oh six``."""
