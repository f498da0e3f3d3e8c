"""The label set, its groups, and the maps from and to other label sets."""

import re

import pytest

from plainsight import labels
from plainsight.errors import DataError, PolicyError, UsageError
from plainsight.labels import CATEGORIES, CATEGORY_OF, GROUPS, LABELS, SCHEMES, from_ours, group, to_ours


def test_there_are_28_labels_in_7_categories() -> None:
    assert len(LABELS) == len(set(LABELS)) == 28
    assert len(CATEGORIES) == 7
    assert set(CATEGORY_OF) == set(LABELS)


def test_groups_are_nested() -> None:
    assert (
        group("safe-harbor") - {"USERNAME"}
        == group("A")
        < group("B")
        < group("C")
        < group("all")
        == set(LABELS)
    )
    assert group("B") - group("A") == {"DOCTOR", "USERNAME"}
    assert group("C") - group("B") == {"HOSPITAL", "STATE", "COUNTRY"}


def test_i2b2_hipaa_is_the_set_of_the_official_scorer() -> None:
    assert group("i2b2-hipaa") == {
        *("PATIENT", "AGE", "CITY", "STREET", "ZIP", "ORGANIZATION", "DATE", "PHONE", "FAX", "EMAIL", "SSN"),
        *("MEDICALRECORD", "HEALTHPLAN", "ACCOUNT", "LICENSE", "VEHICLE", "DEVICE", "BIOID", "IDNUM"),
    }


def test_groups_of_corpora_and_laws() -> None:
    assert group("mimic") == group("i2b2-2006") == group("C")
    assert group("i2b2-2014") == group("phipa") == group("gdpr") == group("all")


def test_unknown_group_names_the_nearest() -> None:
    with pytest.raises(PolicyError, match="did you mean 'safe-harbor'"):
        group("safe-habor")


def test_constants_cannot_be_changed() -> None:
    for table in (CATEGORIES, CATEGORY_OF, GROUPS, SCHEMES):
        with pytest.raises(TypeError):
            table["X"] = ()  # type: ignore[index]


