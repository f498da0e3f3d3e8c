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
from plainsight.locale import default_locale

_words, _patterns = default_locale().word_sets("professions"), default_locale().patterns("professions")
_SURE, _AGED, _LOOSE, _ENDS = (_patterns[key].encode() for key in ("sure", "aged", "loose", "ends"))
_BREAKS, _DESCRIBING = _words["breaks"], _words["describing"]
_NOT_JOBS, _STAFF = _words["not_jobs"], _words["staff"]
# RE2 finds the stretch without groups, which keeps it on its fast path; the parts are told apart afterwards.
_PATTERN = (
    rb"\b(?:" + _SURE + rb"|" + _AGED + rb"|" + _LOOSE + rb")"
    rb"(?:[a-z][a-z'&/-]* ){0,3}[a-z'/-]*(?:" + _ENDS + rb")\b"
)
_CUE = re.compile(rb"(?:(" + _SURE + rb")|(" + _AGED + rb")|(?:" + _LOOSE + rb"))")


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
    while first < len(words) and (words[first] in _DESCRIBING or (first == 0 and words[0] in (b"a", b"an"))):
        listed = listed and words[first] not in (b"retired", b"former")
        first += 1
    last = -1
    for index in range(first, len(words)):
        if words[index] in _BREAKS:
            break
        if (
            words[index].rpartition(b"-")[2].rpartition(b"/")[2] in jobs.nouns
            and words[index] not in _NOT_JOBS
        ):
            last = index
    if last < first:
        return None
    while first < last and words[first] in _DESCRIBING:
        first += 1
    if listed and b" ".join(words[first : last + 1]) not in jobs.titles:
        return None
    begin = sum(len(word) + 1 for word in words[:first])
    return begin, begin + len(b" ".join(words[first : last + 1]))
