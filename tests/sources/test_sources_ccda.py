"""C-CDA: no original in any element, the same structure, one fictional person, bad documents set aside."""

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plainsight.document import Document, SetAside
from plainsight.errors import FormatError
from plainsight.formats.base import write_all
from plainsight.formats.files import MemoryFile
from plainsight.formats.guess import guess
from plainsight.sources.ccda import Ccda
from plainsight.sources.markup_tree import find, local, parse, text_of

EXAMPLE = Path(__file__).parents[2] / "examples" / "clinical" / "ccda.xml"
CDA = EXAMPLE.read_text()
CANARIES = [
    *(
        "Okonkwo",
        "Ngozi",
        "Adaeze",
        "Chidiebere",
        "Baumgartner",
        "Lena",
        "Zephyrhill",
        "19510809",
        "0371-88-214",
    ),
    *("123-45-6789", "555-0187", "555-0144", "Quarrystone", "Larkspire", "20190304", "20190307", "3/7/2019"),
    *("March 4, 2019", "DOC-77812", "V-9921734", "1245319599", "1093817465", "9b2d4f0e", "contact1"),
    "0371-88-214",
]


def read(text, **options):
    file = MemoryFile("a.xml")
    file.data = text.encode()
    [note] = Ccda(**options).read(file)
    return note


def written(note):
    file = MemoryFile("out.xml")
    write_all(Ccda(), [note], file)
    return file.data.decode()


@pytest.fixture(scope="module")
def released(pipeline):
    [note] = pipeline.deidentify([read(CDA)])
    return written(note)


def names(element):
    return [local(element[0]), [names(child) for child in element[2] if not isinstance(child, str)]]


def first(text, *path):
    return find(parse(text), *path)[0]


def test_no_original_is_left(released):
    assert [word for word in CANARIES if word not in CDA] == []
    assert [word for word in CANARIES if word.lower() in released.lower()] == []


def test_redaction_leaves_tags_and_masked_times(load):
    [note] = load("redact").deidentify([read(CDA)])
    text = written(note)
    assert [word for word in CANARIES if word.lower() in text.lower()] == []
    assert first(text, "recordTarget", "patientRole", "patient", "birthTime")[1] == {"nullFlavor": "MSK"}


def test_safe_harbor_keeps_years_states_and_providers(load):
    [note] = load("safe-harbor").deidentify([read(CDA)])
    text = written(note)
    role = first(text, "recordTarget", "patientRole")
    assert find(role, "patient", "birthTime")[0][1] == {"value": "1951"}
    assert text_of(find(role, "addr", "state")[0]) == "OH"
    assert "Baumgartner" in text
    assert "Okonkwo" not in text


def test_structure_codes_and_values_are_those_of_the_original(released):
    assert names(parse(released)) == names(parse(CDA))
    path = ("component", "structuredBody", "component", "section", "entry", "observation")
    before, after = first(CDA, *path), first(released, *path)
    for name in ("templateId", "code", "statusCode", "value"):
        assert find(after, name)[0][1] == find(before, name)[0][1]
    assert re.search(r'xmlns="urn:hl7-org:v3"', released)


def test_header_narrative_and_entries_tell_of_one_person(released):
    patient = first(released, "recordTarget", "patientRole", "patient")
    [family], given = ([text_of(one) for one in find(patient, "name", part)] for part in ("family", "given"))
    guardian = text_of(find(patient, "guardian", "guardianPerson", "name", "given")[0])
    doctor = text_of(first(released, "author", "assignedAuthor", "assignedPerson", "name", "family"))
    phone = first(released, "recordTarget", "patientRole", "telecom")[1]["value"]
    assert text_of(first(released, "title")) == f"Discharge summary of {given[0]} {family}"
    text = first(released, "component", "structuredBody", "component", "section", "text")
    assert f"Mrs. {family} was admitted on" in text_of(text)
    assert text_of(find(text, "paragraph")[0]).endswith(f" by Dr. {doctor}.")
    assert f"{guardian} {family}, " in text_of(text)
    assert phone.removeprefix("tel:").replace(")", ") ") in text_of(text)
    assert f"{given[0]} went home on" in text_of(text)


def test_dates_shift_alike_in_header_entries_and_text(released):
    high = first(released, "componentOf", "encompassingEncounter", "effectiveTime", "high")[1]["value"]
    home = re.search(r"went home on (\d+)/(\d+)/(\d+)", released)
    assert home
    assert f"{home[3]}{int(home[1]):02}{int(home[2]):02}" == high
    assert first(released, "effectiveTime")[1]["value"] == f"{high}103000-0500"


def test_links_within_the_document_still_fit(released):
    [link] = re.findall(r'<reference value="#([^"]+)"', released)
    assert f'ID="{link}"' in released