TO_OURS = {
    "i2b2-2006": """
        PATIENT PATIENT | DOCTOR DOCTOR | HOSPITAL HOSPITAL | LOCATION LOCATION_OTHER | DATE DATE | AGE AGE
        ID IDNUM | PHONE PHONE""",
    "i2b2-2014": """
        PATIENT PATIENT | DOCTOR DOCTOR | USERNAME USERNAME | PROFESSION PROFESSION | ROOM HOSPITAL
        DEPARTMENT HOSPITAL | HOSPITAL HOSPITAL | ORGANIZATION ORGANIZATION | STREET STREET | CITY CITY
        STATE STATE | COUNTRY COUNTRY | ZIP ZIP | LOCATION-OTHER LOCATION_OTHER | OTHER LOCATION_OTHER
        LOCATION_OTHER LOCATION_OTHER | AGE AGE | DATE DATE | PHONE PHONE | FAX FAX | EMAIL EMAIL | URL URL
        IPADDR IPADDR | IPADDRESS IPADDR | SSN SSN | MEDICALRECORD MEDICALRECORD | HEALTHPLAN HEALTHPLAN
        ACCOUNT ACCOUNT | LICENSE LICENSE | VEHICLE VEHICLE | DEVICE DEVICE | BIOID BIOID | IDNUM IDNUM""",
    "mask": """
        NAME PATIENT | PROFESSION PROFESSION | LOCATION LOCATION_OTHER | AGE AGE | DATE DATE | CONTACT PHONE
        ID IDNUM | PHI IDNUM""",
    "meddocan": """
        NOMBRE_SUJETO_ASISTENCIA PATIENT | NOMBRE_PERSONAL_SANITARIO DOCTOR | PROFESION PROFESSION
        HOSPITAL HOSPITAL | CENTRO_SALUD HOSPITAL | INSTITUCION ORGANIZATION | CALLE STREET
        TERRITORIO LOCATION_OTHER | PAIS COUNTRY | EDAD_SUJETO_ASISTENCIA AGE | FECHAS DATE
        NUMERO_TELEFONO PHONE | NUMERO_FAX FAX | CORREO_ELECTRONICO EMAIL | URL_WEB URL
        DIREC_PROT_INTERNET IPADDR | ID_SUJETO_ASISTENCIA MEDICALRECORD | ID_ASEGURAMIENTO HEALTHPLAN
        NUMERO_BENEF_PLAN_SALUD HEALTHPLAN | ID_CONTACTO_ASISTENCIAL ACCOUNT
        ID_TITULACION_PERSONAL_SANITARIO LICENSE | ID_EMPLEO_PERSONAL_SANITARIO IDNUM
        IDENTIF_VEHICULOS_NRSERIE_PLACAS VEHICLE | IDENTIF_DISPOSITIVOS_NRSERIE DEVICE
        IDENTIF_BIOMETRICOS BIOID | OTRO_NUMERO_IDENTIF IDNUM
        SEXO_SUJETO_ASISTENCIA - | FAMILIARES_SUJETO_ASISTENCIA - | OTROS_SUJETO_ASISTENCIA -""",
    "mimic": """
        PATIENT PATIENT | PROVIDER DOCTOR | HOSPITAL HOSPITAL | WARD HOSPITAL | EMPLOYER ORGANIZATION
        ADDRESS LOCATION_OTHER | STATE STATE | COUNTRY COUNTRY | AGE AGE | DATE DATE | PHONE PHONE
        EMAIL EMAIL | URL URL | SSN SSN | MEDICALRECORD MEDICALRECORD | ACCOUNT ACCOUNT | LICENSE LICENSE
        VEHICLE VEHICLE | BIOID BIOID | ID IDNUM""",
    "philter": """
        Name PATIENT | Provider_Address_or_Location LOCATION_OTHER | Age AGE | DATE DATE | Email EMAIL
        Patient_Social_Security_Number SSN | OTHER IDNUM""",
    "physionet": """
        NAME PATIENT | DOCTOR DOCTOR | HOSPITAL HOSPITAL | WARD HOSPITAL | COMPANY ORGANIZATION
        ADDRESS STREET | LOCATION LOCATION_OTHER | STATE STATE | ZIP ZIP | COUNTRY COUNTRY | AGE AGE
        DATE DATE | PHONE PHONE | EMAIL EMAIL | URL URL | SSN SSN | MRN MEDICALRECORD | ID IDNUM
        PHI IDNUM""",
    "neuroner": " | ".join(f"{label} {label}" for label in LABELS),
    "presidio": """
        PERSON PATIENT | ORGANIZATION ORGANIZATION | LOCATION LOCATION_OTHER | NRP COUNTRY | AGE AGE
        DATE_TIME DATE | PHONE_NUMBER PHONE | EMAIL_ADDRESS EMAIL | EMAIL EMAIL | URL URL | IP_ADDRESS IPADDR
        US_SSN SSN | US_ITIN SSN | CA_SIN SSN | MAC_ADDRESS DEVICE | ID IDNUM | UUID IDNUM
        CA_POSTAL_CODE ZIP | UK_POSTCODE ZIP | DE_PLZ ZIP | ZA_MOBILE_NUMBER PHONE | ZA_TELEPHONE_NUMBER PHONE
        US_HEALTH_INSURANCE_MEMBER_ID HEALTHPLAN | US_MBI HEALTHPLAN | US_CLAIM_NUMBER HEALTHPLAN
        UK_NHS HEALTHPLAN | AU_MEDICARE HEALTHPLAN | DE_HEALTH_INSURANCE HEALTHPLAN
        US_BANK_NUMBER ACCOUNT | ABA_ROUTING_NUMBER ACCOUNT | IBAN_CODE ACCOUNT | CREDIT_CARD ACCOUNT
        CRYPTO ACCOUNT | MEDICAL_LICENSE LICENSE | US_NPI LICENSE | US_DRIVER_LICENSE LICENSE
        UK_DRIVING_LICENCE LICENSE | IT_DRIVER_LICENSE LICENSE | KR_DRIVER_LICENSE LICENSE
        ZA_DRIVER_LICENSE LICENSE | DE_FUEHRERSCHEIN LICENSE | DE_LANR LICENSE | DE_BSNR LICENSE
        UK_VEHICLE_REGISTRATION VEHICLE | IN_VEHICLE_REGISTRATION VEHICLE | NG_VEHICLE_REGISTRATION VEHICLE
        DE_KFZ VEHICLE | TR_LICENSE_PLATE VEHICLE | ZA_LICENSE_PLATE VEHICLE
        ZA_TRAFFIC_REGISTER_NUMBER VEHICLE""",
}
PRESIDIO_NUMBERS = """
    US_PASSPORT US_PRESCRIPTION_NUMBER US_PRIOR_AUTHORIZATION_NUMBER US_REFERRAL_NUMBER US_PROVIDER_TAX_ID
    UK_NINO UK_PASSPORT AU_ABN AU_ACN AU_TFN DE_HANDELSREGISTER DE_ID_CARD DE_PASSPORT DE_SOCIAL_SECURITY
    DE_TAX_ID DE_TAX_NUMBER DE_VAT_ID ES_NIE ES_NIF ES_PASSPORT FI_PERSONAL_IDENTITY_CODE IN_AADHAAR IN_GSTIN
    IN_PAN IN_PASSPORT IN_VOTER IT_FISCAL_CODE IT_IDENTITY_CARD IT_PASSPORT IT_VAT_CODE KR_BRN KR_FRN
    KR_PASSPORT KR_RRN NG_NIN PH_PASSPORT PH_TIN PH_UMID PL_PESEL SE_ORGANISATIONSNUMMER SE_PERSONNUMMER
    SG_NRIC_FIN SG_UEN TH_TNIN TR_NATIONAL_ID ZA_COMPANY_REGISTRATION ZA_ID_NUMBER ZA_INCOME_TAX_NUMBER
    ZA_PASSPORT ZA_VAT_NUMBER"""

