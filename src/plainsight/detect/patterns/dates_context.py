"""What stands around a date: the words before and after, and what they say.

A pair of numbers is a date or a ratio by its company: ``on 4/5`` against ``strength 4/5``. Windows are
bounded, so a check costs the same in a line of a megabyte.
"""

from __future__ import annotations

from functools import lru_cache

__all__ = [
    "BEFORE_DATE", "CLOCK_BEFORE", "DOSED", "ID_BEFORE", "MEASURED", "MEASURE_AFTER", "RATIO_AFTER",
    "RATIO_BEFORE", "STRONG_BEFORE", "after", "before", "begins_line", "clause_before", "is_event",
    "is_measure", "last_word", "nearest", "next_word", "words",
]  # fmt: skip

_MEASURE_MARKS = (b"%", b'"', b"'", b"+")
_TRIM = b".,:;()[]{}\"'*-~=<>|_@&+?!#"
_TRIM_ALL = _TRIM + b" \t\n\r\x0b\x0c"


def words(text: str) -> frozenset[bytes]:
    """Return the words of a text as a set."""
    return frozenset(text.encode().split())


def last_word(text: bytes, start: int) -> bytes:
    """Return the word before an offset on its line, trimmed and in lower case; the cheapest look."""
    words = text[start - 20 if start > 20 else 0 : start].rpartition(b"\n")[2].rsplit(None, 1)
    return words[-1].lower().strip(_TRIM) if words else b""


def next_word(text: bytes, end: int) -> bytes:
    """Return the word after an offset on its line, trimmed and in lower case."""
    words = text[end : end + 32].partition(b"\n")[0].split(None, 1)
    return words[0].lower().strip(_TRIM) if words else b""


def before(text: bytes, start: int) -> list[bytes]:
    """Return the words before an offset on its line, the nearest last, trimmed and in lower case."""
    window = text[start - 48 if start > 48 else 0 : start].lower()
    return [word.strip(_TRIM) for word in window.rpartition(b"\n")[2].split()]


def nearest(text: bytes, start: int) -> list[bytes]:
    """Return the last four words before an offset on its line, as `before` does."""
    line = text[start - 48 if start > 48 else 0 : start].rpartition(b"\n")[2]
    return [word.strip(_TRIM) for word in line.lower().rsplit(None, 4)[-4:]]


def begins_line(text: bytes, start: int) -> bool:
    """Tell whether only blanks and marks stand before an offset on its line."""
    return not text[start - 48 if start > 48 else 0 : start].rpartition(b"\n")[2].strip(_TRIM_ALL)


def after(text: bytes, end: int) -> list[bytes]:
    """Return the words after an offset on its line, the nearest first, trimmed and in lower case."""
    window = text[end : end + 32].lower()
    cut = window.find(b"\n")
    return [word.strip(_TRIM) for word in (window if cut < 0 else window[:cut]).split()]


def is_measure(text: bytes, end: int) -> bool:
    """Tell whether a unit or a counted thing follows a number."""
    mark = text[end : end + 1]
    if mark == b" ":
        if not text[end + 1 : end + 2].isalpha():
            return False
        return text[end + 1 : end + 20].split(None, 1)[0].lower().strip(_TRIM) in MEASURE_AFTER
    if mark == b"-":  # a 1/2-inch cut
        return text[end + 1 : end + 2].isalpha() and next_word(text, end + 1) in MEASURE_AFTER
    return mark in _MEASURE_MARKS or mark.isalpha()


def clause_before(text: bytes, start: int) -> list[bytes]:
    """Return the words before an offset in its clause."""
    window = text[max(0, start - 48) : start].lower()
    cut = max(window.rfind(mark) for mark in (b"\n", b",", b";", b". "))
    return [word.strip(_TRIM) for word in window[cut + 1 :].split()]


STRONG_BEFORE = words(
    "on since until untill till til thru through due dated date dates effective eff starting beginning"
    " ending circa dob birthdate lmp edc edd rtc appt appointment"
)
"""Words that hardly anything but a date follows."""

