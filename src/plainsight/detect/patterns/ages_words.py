"""The words by which an age is known: relatives, persons, milestones; and what makes a number no age."""

from __future__ import annotations

__all__ = [
    "CHRONIC", "FAMILY", "ILL", "KIN", "MEASURED", "MEASURE_AFTER", "MILESTONE", "NOT_AGES", "NOT_NAMES",
    "PEOPLE", "PERSON", "PLURAL", "POPULATION", "RELATIVE", "SMALL_NUMBERS", "THINGS", "TOOLS_AFTER", "words",
]  # fmt: skip


def words(text: str) -> frozenset[bytes]:
    """Return the words of a text as a set."""
    return frozenset(text.encode().split())


RELATIVE = (
    r"(?:(?:great[- ]?)*(?:grand|step|half[- ]|god|foster )?(?:mother|father|brother|sister|son|daughter|mom"
    r"|dad|dtr"
    r"|child|children|kids?|parents?|aunt|uncle|niece|nephew)s?|fathre|mum|mommy|mama|daddy|papa|bro|sis"
    r"|sibs?|siblings?|boys"
    r"|girls|twins?|wife|husband|husb|spouse|partner|fiancee?|boyfriend|girlfriend|auntie|cousins?|(?-i:MGM"
    r"|MGF|PGM|PGF|Mo|Fa|PU"
    r"|MU)|donor|recipient|baby|infant|toddler|newborn)"
)
"""People around the patient, as a pattern fragment."""

PERSON = (
    r"(?:man|woman|male|female|boy|girl|gentleman|lady|pt|patient|client|child|resident|subject|candidate"
    r"|widow|widower|veteran"
    r"|claimant|defendant|decedent|driver|passenger|victim|adolescent|teen|teenager)"
)
"""The patient by any noun, as a pattern fragment."""

PLURAL = words(
    "children kids sibs siblings sons daughters brothers sisters boys girls twins parents grandchildren aunts"
    " uncles"
)

POPULATION = words(
    "adults patients women men children kids people persons those anyone everyone individuals infants over"
    " under above"
    " below older younger than least screening recommended guidelines guideline recommend approved indicated"
    " risk average"
    " females males adolescents boys girls between > < >= <= ="
)
"""Words that speak of everybody's age, not of this person's."""

NOT_AGES = words(
    "bone gestational mental developmental menstrual postmenstrual conceptual postconceptual lung vascular"
    " heart skeletal fetal equivalent"
)
"""What stands before ``age`` when it is no age of a person."""

MEASURED = words(
    "bmi hr bp rr ef hgb hct wbc plt inr temp t pulse sat sats spo2 o2 score scores gcs mmse moca weight wt"
    " height ht a1c k na"
    " cr bun glucose sugar sugars dose rate level goal ph lvef qrs qtc phq gad ldl hdl bnp peep fio2 cvp map"
    " crp esr tsh psa"
    " meld count fev1 fvc bed room rm apt suite unit floor age number total length width depth dbp sbp it bg"
    " bs bili trop uop pas sao2"
)
"""Subjects of ``is`` that are no persons."""

MEASURE_AFTER = words(
    "mg mcg ml cc g gm gms kg cm mm m ft feet foot lb lbs pounds oz ounce ounces inch inches iu u unit units"
    " meq mmol mmhg kcal cal"
    " calories liters l litre h hr hrs hour hours min mins minutes minute sec secs seconds d day days nights"
    " night wk wks week"
    " weeks mo mos month months steps words people miles mile yards degrees percent % pts points dollars"
    " cells puffs drops reps"
    " sets meters times x ppd packs pack cigarettes cigs beers drinks am pm a.m p.m o'clock st street ave"
    " tabs tablets pills caps"
    " other more children kids brothers sisters sons daughters siblings sibs boys girls cats dogs"
    " grandchildren grandkids"
    " doses visits sessions cycles nodes stitches sutures staples bpm % beats french fr gauge gtt drips"
)
"""Units and counted things: a bare number before one is no age."""