FROM_OURS = {
    "i2b2-2006": """
        PATIENT DOCTOR ID - HOSPITAL LOCATION LOCATION LOCATION LOCATION LOCATION LOCATION LOCATION
        AGE DATE PHONE PHONE ID ID ID ID ID ID ID ID ID ID ID ID""",
    "i2b2-2014": """
        PATIENT DOCTOR USERNAME PROFESSION HOSPITAL ORGANIZATION STREET CITY STATE COUNTRY ZIP
        LOCATION-OTHER AGE DATE PHONE FAX EMAIL URL IPADDR SSN MEDICALRECORD HEALTHPLAN ACCOUNT LICENSE
        VEHICLE DEVICE BIOID IDNUM""",
    "mask": """
        NAME NAME NAME PROFESSION LOCATION LOCATION LOCATION LOCATION LOCATION LOCATION LOCATION LOCATION
        AGE DATE CONTACT CONTACT CONTACT CONTACT CONTACT ID ID ID ID ID ID ID ID ID""",
    "meddocan": """NOMBRE_SUJETO_ASISTENCIA NOMBRE_PERSONAL_SANITARIO ID_EMPLEO_PERSONAL_SANITARIO PROFESION
        HOSPITAL INSTITUCION CALLE TERRITORIO TERRITORIO PAIS TERRITORIO TERRITORIO EDAD_SUJETO_ASISTENCIA
        FECHAS NUMERO_TELEFONO NUMERO_FAX CORREO_ELECTRONICO URL_WEB DIREC_PROT_INTERNET ID_ASEGURAMIENTO
        ID_SUJETO_ASISTENCIA ID_ASEGURAMIENTO ID_CONTACTO_ASISTENCIAL ID_TITULACION_PERSONAL_SANITARIO
        IDENTIF_VEHICULOS_NRSERIE_PLACAS IDENTIF_DISPOSITIVOS_NRSERIE IDENTIF_BIOMETRICOS
        OTRO_NUMERO_IDENTIF""",
    "mimic": """
        PATIENT PROVIDER ID - HOSPITAL EMPLOYER ADDRESS ADDRESS STATE COUNTRY ADDRESS ADDRESS AGE DATE PHONE
        PHONE EMAIL URL URL SSN MEDICALRECORD ACCOUNT ACCOUNT LICENSE VEHICLE VEHICLE BIOID ID""",
    "philter": """
        Name Name OTHER - Provider_Address_or_Location Provider_Address_or_Location
        Provider_Address_or_Location
        Provider_Address_or_Location Provider_Address_or_Location Provider_Address_or_Location
        Provider_Address_or_Location Provider_Address_or_Location Age DATE OTHER OTHER Email OTHER OTHER
        Patient_Social_Security_Number OTHER OTHER OTHER OTHER OTHER OTHER OTHER OTHER""",
    "physionet": """
        NAME DOCTOR ID - HOSPITAL COMPANY ADDRESS LOCATION STATE COUNTRY ZIP LOCATION AGE DATE PHONE PHONE
        EMAIL URL URL SSN MRN ID ID ID ID ID ID ID""",
    "neuroner": " ".join(LABELS),
    "presidio": """PERSON PERSON ID - ORGANIZATION ORGANIZATION LOCATION LOCATION LOCATION LOCATION LOCATION
        LOCATION AGE DATE_TIME PHONE_NUMBER PHONE_NUMBER EMAIL_ADDRESS URL IP_ADDRESS US_SSN ID ID ID ID ID ID
        ID ID""",
}


