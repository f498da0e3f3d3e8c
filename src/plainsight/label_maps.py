"""Maps between our labels and those of other corpora and systems.

What a many-to-one map loses:

| scheme | whose labels | lost on the way in | lost on the way out |
|---|---|---|---|
| `i2b2-2006` | the 8 types of that challenge | kinds of place and number | the same and professions |
| `i2b2-2014` | the types of that challenge | ROOM and DEPARTMENT | nothing |
| `mask` | MASK's 7 flat categories | all but the category | all but the category |
| `meddocan` | MEDDOCAN's 29 types | sex, kinship, traits; kinds of place | kinds of place, SSN, logins |
| `neuroner` | what NeuroNER's models emit | nothing | nothing |
| `presidio` | Presidio's entity names | kinds of person and place | the same and numbers; professions |

A label that stands for several of ours becomes the general one among them (`LOCATION` -> LOCATION_OTHER,
`ID` -> IDNUM) or, for people, the more protected one (`NAME` -> PATIENT), so that nothing falls out of a
label group by being mapped. A label that marks no identifier by our guide becomes None.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from plainsight.errors import DataError, UsageError, suggest

__all__ = ["SCHEMES", "Scheme", "from_ours", "to_ours"]


@dataclass(frozen=True, slots=True)
class Scheme:
    """Another label set: its labels as ours, and ours as its labels; None where there is no counterpart."""

    name: str
    inward: Mapping[str, str | None]
    outward: Mapping[str, str | None]


def _scheme(
    name: str, theirs: Mapping[str | None, str], *, ours: Mapping[str, str | None] | None = None
) -> Scheme:
    """Build a scheme from ``our label -> their labels``, the first of them being the one we write.

    Their labels under None have no counterpart here; ``ours`` adds labels that only go outward.
    """
    inward = {label: our for our, labels in theirs.items() for label in labels.split()}
    outward: dict[str, str | None] = {our: labels.split()[0] for our, labels in theirs.items() if our}
    return Scheme(name, MappingProxyType(inward), MappingProxyType({**outward, **(ours or {})}))


def _outward(**groups: str) -> dict[str, str | None]:
    """Turn ``THEIR="OUR OUR"`` into a map from ours to theirs."""
    return {our: their for their, ours in groups.items() for our in ours.split()}


_NUMBERS = "SSN MEDICALRECORD HEALTHPLAN ACCOUNT LICENSE VEHICLE DEVICE BIOID"
_PLACES = "ORGANIZATION STREET CITY STATE COUNTRY ZIP"
_CONTACTS = "PHONE FAX EMAIL URL IPADDR"
_SAME = f"PATIENT DOCTOR USERNAME PROFESSION HOSPITAL {_PLACES} AGE DATE {_CONTACTS} {_NUMBERS} IDNUM".split()
"""The 27 labels that the 2014 challenge spells as we do; the 28th is LOCATION_OTHER."""

_I2B2_2006 = _scheme(
    "i2b2-2006",
    {
        "PATIENT": "PATIENT",
        "DOCTOR": "DOCTOR",
        "HOSPITAL": "HOSPITAL",
        "LOCATION_OTHER": "LOCATION",
        "DATE": "DATE",
        "AGE": "AGE",
        "IDNUM": "ID",
        "PHONE": "PHONE",
    },
    # There, ID is any string of letters, digits and signs that identifies: e-mail and web addresses too.
    ours={
        **_outward(LOCATION=_PLACES, PHONE="FAX", ID=f"USERNAME EMAIL URL IPADDR {_NUMBERS}"),
        "PROFESSION": None,
    },
)

_I2B2_2014 = _scheme(
    "i2b2-2014",
    {
        **{label: label for label in _SAME},
        # A ward or a room that points to a place is HOSPITAL here.
        "HOSPITAL": "HOSPITAL ROOM DEPARTMENT",
        # The corpus writes the first, the challenge's own reader also takes the others.
        "LOCATION_OTHER": "LOCATION-OTHER OTHER LOCATION_OTHER",
        "IPADDR": "IPADDR IPADDRESS",
    },
)

_MASK = _scheme(
    "mask",
    {
        "PATIENT": "NAME",
        "PROFESSION": "PROFESSION",
        "LOCATION_OTHER": "LOCATION",
        "AGE": "AGE",
        "DATE": "DATE",
        "PHONE": "CONTACT",
        # PHI is a stray class of that system, without a kind: it stays an identifier.
        "IDNUM": "ID PHI",
    },
    ours=_outward(
        NAME="DOCTOR USERNAME",
        LOCATION=f"HOSPITAL {_PLACES}",
        CONTACT="FAX EMAIL URL IPADDR",
        ID=_NUMBERS,
    ),
)

_MEDDOCAN = _scheme(
    "meddocan",
    {
        "PATIENT": "NOMBRE_SUJETO_ASISTENCIA",
        "DOCTOR": "NOMBRE_PERSONAL_SANITARIO",
        "PROFESSION": "PROFESION",
        "HOSPITAL": "HOSPITAL CENTRO_SALUD",
        "ORGANIZATION": "INSTITUCION",
        "STREET": "CALLE",
        "LOCATION_OTHER": "TERRITORIO",
        "COUNTRY": "PAIS",
        "AGE": "EDAD_SUJETO_ASISTENCIA",
        "DATE": "FECHAS",
        "PHONE": "NUMERO_TELEFONO",
        "FAX": "NUMERO_FAX",
        "EMAIL": "CORREO_ELECTRONICO",
        "URL": "URL_WEB",
        "IPADDR": "DIREC_PROT_INTERNET",
        "MEDICALRECORD": "ID_SUJETO_ASISTENCIA",
        "HEALTHPLAN": "ID_ASEGURAMIENTO NUMERO_BENEF_PLAN_SALUD",
        "ACCOUNT": "ID_CONTACTO_ASISTENCIAL",
        "LICENSE": "ID_TITULACION_PERSONAL_SANITARIO",
        "VEHICLE": "IDENTIF_VEHICULOS_NRSERIE_PLACAS",
        "DEVICE": "IDENTIF_DISPOSITIVOS_NRSERIE",
        "BIOID": "IDENTIF_BIOMETRICOS",
        "IDNUM": "OTRO_NUMERO_IDENTIF ID_EMPLEO_PERSONAL_SANITARIO",
        # 'woman', 'mother', 'tattoo': words that our guide does not mark.
        None: "SEXO_SUJETO_ASISTENCIA FAMILIARES_SUJETO_ASISTENCIA OTROS_SUJETO_ASISTENCIA",
    },
    ours=_outward(
        TERRITORIO="CITY STATE ZIP",
        ID_ASEGURAMIENTO="SSN",  # the Spanish insurance number is the social security number
        ID_EMPLEO_PERSONAL_SANITARIO="USERNAME",
    ),
)

_NEURONER = _scheme(
    "neuroner",
    # The released models know 23 of these; what is missing never occurred in their training data.
    {**{label: label for label in _SAME}, "LOCATION_OTHER": "LOCATION_OTHER"},
)

_PRESIDIO = _scheme(
    "presidio",
    {
        "PATIENT": "PERSON",
        "ORGANIZATION": "ORGANIZATION",
        "LOCATION_OTHER": "LOCATION",
        # Nationality, religion or political group: nationalities are COUNTRY here.
        "COUNTRY": "NRP",
        "AGE": "AGE",
        "DATE": "DATE_TIME",
        "ZIP": "CA_POSTAL_CODE UK_POSTCODE DE_PLZ",
        "PHONE": "PHONE_NUMBER ZA_MOBILE_NUMBER ZA_TELEPHONE_NUMBER",
        "EMAIL": "EMAIL_ADDRESS EMAIL",
        "URL": "URL",
        "IPADDR": "IP_ADDRESS",
        "SSN": "US_SSN US_ITIN CA_SIN",
        "HEALTHPLAN": """US_HEALTH_INSURANCE_MEMBER_ID US_MBI US_CLAIM_NUMBER UK_NHS AU_MEDICARE
            DE_HEALTH_INSURANCE""",
        "ACCOUNT": "US_BANK_NUMBER ABA_ROUTING_NUMBER IBAN_CODE CREDIT_CARD CRYPTO",
        "LICENSE": """MEDICAL_LICENSE US_NPI US_DRIVER_LICENSE UK_DRIVING_LICENCE IT_DRIVER_LICENSE
            KR_DRIVER_LICENSE ZA_DRIVER_LICENSE DE_FUEHRERSCHEIN DE_LANR DE_BSNR""",
        "VEHICLE": """UK_VEHICLE_REGISTRATION IN_VEHICLE_REGISTRATION NG_VEHICLE_REGISTRATION DE_KFZ
            TR_LICENSE_PLATE ZA_LICENSE_PLATE ZA_TRAFFIC_REGISTER_NUMBER""",
        "DEVICE": "MAC_ADDRESS",
        "IDNUM": """
            ID UUID US_PASSPORT US_PRESCRIPTION_NUMBER US_PRIOR_AUTHORIZATION_NUMBER US_REFERRAL_NUMBER
            US_PROVIDER_TAX_ID UK_NINO UK_PASSPORT AU_ABN AU_ACN AU_TFN DE_HANDELSREGISTER DE_ID_CARD
            DE_PASSPORT DE_SOCIAL_SECURITY DE_TAX_ID DE_TAX_NUMBER DE_VAT_ID ES_NIE ES_NIF ES_PASSPORT
            FI_PERSONAL_IDENTITY_CODE IN_AADHAAR IN_GSTIN IN_PAN IN_PASSPORT IN_VOTER IT_FISCAL_CODE
            IT_IDENTITY_CARD IT_PASSPORT IT_VAT_CODE KR_BRN KR_FRN KR_PASSPORT KR_RRN NG_NIN PH_PASSPORT
            PH_TIN PH_UMID PL_PESEL SE_ORGANISATIONSNUMMER SE_PERSONNUMMER SG_NRIC_FIN SG_UEN TH_TNIN
            TR_NATIONAL_ID ZA_COMPANY_REGISTRATION ZA_ID_NUMBER ZA_INCOME_TAX_NUMBER ZA_PASSPORT
            ZA_VAT_NUMBER""",
    },
    ours={
        **_outward(
            PERSON="DOCTOR",
            ORGANIZATION="HOSPITAL",
            LOCATION="STREET CITY STATE COUNTRY ZIP",
            PHONE_NUMBER="FAX",
            ID="USERNAME MEDICALRECORD ACCOUNT LICENSE VEHICLE DEVICE BIOID HEALTHPLAN",
        ),
        "PROFESSION": None,
    },
)

SCHEMES: Mapping[str, Scheme] = MappingProxyType(
    {scheme.name: scheme for scheme in (_I2B2_2006, _I2B2_2014, _MASK, _MEDDOCAN, _NEURONER, _PRESIDIO)}
)
"""Every other label set, by name."""


def to_ours(scheme: str, label: str) -> str | None:
    """Return our label for another scheme's, or None where its label marks nothing that we mark.

    >>> to_ours("i2b2-2014", "LOCATION-OTHER")
    'LOCATION_OTHER'
    """
    return _look_up(scheme, label, _named(scheme).inward)


def from_ours(scheme: str, label: str) -> str | None:
    """Return another scheme's label for ours, or None where it has no such label.

    >>> from_ours("meddocan", "DOCTOR")
    'NOMBRE_PERSONAL_SANITARIO'
    """
    return _look_up(f"plainsight (to {scheme})", label, _named(scheme).outward)


def _named(scheme: str) -> Scheme:
    try:
        return SCHEMES[scheme]
    except KeyError:
        raise UsageError(f"unknown label scheme {scheme!r}{suggest(scheme, SCHEMES)}") from None


def _look_up(whose: str, label: str, known: Mapping[str, str | None]) -> str | None:
    try:
        return known[label]
    except KeyError:
        raise DataError(f"unknown {whose} label{_shown(label, known)}") from None


def _shown(label: str, known: Iterable[str]) -> str:
    """Name a wrong label and the nearest right one, unless it may be note text from a broken file."""
    if not re.fullmatch(r"[A-Z][A-Z0-9_-]{0,39}", label):
        return ": not a name in capitals"
    return f" {label!r}{suggest(label, known)}"