TOOLS_AFTER = words(
    "foley sheath sheaths catheter cath drain introducer guide chest tube tubes dilator sheath. pigtail red"
    " robinson coude ureteral stent"
    " access system arterial venous"
)
"""Tools sized in French: the F of ``16F Foley`` is no sex."""

MILESTONE = (
    r"(?:walked|crawled|sat(?: up)?|rolled(?: over)?|talked|first words?|smiled|menarche|menopause|puberty"
    r"|potty trained"
    r"|toilet trained|first child|first baby)"
)
"""What a child or a woman does at an age."""

ILL = (
    r"(?:died|passed|death|deceased|expired|dx|dx'd|diagnosed|diagnosis|onset|adopted|begun|began|started"
    r"|quit|stopped|fell|same"
    r"|stroke|mi|cva|cabg|cancer|ca|scd|married|enlisted|widowed|orphaned|emigrated|immigrated|retired"
    r"|smoking|drinking|pregnant"
    r"|sober|unaffected|affected)"
)
"""What happens to a person at an age."""

CHRONIC = (
    r"(?:diabetes|dm[12]?|t[12]dm?|iddm|niddm|asthma|epilepsy|seizures|hypertension|htn|migraines?"
    r"|type (?:[12]|i{1,2}))"
)
"""What a person has since an age."""

KIN = words(
    "mother father brother sister son daughter mom dad dtr child children kid kids parent parents aunt uncle"
    " niece nephew brothers"
    " sisters sons daughters aunts uncles nieces nephews mum mommy mama daddy papa bro sis sib sibs sibling"
    " siblings boys girls twin"
    " twins wife husband husb spouse partner fiance fiancee boyfriend girlfriend auntie cousin cousins mgm"
    " mgf pgm pgf donor recipient"
    " baby infant toddler newborn grandmother grandfather grandson granddaughter grandma grandpa grandparents"
    " grandchildren stepmother"
    " stepfather stepson stepdaughter stepbrother stepsister half-brother half-sister great-grandmother"
    " great-grandfather great-aunt"
    " great-uncle great-niece great-nephew great-grandson grandkids fathre mo fa pu mu stepmom stepdad"
    " half-sib grandchild"
    " godmother godfather godson"
)
"""Relatives, each a word."""

FAMILY = KIN | words("fh fhx fam family maternal paternal proband")
"""Words of a family history."""

PEOPLE = KIN | words(
    "man woman male female boy girl gentleman lady pt patient client resident subject candidate widow widower"
    " veteran claimant"
    " defendant decedent driver passenger victim adolescent teen teenager mr mrs ms miss name named friend"
    " roommate neighbor"
    " counselor"
)
"""Words that a person's name follows."""

SMALL_NUMBERS = words("one two three four five six seven eight nine ten")

NOT_NAMES = MEASURED | words(
    "at in on with till until to for of has had was is are who and work home call called room took over about"
    " well"
)
"""Words after a relative that are no name."""

THINGS = MEASURED | words(
    "creatinine hemoglobin hematocrit temperature pulse pain today it this there that height total size"
    " sodium potassium"
    " ejection calcium braden morse norton glasgow apgar ranson wells barthel katz mayo tanner highway route"
    " hwy rte room bed page"
    " day unit suite building table figure grade stage type level class phase cycle part section step week"
    " month january february"
    " march april may june july august september october november december monday tuesday wednesday thursday"
    " friday saturday"
    " sunday respirations saturation oxygen platelets albumin bilirubin lactate intake output vitals vital"
    " chapter line item"
    " question score exercise lot no number box district local post chair bay channel exit mile interstate"
    " apartment apt goal"
    " oximetry max target fick index ratio bicarbonate factor scale"
)
"""Capitalised words that a number follows and that are nobody's name."""