def _pairs(scheme: str) -> dict[str, str | None]:
    pairs = (pair.split() for pair in re.split(r"\||\n", TO_OURS[scheme]) if pair.strip())
    table = {theirs: None if ours == "-" else ours for theirs, ours in pairs}
    return table | dict.fromkeys(PRESIDIO_NUMBERS.split(), "IDNUM") if scheme == "presidio" else table


@pytest.mark.parametrize("scheme", SCHEMES)
def test_every_label_inward(scheme: str) -> None:
    expected = _pairs(scheme)
    assert dict(SCHEMES[scheme].inward) == expected
    assert {label: to_ours(scheme, label) for label in expected} == expected


@pytest.mark.parametrize("scheme", SCHEMES)
def test_every_label_outward(scheme: str) -> None:
    written = [None if label == "-" else label for label in FROM_OURS[scheme].split()]
    assert [from_ours(scheme, label) for label in LABELS] == written


@pytest.mark.parametrize("scheme", SCHEMES)
def test_maps_stay_inside_both_label_sets(scheme: str) -> None:
    inward, outward = SCHEMES[scheme].inward, SCHEMES[scheme].outward
    assert set(inward.values()) - {None} <= set(LABELS)
    assert set(outward) == set(LABELS)
    assert set(outward.values()) - {None} <= set(inward)


def test_sizes_of_the_label_sets() -> None:
    assert len(SCHEMES["i2b2-2006"].inward) == 8
    assert len(SCHEMES["meddocan"].inward) == 29


@pytest.mark.parametrize("scheme", ["i2b2-2014", "neuroner"])
def test_one_to_one_maps_come_back(scheme: str) -> None:
    assert [to_ours(scheme, from_ours(scheme, label) or "") for label in LABELS] == list(LABELS)


@pytest.mark.parametrize(
    ("scheme", "lost"),
    [
        ("i2b2-2006", set()),
        ("mask", {"PHI"}),
        ("meddocan", {"CENTRO_SALUD", "NUMERO_BENEF_PLAN_SALUD", "ID_EMPLEO_PERSONAL_SANITARIO"}),
        ("i2b2-2014", {"ROOM", "DEPARTMENT", "OTHER", "LOCATION_OTHER", "IPADDRESS"}),
    ],
)
def test_their_labels_come_back_but_for_the_named_ones(scheme: str, lost: set[str]) -> None:
    inward = {theirs: ours for theirs, ours in SCHEMES[scheme].inward.items() if ours}
    assert {theirs for theirs, ours in inward.items() if from_ours(scheme, ours) != theirs} == lost


@pytest.mark.parametrize("scheme", SCHEMES)
def test_no_identifier_leaves_safe_harbor_by_a_round_trip(scheme: str) -> None:
    for label in group("safe-harbor"):
        theirs = from_ours(scheme, label)
        assert theirs, label
        assert to_ours(scheme, theirs) in group("safe-harbor"), label


def test_unknown_scheme_names_the_nearest() -> None:
    with pytest.raises(UsageError, match="did you mean 'meddocan'"):
        to_ours("medocan", "FECHAS")


def test_unknown_labels_name_the_nearest() -> None:
    with pytest.raises(DataError, match="unknown i2b2-2014 label 'PATEINT'; did you mean 'PATIENT'"):
        to_ours("i2b2-2014", "PATEINT")
    with pytest.raises(DataError, match=r"unknown plainsight \(to mask\) label 'NAME'"):
        from_ours("mask", "NAME")


def test_what_may_be_note_text_is_not_repeated() -> None:
    with pytest.raises(DataError) as caught:
        to_ours("i2b2-2014", "Mrs. Adeyemi lives at 4 Elm St")
    assert "Adeyemi" not in str(caught.value)


def test_all_names_are_public() -> None:
    assert all(hasattr(labels, name) for name in labels.__all__)
