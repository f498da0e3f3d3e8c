"""Words that tell who or what stands beside them: titles, credentials, relations, roles, labels, verbs.

All are lower case, as they look in the lowered shadow of a note. ``P`` marks cues of patients, relatives
and other people outside the clinic (PATIENT), ``D`` those of providers and staff (DOCTOR).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

__all__ = [
    "CREDENTIALS",
    "CUES",
    "EPONYM_NOUNS",
    "LABELS",
    "PLACE_WORDS",
    "SHARED_CREDENTIALS",
    "SPEECH",
    "Cue",
    "ends_medically",
]

P, D = "PATIENT", "DOCTOR"


class Cue(NamedTuple):
    """What stands left of a name: whose name it says this is, and how strongly.

    Weight 4 is a form label, 3 a title, 2 a relation, role or signature, 1 a hint, 0 nothing.
    """

    label: str
    weight: int


def _words(text: str) -> list[bytes]:
    return text.encode().split()


_TITLES = {
    P: """mr mrs ms miss mx messrs mssrs mister missus madam madame mme mlle senor senora srta sra rev
    reverend fr pastor deacon rabbi imam bishop monsignor msgr chaplain officer ofc ofcr det detective sgt
    sergeant lt lieutenant capt captain cpl cpt pfc deputy trooper sheriff judge hon justice atty attorney
    esq coach""",
    D: "dr drs doctor dra doctora prof professor",
}
_KIN = {
    P: """wife husband spouse son daughter dtr mother father mom mum dad mommy daddy mama papa sister
    brother aunt auntie uncle cousin niece nephew grandmother grandfather grandson granddaughter grandma
    grandpa granny gramma gma gpa nana abuela abuelo tia tio maw paw stepson stepdaughter stepfather
    stepmother stepdad stepmom stepbrother stepsister partner fiance fiancee girlfriend boyfriend gf bf
    friend neighbor neighbour roommate roomate housemate caregiver guardian widow widower ex ex-wife
    ex-husband ex-boyfriend ex-girlfriend ex-partner son-in-law daughter-in-law mother-in-law
    father-in-law sister-in-law brother-in-law mil fil sil bil in-law in-laws twin twins sibling siblings
    brothers sisters sons daughters children kids nephews nieces grandchildren grandkids godmother
    godfather godson goddaughter landlord landlady lawyer nickname nicknamed named name dear surnamed aka
    a.k.a alias nee coworker co-worker boss foreman teammate classmate companion significant s.o hubby
    wifey parent parents babysitter nanny cellmate bunkmate sponsor decedent proband hcp hcpoa dpoa poa
    nok proxy surrogate conservator patient pt pts client inmate infant newborn baby toddler child girl
    boy informant guarantor policyholder subscriber insured employee claimant examinee plaintiff defendant
    veteran""",
    D: """nurse rn lpn lvn cna np arnp aprn fnp pa pa-c md do crna cnm midwife cnp pcp pmd attending attg
    resident intern fellow surgeon physician hospitalist intensivist pharmacist pharmd therapist counselor
    counsellor psychologist psychiatrist cardiologist neurologist nephrologist urologist oncologist
    hematologist gastroenterologist pulmonologist endocrinologist rheumatologist dermatologist
    ophthalmologist optometrist podiatrist radiologist pathologist anesthesiologist anesthetist anesthesia
    anes orthopedist neurosurgeon pediatrician obstetrician gynecologist ob internist geriatrician
    generalist gp physiatrist dentist hygienist orthodontist audiologist chiropractor acupuncturist
    dietitian dietician nutritionist tech technician technologist sonographer phlebotomist perfusionist
    paramedic medic emt scribe interpreter translator transcriptionist scheduler receptionist coordinator
    navigator registrar supervisor sw msw lcsw csw lsw doula hha aide orderly clerk secretary slp ot
    dpt rt rrt crt ma pss chw hhrn dnp rd rdn ccc-slp lmft lpc lmhc sitter scrub circulator circ assistant
    preceptor student pgy pgy1 pgy2 pgy3 ms3 ms4 msiii msiv sub-i nocturnist consultant clinician provider
    practitioner extern locum oncall on-call charge author editor staff reader transcriber dictator
    stenographer surg cards neuro neph pulm gi id heme onc ortho psych endo rheum derm uro vasc ent optho
    ophtho nsgy trauma transplant ir ep peds renal gyn icu ed er""",
}
_SIGNED = {
    D: "by per signed cosigned dictated transcribed attested /s/ /es/ sig esigned e-signed electronically "
    "reviewed authenticated cc attn",
}
_WEAK = {
    P: "with w/ from to for and than saw met told asked when because while says is was that until if but",
    D: "paged notified contacted consulted discussed called",
}

CUES: Mapping[bytes, Cue] = {
    **{word: Cue(label, 1) for label, words in _WEAK.items() for word in _words(words)},
    **{word: Cue(label, 2) for label, words in _SIGNED.items() for word in _words(words)},
    **{word: Cue(label, 2) for label, words in _KIN.items() for word in _words(words)},
    **{word: Cue(label, 3) for label, words in _TITLES.items() for word in _words(words)},
}
"""Cue word left of a name to what it says. Weight 3: a title; 2: a relation, role or signing word; 1: a
    hint."""

_LABEL_WORDS = {
    P: """name patient pt client re subject regarding examinee decedent proband newborn mother father
    guardian guarantor agent contact nok kin hcp poa proxy spouse wife husband son daughter sister brother
    mom dad employee insured subscriber member infant baby child student parent parents caregiver
    alternate witness claimant plaintiff defendant emergency relationship surname lastname firstname last
    first teacher landlord notify recipient donor label prefers managing rec'd received following inmate
    resident-name cl employee-name notified bailiff deceased relative family""",
    D: """attending attg pcp pmd provider physician surgeon assistant assistants asst anesthesiologist
    anesthetist referring referrer by author cc attn attention nurse rn md do np pa resident fellow intern
    staff consultant therapist clinician counselor operator scribe tech technologist technician
    interpreter manager sw lpn cna crna cosigner cosign signature signed surgeons physicians dictator
    transcriptionist pharmacist radiologist pathologist cardiologist reader preceptor hospitalist doctor
    dr coordinator supervisor navigator endoscopist proceduralist obstetrician pediatrician midwife
    perfusionist circulator scrub dietitian receptionist dictated transcribed approved authenticated
    examiner investigator pi to from via medic oncologist neurologist nephrologist urologist psychiatrist
    psychologist endocrinologist gastroenterologist internist dentist hygienist lcsw msw lead primary
    covering consult team secondary neuro cards pulm renal""",
}
LABELS: Mapping[bytes, str] = {word: label for label, words in _LABEL_WORDS.items() for word in _words(words)}
"""Last word of a form label (``Attending:``) to the label of what follows."""

CREDENTIALS: frozenset[bytes] = frozenset(
    _words(
        """md m.d d.o rn r.n lpn lvn cna np arnp aprn fnp fnp-c fnp-bc np-c anp agnp agacnp acnp pnp cpnp
        pmhnp pmhnp-bc whnp dnp cnp crnp msn bsn pa-c pac pharmd rph ph.d phd psyd psy.d edd ed.d dds dmd
        dpm od dc dpt mpt otr otr/l cota pta slp ccc-slp slp-ccc ccc-a aud rd rdn ldn cde cdces lcsw licsw
        lcsw-c lmsw msw lisw csw lpc lpcc lmhc lmft mft lcdc lcpc cadc ladc crna cnm cpm rrt rrt-nps crt
        emt emt-p emt-b nrp paramedic rt(r) rdms rvt rdcs facs facc facp facog faap frcp frcs frcpc fccp
        fasn faan mbbs mbchb mb bch mph mha mba do ma cma rma cmt ccrn cen ocn cwocn wocn cwcn cgc lcgc ms
        pgy pgy-1 pgy-2 pgy-3 pgy-4 pgy-5 pgy1 pgy2 pgy3 pgy4 pgy5 ms3 ms4 ms-iii ms-iv msiii msiv r1 r2
        r3 r4 bcps bcba cht atc lat ccls rnc rnc-ob rnfa cnor jd esq cst hha gnp cns clc ibclc lac lmt
        ms-4 ms-3 dvm lmp crc crnp hospitalist attending resident intern fellow neuropsychologist pss chw
        csa"""
    )
)
"""Credentials after a name, written in capitals (dots at the ends dropped)."""

SHARED_CREDENTIALS: frozenset[bytes] = frozenset(_words("md do ma pa ms ot pt rt sw od co mb dc mft lat"))
"""Credentials that also stand for something else (a state, a therapy): they count only after a name."""

SPEECH: frozenset[bytes] = frozenset(
    _words(
        """says said states stated reports reported denies denied called calls asks asked told tells wants
        wanted agrees agreed feels felt thinks thought lives lived works worked came comes went goes is
        was has had will would does did knows knew remembers verbalized understands understood declined
        refused accepted notified aware arrived presents presented returns returned reviewed recommends
        recommended saw paged signed wrote brought drove drives takes took gave helped helps stays stayed
        moved died passed met needs needed likes loves hopes worries worried signs spoke speaks texted
        phoned emailed explained discussed suggests suggested advised requested requests notes noted
        describes described continues continued remains became can cannot could may should who whose"""
    )
)
"""Words right of a name that show somebody acting."""

EPONYM_NOUNS: frozenset[bytes] = frozenset(
    _words(
        """disease diseases syndrome syndromes sign signs test tests score scores scale scales index
        criteria criterion stage staging grade class classification type category rule rules risk palsy
        paralysis phenomenon reflex reaction maneuver manoeuvre procedure operation repair resection
        technique method approach incision position gait tremor chorea dementia encephalopathy ataxia
        seizure seizures epilepsy anemia lymphoma leukemia sarcoma carcinoma tumor tumour cyst cysts node
        nodes nodule nodules ulcer ulcers fracture fractures dislocation deformity contracture hernia
        fistula abscess cell cells body bodies granules crystals cast casts line lines ring rings plane
        spot spots stain culture medium agar tube tubes catheter catheters drain drains cannula needle
        forceps clamp clamps retractor speculum scissors blade suture sutures stitch knot splint brace
        collar frame traction lift bed chair table boot wrap dressing bag mask valve shunt shunts filter
        balloon stent graft pouch loop limb anastomosis flap murmur pulse pulses wave waves block
        arrhythmia pattern rhythm respirations respiration breathing angina thyroiditis goiter
        ophthalmopathy orbitopathy phenomenon esophagus oesophagus diverticulum duct gland glands canal
        ligament tendon muscle space pouch point triangle area membrane loops tubule tubules node's fever
        gangrene jaundice purpura vasculitis arteritis aneurysm nephropathy nephritis kidney hepatitis
        cirrhosis virus bacillus toxin chromosome mutation factor antigen antibody antibodies inhibitor
        effect law equation formula protocol regimen trial study inventory questionnaire interview exam
        examination assessment checklist form screen solution lotion paste powder tape strip strips pad
        pads bottle monitor meter device system machine pump unit units lamp laser scan view views angle
        measurement ratio zone level levels pressure volume capacity curve plot knee elbow neck shoulder
        foot toe wrist finger thumb hip bunion osteotomy arthroplasty fusion approach rod rods plate screw
        screws pin pins wire wires nail nails neuroma neuropathy neuralgia myopathy dystrophy atrophy
        sclerosis psychosis amnesia aphasia afasia area's cough croup barium breath diet exercise
        exercises roll walker cane crutches cot lens lenses chart papilla pit pits plaques patches plaque
        lesion lesions macule melanosis nevus erythema spots eczema lichen body's tubercles glands sinus
        tract aqueduct foramen fascia sulcus fissure gyrus horn commissure ganglion plexus nerve
        hemangioma lipoma mole pneumonia empyema asthma emphysema bronchitis reflux achalasia web
        stricture colitis enteritis bodies' heart circulation shunting tetralogy anomaly malformation
        sequence association complex triad tetrad pentad horse measles yogurt salad pepper wort fire dance
        coat house cola sauce cheese encephalitis flu coma sepsis shock variant modification positive
        negative neg pos absent equivocal"""
    )
)
"""Words after a surname that make it an eponym, or a product, in that place."""

_MEDICAL_ENDINGS = _words(
    """plasty scopy ectomy otomy ostomy itis osis emia aemia uria pathy graphy gram algia ology ologic
        ologist penia philia megaly rrhea rrhoea rrhage tripsy pexy desis centesis lysis trophy trophic
        genic scopic plegia paresis oma omas omy idine amine azole mycin cillin pril sartan statin olol
        dipine mab nib vir azepam caine oxacin phylline terol sone solone gliptin gliflozin parin platin
        rubicin taxel ation ations itive ically ically ness ment ments able ible ical ated izing ized
        ising ised virus bacter coccus bacillus"""
)
_BY_LAST_TWO: Mapping[bytes, tuple[bytes, ...]] = {
    ending[-2:]: tuple(other for other in _MEDICAL_ENDINGS if other[-2:] == ending[-2:])
    for ending in _MEDICAL_ENDINGS
}


def ends_medically(low: bytes) -> bool:
    """Return whether a word that no list holds ends as clinical and Latin words do, so that it is no name.

    >>> ends_medically(b"cystolithotripsy"), ends_medically(b"quillerby")
    (True, False)
    """
    endings = _BY_LAST_TWO.get(low[-2:])
    return endings is not None and low.endswith(endings)


PLACE_WORDS: frozenset[bytes] = frozenset(
    _words(
        """county parish borough township twp park lake river creek bay beach island islands isle mountain
        mountains mtn valley canyon forest reservation rez pueblo bridge trail springs falls harbor
        harbour heights hills hill village square sq plaza airport field station pier wharf gorge ridge
        peak prairie swamp bayou peninsula cape reservoir dam marina mall landing crossing district desert
        basin hollow holler mesa expressway parkway turnpike pkwy tpke freeway cemetery campground
        speedway stadium arena fairgrounds courthouse zoo aquarium co mount mt fort ft camp port highway
        hwy route rt rte interstate fm us i road"""
    )
)
"""Words that make their neighbours the name of a county, a road, a water, a landmark."""