BEFORE_DATE = STRONG_BEFORE | words(
    "by from before after between around approx approximately ca of next last nxt prev previous prior every"
    " each during began"
)
"""Words that a date often follows."""

_EVENTS = words(
    "appts visit visits f/u fu followup follow-up ov hv tc t/c call contact note notes addendum addend log"
    " clinic surgery"
    " surg op session conference conf meeting hearing exam eval seen saw adm admit admission dc d/c d/c'd"
    " dc'd dx dx'd"
    " disch discharge dos doi doa soc cert recert exp expires start stop begun held done given drawn coll"
    " sent rec'd recd"
    " rcvd resent read born died d passed quit fell came left got met ct cta mri mra mr cxr xr x-ray xray"
    " film films echo"
    " tte tee ekg ecg egd cath pet us u/s duplex bx biopsy mammo dexa labs lab bmp cbc cmp inr a1c hba1c cx"
    " bcx ucx ua pcr"
    " ett mibi pft pfts emg eeg lp ercp mrcp ptca pci cabg turp orif tka tha svd nsvd c-section tdap td flu"
    " shot ppd"
    " vaccine booster refill fill rx psa pap ultrasound scan study report letter fax msg vm lvm lm drink use"
    " transfer rev"
    " review recheck ck check trip return returns today tonight yesterday tomorrow home back out off weight"
    " wt tetanus"
    " repeat starts ready slot trach peg picc port foley stent line resched sched sw pt ot notified cleared"
    " line site"
)

_EVENT_ENDINGS = (b"ed", b"ing", b"scopy", b"tomy", b"graphy", b"gram", b"'d")

RATIO_BEFORE = words(
    "pain strength motor power reflex reflexes dtr dtrs murmur grade gr apgar apgars score scores scale"
    " recall memory"
    " mmse moca mini-cog cog clock gcs phq phq-2 phq-9 phq-8 phq9 phq2 phq-a gad gad-7 gad7 gds epds katz adl"
    " adls iadl"
    " iadls pupils pupil pulses tof monofilament mono beighton aldrete baker painad cpot quad quads"
    " quadriceps biceps"
    " triceps deltoid deltoids grip arm arms leg legs le ue rue lue rle lle bue ble ext extension flexion"
    " wrist"
    " finger fingers ankle df pf ehl throughout severity intensity rated rates day d abx hd pod cycle"
    " page pg p pp hla signs sign criteria teach-back naming phrases snellen acuity va visual"
    " depression iddsi timi heart wells test m-chat mchat ros systems feet foot vibration pinprick"
    " tob smokes smoke smoking hpv mg nottingham gleason bishop oswestry oxford barthel braden kanavel"
    " waddell"
    " limit max worst best hoarse sensation shingrix nodes oriented jobe crackles rales s/p"
    " completed attended cultures cp ha headache discomfort takes took take hep neuro rating scoring recalled"
    " graded scored"
    " measured remembered named balance jerk jerks mallampati prep difficulty bpp profile"
)
"""Words that a ratio or a score follows."""

MEASURE_AFTER = words(
    "tab tabs tablet tablets pill pills cap caps capsule capsules strength murmur sem bottles bottle ppd pack"
    " packs pk cup"
    " cups tsp tbsp lumen lumens ns saline strength mg mcg ml cc g gm gms kg cm mm m ft feet foot lb lbs"
    " pounds oz ounce"
    " ounces inch inches iu u unit units meq mmol mmhg kcal cal calories calorie liters l litre litres h hr"
    " hrs hour hours"
    " min mins minutes minute sec secs seconds d day days nights night nites wk wks week weeks mo mos month"
    " months yr yrs"
    " year years steps words people miles mile yards degrees percent pts points dollars cells copies puffs"
    " sprays drops"
    " reps sets meters times x ma gy cgy cfu mcg/kg mg/kg ml/hr cc/hr g/dl mg/dl mg/day units/day ml/day mg/d"
    " g/d l/d"
    " %ile percentile o'clock stools episodes cans beers drinks cigs cigarettes stairs meals nodes node sln"
    " cycles cycle"
    " doses teeth elements attempts trials systolic holosystolic holosys pansystolic pain throughout thruout"
    " bilat"
    " bilaterally proximally distally symmetric objects items cores digits cracker extremities shoulder hand"
    " biceps triceps"
    " deltoids quadriceps hamstrings strengths correct full intact inch-long ejection substernal chest"
    " pressure"
    " discomfort headache cramping burning sharp dull aching severity intensity trocar trocars visiport"
    " achilles patellar"
)
"""Units and counted things: a number before one is no date."""

