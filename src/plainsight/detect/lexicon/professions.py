"""Jobs of patients and their families: a cue such as ``retired`` or ``works as a``, then a job.

The listed titles give the nouns a job can end in; up to three plain words before one belong to it
(``school crossing guard``). A bare ``is a`` or a comma counts only before a listed title.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

import re2

from plainsight.detect.lexicon.scan import Scan
from plainsight.lists import load

__all__ = ["find_professions"]

_SURE = (
    rb"retired |ret\. |formerly an? |former |ex-|self-employed |used to be an? |last job |"
    rb"works? (?:part[- ]time |full[- ]time )?as (?:an? |the )?|worked (?:for years )?as (?:an? |the )?|"
    rb"working as (?:an? |the )?|employed as (?:an? |the )?|job as an? |career as an? |years? as an? |"
    rb"yrs? as an? |trained as an? |employment: +|employed: +|occupation(?: is)?:? +|occup?\.?:? +|"
    rb"profession:? +|prior occ: +|job: +|job title: +|work: +"
)
_AGED = rb"years?[- ]old |y/?o |y\.o\. |[- ]handed |[- ]dominant "
_LOOSE = (
    rb"(?:is|was|were|been|became|becoming|now|currently|and|of) an? |who's an? |, an? |, then (?:an? )?|"
    rb" as (?:an? )?| \(| \( "
)
_ENDS = (
    rb"er|or|ist|ian|ant|man|woman|men|women|smith|wright|ess|eer|herd|hand|chef|cook|clerk|guard|nun|coach|"
    rb"pilot|chief|aide|agent|judge|nanny|maid|mechanic|captain|nurse|midwife|student|apprentice|operative|"
    rb"official|executive|rep|representative|tech|analyst|architect|athlete|poet|priest|monk|cop|cpa|cna|"
    rb"magistrate|marine|intern|docent|sergeant|labor|tradesman|scribe|steward|valet|vet|vicar|warden|attorney|"
    rb"president|stevedore|cooper|buckaroo|cowboy"
)
# RE2 finds the stretch without groups, which keeps it on its fast path; the parts are told apart afterwards.
_PATTERN = (
    rb"\b(?:" + _SURE + rb"|" + _AGED + rb"|" + _LOOSE + rb")"
    rb"(?:[a-z][a-z'&/-]* ){0,3}[a-z'/-]*(?:" + _ENDS + rb")\b"
)
_CUE = re.compile(rb"(?:(" + _SURE + rb")|(" + _AGED + rb")|(?:" + _LOOSE + rb"))")
_STOP = frozenset(
    b"""a an the and or but of in on at by to for from with without as is are was were be been being he
    she it they we who whom which that this these those his her its their our not no never other another
    any some all each every after before during until while since when where how than then so if per via
    has had have having do does did will would can could may might should must over under about into
    through her year years old male female man woman men women lady gentleman white black hispanic asian
    right left married single divorced widowed widow widower presents presented comes came brought
    admitted lives living works working worked now currently mother father brother sister daughter son
    wife husband child person people patient one two three four first second third last next new prior g1
    g2""".split()
)
_PLAIN = frozenset(
    b"""retired former disabled unemployed longtime long-time part-time full-time self-employed avid local
    professional registered certified licensed semi-retired right-handed left-handed handed pleasant
    healthy active obese thin well-known very previously formerly ex independent ambidextrous american
    african native lifelong recent current well developed nourished well-developed well-nourished
    unfortunate known elderly young frail slender""".split()
)
_NOT_JOBS = frozenset(
    b"""off boy girl american latin smoker smokers nonsmoker non-smoker ex-smoker drinker drinkers user
    users abuser walker historian passenger victim candidate responder sleeper eater donor member resident
    patient visitor partner carrier survivor reader wearer number other another mother father brother
    sister daughter stepdaughter grandmother grandfather stepmother stepfather teenager toddler newborn
    newcomer widower widow prisoner offender perpetrator stranger speaker neighbor tremor tumor cancer
    ulcer disorder fever liver bladder shoulder finger power water paper letter order further later never
    ever over under after rather whether however together doctor provider primary-provider caller bleeder
    former minor major error factor color odor humor motor sensor sector anterior posterior superior
    inferior prior exterior interior junior senior pacer pacemaker catheter splinter fighter believer
    loner lover hater hoarder cutter faster slower better worse bigger smaller older younger higher lower
    greater lesser fewer trigger marker monitor doppler holter foster alter matter center december
    november october september computer scooter cluster blister plaster filter meter liter inhaler
    ventilator stretcher wheeler roller border trailer corner dinner supper summer winter shower tower
    finger elder indicator predictor contributor barrier blocker inhibitor stressor aggressor chair-user
    quitter layer outer inner upper super proper paper counter encounter register answer chapter character
    easier earlier refer prefer differ suffer offer cover recover discover remember consider deliver
    transfer enter ranger danger hunger anger longer stronger restrainer danger poor floor door minor
    indoor outdoor adult infant elephant pleasant significant relevant constant instant distant important
    want plant transplant implant pregnant dominant remnant giant variant covenant restaurant tenant
    occupant habitant immigrant vagrant covid expert degree knee see three free agree fee tree committee
    employee attendee trainee refugee amputee escapee evacuee dependent independent caregiver caretaker
    guardian lesbian vegetarian christian librarian-patron veteran human woman man men women german roman
    caesarean native-american physical specimen domen abdomen semen hymen acumen lumen stamen omen amen
    regimen process access success excess stress distress weakness illness fitness wellness less unless
    nonetheless mess guess press abscess sickness list exist assist resist insist persist consist fist
    wrist twist cyst mist gist waist moist agonist antagonist historian's page model star sales fellow pro
    staff host guide scout regent present resident-physician transient client recipient patient-reported
    outpatient inpatient hand beforehand offhand secondhand left-hand right-hand nonagenarian octogenarian
    septuagenarian centenarian cook-county""".split()
)  # fmt: skip


_STAFF = frozenset(
    b"""teacher interpreter owner author hospitalist steward nurse doctor physician surgeon pharmacist
    therapist manager director supervisor coordinator resident fellow intern scribe radiologist
    cardiologist neurologist father mother attorney lawyer counselor social worker case manager""".split()
)


class Jobs(NamedTuple):
    """Listed titles, the nouns they end in, and fields of work."""

    titles: frozenset[bytes]
    nouns: frozenset[bytes]


@cache
def _pattern() -> re2._Regexp[bytes]:
    return re2.compile(_PATTERN)


@cache
def _jobs() -> Jobs:
    columns = load("job_titles")
    titles = [
        title.encode() for title, kind in zip(columns["title"], columns["kind"], strict=True) if kind == "job"
    ]
    nouns = {title.rpartition(b" ")[2].rpartition(b"-")[2] for title in titles} - _NOT_JOBS
    return Jobs(frozenset(titles), frozenset(nouns))


def find_professions(scan: Scan) -> None:
    """Claim the jobs in the note."""
    jobs = _jobs()
    for found in _pattern().finditer(scan.low):
        begin, end = found.span()
        cue = _CUE.match(scan.low, begin)
        if cue is None:
            continue
        start, kind = cue.end(), cue.lastindex
        phrase = scan.low[start:end]
        job = _job_in(phrase, jobs, listed=kind is None)
        if job is None:
            continue
        first, last = job
        if scan.low[start - 1 : start] == b"(" and (
            scan.low[start + last : start + last + 1] not in b"),;" or phrase[first:last] in _STAFF
        ):
            continue
        score, rule = _RULES[kind]
        scan.claims.append((start + first, start + last, "PROFESSION", score, rule))
        scan.held.append((0, -1))


_RULES = {1: (0.9, "job"), 2: (0.85, "job_aged"), None: (0.75, "job_loose")}


def _job_in(phrase: bytes, jobs: Jobs, *, listed: bool) -> tuple[int, int] | None:
    """Return where in a phrase the job stands, or nothing."""
    words = phrase.split(b" ")
    first = 0
    while first < len(words) and (words[first] in _PLAIN or (first == 0 and words[0] in (b"a", b"an"))):
        listed = listed and words[first] not in (b"retired", b"former")
        first += 1
    last = -1
    for index in range(first, len(words)):
        if words[index] in _STOP:
            break
        if (
            words[index].rpartition(b"-")[2].rpartition(b"/")[2] in jobs.nouns
            and words[index] not in _NOT_JOBS
        ):
            last = index
    if last < first:
        return None
    while first < last and words[first] in _PLAIN:
        first += 1
    if listed and b" ".join(words[first : last + 1]) not in jobs.titles:
        return None
    begin = sum(len(word) + 1 for word in words[:first])
    return begin, begin + len(b" ".join(words[first : last + 1]))
