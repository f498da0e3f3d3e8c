"""The words that announce an identifying number, by kind. Data only: `numbers` reads them.

Cues are plain words in lower case, one or two to a cue; ``_`` joins two and stands for a blank, a full stop,
a hyphen, or nothing. Cues in ``words`` may stand straight before the value; those in ``numbered`` are
ordinary words that need "no.", "number", "#" or "ID" after them.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["FAMILIES", "FIELDS", "INSURERS", "RESPONDERS", "UNITS", "VACCINES", "WORDS", "Family"]


class Family(NamedTuple):
    """Cues of one label that are read alike."""

    label: str
    score: float
    words: str
    numbered: str = ""
    digits: int = 4
    """Fewest digits of a value that stands straight behind a cue; behind "no." or "#" three are enough."""
    kind: str = "id"
    """How a value is read, see `values`."""
    sure: bool = False
    """No other number follows these cues, so even four digits or what looks like a day is a value."""
    codes: bool = False
    """Short codes of letters and digits follow these cues: two digits are enough among letters."""
    suffix: bool = False
    """A value may end in a person code set apart: `W22910447 02`."""


FAMILIES: tuple[Family, ...] = (
    Family(
        "SSN", 0.97, kind="ssn",
        words="""ssn ssns ss social_security soc_sec social last_four last_4 last4 ssn4 sin social_insurance
        ppsn pps tfn aadhaar""",
        numbered="ss ssn social social_security soc_sec social_insurance sin pps ppsn",
    ),
    Family(
        "MEDICALRECORD", 0.98, digits=3, sure=True,
        words="mrn medical_record medical_records med_rec med_record patient_id pt_id",
        numbered="""mr mrn unit u hosp hospital patient pt client clinic consumer res resident facility
        our your old chart record medical_record med_rec""",
    ),
    Family("MEDICALRECORD", 0.95, "chart wristband hrn empi record expediente ur_no urn", digits=3),
    Family("MEDICALRECORD", 0.9, "mr", digits=5),
    Family(
        "ACCOUNT", 0.95,
        words="acct account accts acnt csn har fin hsp encounter encounters enc visit receipt",
        numbered="acct account visit encounter enc e_r er bill billing guarantor episode bank card fin csn",
    ),
    Family(
        "HEALTHPLAN", 0.95, digits=4, suffix=True,
        words="""member member_id mbr subscriber subscriber_id policy medicare medicaid mcr mcd mbi hic hicn
        claim claims clm auth authorization nhs ohip phn hcn ramq ahcccs chip icn ins insurance
        plan plan_id tricare medi_cal masshealth providerone blue_cross health_card hic/mbi
        mcr/mbi chi nhi ihi dva hn health_number medical_aid scheme abha folio aetna cigna humana
        anthem bcbs uhc united_healthcare kaiser wellcare molina hmo ppo medigap health_plan""",
        numbered="""plan payer ins insurance hic auth claim clm policy health_card preauth member subscriber
        nhs chi medicare medicaid dva health medical_aid scheme""",
    ),
    Family("HEALTHPLAN", 0.9, "group grp", "group grp", digits=2, kind="group"),
    Family(
        "LICENSE", 0.95,
        words="""lic license licence licensed dea npi upin ptan clia ncpdp nabp gmc nmc gdc hcpc imc mcrn
        mcnz minc ahpra hpcsa cpso cpsbc arrt ardms ascp dl cdl odl medical_council
        registration reg_no""",
        numbered="""lic license licence cert reg registration prov provider prac practice bar
        rn lpn emt_b emt_p emt adc dea npi lvn prescriber gmc imc nmc hpcsa ahpra council""",
    ),
    Family(
        "LICENSE", 0.85, digits=5,
        words="cert certificate reg rn lpn lvn dpt slp lcsw lmft lpc lmhc rph crna rrt dds dmd otr cnm aprn",
    ),
    Family(
        "VEHICLE", 0.93, kind="plate", digits=1,
        words="plate plates license_plate lic_plate tag vin placard tail aircraft acft",
        numbered="plate tag vehicle permit placard vin",
    ),
    Family(
        "VEHICLE", 0.85, kind="callsign", digits=1,
        words="""medic squad rescue engine ladder rig ambulance lifeguard trooper lifeflight life_flight
        lifenet lifestar airmed airevac air_evac medflight eaglemed starflight aircare airlife careflight
        medstar mercy_air""",
    ),
    Family("VEHICLE", 0.8, "unit ems air_evac native_air tail_number", digits=1, kind="unit"),
    Family(
        "DEVICE", 0.95, codes=True,
        words="""s/n sn ser serial model udi device_id transmitter asset tele_box telemetry_pack
        telemetry_box tele_pack analyzer cart lot lots imei""",
        numbered="s/n sn ser serial model device lot catalog cat item part asset pump",
    ),
    Family("DEVICE", 0.85, "generator lead instrument machine controller processor explant", digits=5),
    Family(
        "BIOID", 0.9,
        words="""fingerprint fingerprints fingerprint_card thumbprint voiceprint voice_print palm_vein
        palm_print iris_code iris_scan retina_scan retinal_scan face_template faceprint biometric afis
        afis_print dna_profile tcn vein_template""",
        numbered="fingerprint thumbprint voiceprint palm_vein vein biometric print face",
    ),
    Family(
        "IDNUM", 0.9,
        words="""accession acc accn acsn specimen spec case order ord req requisition rx job
        dictation doc document report ref reference referral confirmation tracking ticket incident passport
        visa a_number alien uscis badge ssid booking inmate adc c_file service_no edipi
        voucher waybill fedex ups certified_mail file batch index tape voiceid voice_id voice_file
        cause docket petition police_report crash citation warrant tin tax_id ein fein interpreter_id
        languageline inv invoice eft msg_id precert census rpt prescription vaers
        isbt irb kit subj subject""",
        numbered="""case order ord job doc md report ref study exam autopsy path tape batch index
        confirmation kit subject bag band badge emp employee student inmate booking cath film
        screening service census crash certificate seal file log dictation script rx set registry incident
        store sample tube lab accession specimen voucher
        tracking ticket docket referral cause run acc req alien waitlist interpreter tax""",
    ),
    Family(
        "IDNUM", 0.9, codes=True,
        words="terminal workstation ws unos_id activation_code access_code unos",
        numbered="unos donor",
    ),
    Family(
        "IDNUM", 0.8, digits=5,
        words="""run trip study film path pathology biopsy bx slides slide block blocks culture cultures
        frozen crossmatch sample tube screening protocol site emp employee student bag band
        blood_unit opo donor_id log session registry seal""",
    ),
    Family("IDNUM", 0.75, "id", "id", digits=4, suffix=True),
)  # fmt: skip

UNITS = frozenset(
    b"""mg ml mcg g kg cm mm cc units unit u iu meq l hr hrs hours h min mins minutes
    days day d weeks week wks wk months month mo years year yr yrs y yo bpm lb lbs oz tabs tab caps puffs
    puff doses dose ng pg mmol mmhg cells times percent pack packs beats copies cfu cells steps kcal miles
    mi ft feet""".split()
)
"""Words after a number that make it a measurement."""

FIELDS = frozenset(
    b"""ID UID TCN MRN DOB SSN FIN CSN ICD CPT NPI DEA AGE SEX HCPCS NDC TEL FAX EXT
    DATE TIME ROOM TYPE FORM REV PAGE NHS MBI HICN""".split()
)
"""Fields that may stand between a cue and a number of their own: `case CPT 93458`, `Rx NPI 1558040023`."""

WORDS = frozenset(
    b"""ED ER OR ICU RN MD DO PA NP LPN PT OT AM PM DX RX TX HX BP HR RR INR CT MRI US EF
    EKG ECG PH DAY RM BED PG POD HD GRADE IV PO IM""".split()
)
"""Short words that may stand where the letters of a value would; only long numbers have such letters."""

VACCINES = frozenset(
    b"""vaccine vaccines vax vaccination immunization booster tdap dtap td dt flu
    influenza covid pfizer moderna boostrix adacel menactra menveo mmr varicella hepb hepa hep prevnar
    pneumovax shingrix gardasil pcv ipv hib fluzone flublok fluarix rhogam rhig naloxone narcan deltoid im
    thigh dose vial vials mcg allergen serum toxoid rabavert hyperrab""".split()
)
"""Words before a lot number that make it a vaccine's or a drug's, not a device's."""

INSURERS = frozenset(
    b"""insurance ins plan payer insurer carrier medicaid medicare advantage hmo ppo
    mutual aetna cigna humana anthem bcbs cross shield medigap ahcccs benefit coverage supplement
    kaiser""".split()
)
"""Words before an ID that make it a plan's."""

RESPONDERS = frozenset(
    b"""ems ambulance fire medic crew rescue dispatch dispatched police trooper
    transport flight air acadian medics paramedics als bls fd cct county arrival evac native squad
    run""".split()
)
"""Words before a unit number that make it a crew's, not a ward's."""