def test_the_patient_is_found_in_the_text_by_the_header():
    note = read(CDA)
    assert note.patient_id == "0371-88-214"
    assert note.patient.names == ("Ngozi Adaeze Okonkwo",)
    assert note.patient.relatives == ("Chidiebere Okonkwo",)
    assert ("SSN", "123-45-6789") in note.patient.ids


UNKNOWN = [
    "<sdtc:secret>Okonkwo</sdtc:secret>",
    "<Okonkwo/>",
    '<realmCode code="US" note="Okonkwo"/>',
    "<!-- Okonkwo -->",
    "<?Okonkwo x?>",
]


@pytest.mark.parametrize("unknown", UNKNOWN)
def test_what_the_policy_does_not_name_is_dropped_or_refuses_the_document(unknown, tmp_path):
    text = CDA.replace("<realmCode", f"{unknown}<realmCode", 1).replace("Okonkwo</", "X</")
    note = read(text)
    assert "Okonkwo" not in written(note).partition("<recordTarget>")[0].partition("<title>")[0]
    policy = tmp_path / "fields.toml"
    policy.write_text('[ccda]\nunknown = "refuse"\n')
    if not unknown.startswith(("<!", "<?")):
        assert "_dropped_fields" in note.meta
        with pytest.raises(FormatError):
            read(text, fields=policy)


def test_a_field_policy_of_the_user(tmp_path):
    policy = tmp_path / "fields.toml"
    policy.write_text('[ccda.elements]\nmaritalStatusCode = "drop"\n"patient/name" = "name DOCTOR"\n')
    note = read(CDA, fields=policy)
    assert "maritalStatusCode" not in written(note)
    assert {field.label for field in note.fields if field.value == "Ngozi"} == {"DOCTOR"}


BODY = "<component><nonXMLBody><text{}>{}</text></nonXMLBody></component>"


@pytest.mark.parametrize(
    ("attributes", "content", "stays"),
    [
        (' mediaType="text/plain"', "Mrs. Okonkwo came.", True),
        (' mediaType="text/plain" representation="B64"', "TXJzLiBPa29ua3dvIGNhbWUu", True),
        (' mediaType="image/png" representation="B64"', "TXJzLiBPa29ua3dvIGNhbWUu", False),
    ],
)
def test_a_body_that_is_no_xml(attributes, content, stays):
    start, end = CDA.index("<component>"), CDA.rindex("</component>") + len("</component>")
    note = read(CDA[:start] + BODY.format(attributes, content) + CDA[end:])
    assert ("Mrs. Okonkwo came." in note.text) is stays
    assert (content in written(note)) is stays


BAD = [
    *("", "<a/>", "<ClinicalDocument>", "not XML", "<ClinicalDocument>" + "<a>" * 500),
    '<!DOCTYPE a [<!ENTITY b "c">]><ClinicalDocument>&b;</ClinicalDocument>',
]


@pytest.mark.parametrize("bad", BAD)
def test_bad_documents_are_set_aside(bad, tmp_path):
    (tmp_path / "bad.xml").write_text(bad)
    (tmp_path / "good.xml").write_text(CDA)
    aside, good = Ccda().read(tmp_path)
    assert isinstance(aside, SetAside)
    assert isinstance(good, Document)


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_damage_never_stops_a_run(data):
    words = re.split(r"([<>\"= /])", CDA)
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(words) - 1))
        words[place] = data.draw(st.sampled_from(["", "x", "name", "value", "id", "text", "#", "é", "2019"]))
    try:
        note = read("".join(words))
    except FormatError:
        return
    again = read(written(note))
    assert again.text.split() == note.text.split()


def test_it_is_recognised(tmp_path):
    assert guess(EXAMPLE) == "ccda"
    (tmp_path / "a.xml").write_text(CDA)
    assert guess(tmp_path) == "ccda"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (r'displayName="[^"]*"', 'displayName="Planted Name"'),
        (r'codeSystemName="[^"]*"', 'codeSystemName="Planted Name"'),
        (r'<typeId [^>]*/>', '<typeId root="Planted Name" extension="Planted Name"/>'),
        (r"<templateId [^>]*/>", '<templateId root="1.2" assigningAuthorityName="Planted Name"/>'),
        (r"<ClinicalDocument ", '<ClinicalDocument xmlns:x="Planted Name" xmlnsx="Planted Name" '),
        (r'<id root="[^"]*"', '<id nullFlavor="Planted Name" root="1.2"'),
        (r"<component>", "<component><manufacturedProduct><manufacturerOrganization><name>Planted Name</name>"
         "</manufacturerOrganization></manufacturedProduct>"),
        (r"<component>", "<component><lotNumberText>Planted Name</lotNumberText>"),
    ],
)  # fmt: skip
def test_no_words_stay_unread(old, new):
    text, count = re.subn(old, new, CDA, count=1)
    assert count
    assert "Planted" not in repr(read(text).meta["_record"])