RATIO_AFTER = words(
    "diastolic pain throughout thruout bilat bilaterally b/l brisk sites match criteria grew mssa mrsa gpc"
    " gnr cons up"
    " intact each bid tid qd qid qhs qam qpm daily ac hs rest worst now before after completed le ue at motor"
    " on upper"
    " lower symmetric items correct visits sessions right left lesions signs quality sharp dull severity"
    " worse better of"
    " occipital frontal substernal neg negative pos positive in r l and"
)
"""Words that often follow a ratio or a score."""

MEASURED = words(
    "hr bp sbp dbp map sat sats spo2 o2 sao2 pulse rate rates glucose glucoses bg bgs bs sugar sugars fsbs fs"
    " ef temp"
    " temps tmax hct hgb plt plts inr cvp icp systolic systolics diastolic diastolics pressure pressures"
    " readings reading"
    " percentile level levels desat desats desatted desaturated dropped ran runs running range ranges rr resp"
    " weight"
    " weights fio2 oxygen saturation saturations monitor tele score scores iq bpm pulses bps tones rhythm fht"
    " fhts down"
)
"""Measurements whose values are spoken of as ``in the 50s``."""

CLOCK_BEFORE = words(
    "at @ time about approx approximately around arrived arrival onset eta etd lkw tone resp dispatched enrt"
    " enroute hosp"
    " scene o/s start end shift here tonight today yesterday noc hs bed speaker thigh bedside arom srom rom"
    " delivered"
    " called paged tod pronounced sudden am pm service chair"
)
"""Words that a time of day such as 1930 follows."""

ID_BEFORE = words(
    "mrn mr mr# chart acct account acct# no number num id id# ref ref# case case# file claim clm fin csn har"
    " accession"
    " acc specimen order orders rx# lot ser serial sn s/n model ssn ss policy member grp group auth batch job"
    " index doc"
    " license lic dea npi upin room rm bed ext box suite ste apt tel ph phone fax pager cell run form nvic"
    " code cpt icd"
    " hicn enrolled v ver version section sec part chapter page reg unit visa control base ste"
)
"""Words that a number of some other kind follows."""

DOSED = words(
    "suboxone zubsolv bunavail prograf tacrolimus nph regular reg humalog novolog lantus levemir insulin"
    " lispro aspart"
    " humulin novolin norco percocet vicodin lortab hydrocodone oxycodone sinemet carbidopa vytorin caduet"
    " lotrel azor"
    " exforge twynsta ziac hyzaar symbyax glyxambi qtern tarka advair dulera symbicort breo anoro stiolto"
    " coumadin"
    " warfarin lasix prednisone lisinopril-hctz losartan-hctz amlodipine-benazepril metformin glucovance"
    " janumet"
    " entresto synjardy xigduo buprenorphine bup/nal augmentin peep ac simv vent bipap cpap ipap"
)
"""Drugs and settings written as a pair: ``Suboxone 8/2``, ``NPH 24/16``."""


@lru_cache(maxsize=8192)
def is_event(word: bytes) -> bool:
    """Tell whether a word names an event that a date follows: a listed one, or a past tense."""
    return word in _EVENTS or (len(word) > 4 and word.endswith(_EVENT_ENDINGS))
