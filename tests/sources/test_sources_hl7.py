"""HL7 v2 messages: no original in any field, one fictional person, bad messages set aside."""

import re

import hl7 as hl7_library
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plainsight.document import Document, SetAside
from plainsight.errors import FormatError, UsageError
from plainsight.formats.files import MemoryFile
from plainsight.sources.hl7 import Hl7

MESSAGE = "\r".join(
    [
        r"MSH|^~\&|LAB|Zephyrhill Clinic|EHR|Zephyrhill Clinic|20190304103000||ORU^R01|MSG-77812|P|2.5.1",
        "EVN|R01|20190304||||20190304",
        "PID|1|88-1|0371-88-214^^^ZEPHYR^MR~123-45-6789^^^SSA^SS|ALT-4471|Okonkwo^Ngozi^Adaeze^^Mrs.^^L"
        "|Eberechi^Uloma|19510809|F|Nwosu^Ngozi||412 Quarrystone Street^Apt 9^Dayton^OH^45402^USA"
        "||(937) 555-0187^PRN^PH^ngozi.okonkwo@mail.com|(937) 555-0190|EN^English^HL70296|M||ACC-558127"
        "|111-22-3333|Y7731-992^OH^20210101",
        "NK1|1|Okonkwo^Chidiebere^^^^^L|SPO^Spouse^HL70063|77 Larkspire Lane^^Dayton^OH^45402|(937) 555-0188",
        "PV1|1|I|4W^412^A^Zephyrhill Clinic||||44118^Baumgartner^Lena^^^Dr.^MD||||||||||||V-9921734"
        + "|" * 25 + "20190304|20190307",
        "OBR|1|ORD-9912|FIL-8831|18842-5^Discharge summary^LN|||20190304|||Fitzwilliam^Ada",
        "OBX|1|TX|18842-5^Discharge summary^LN||Mrs. Okonkwo was seen by Dr. Baumgartner on 3/4/2019.||||||F",
        r"OBX|2|FT|18842-5^x^LN||Her husband Chidiebere came.\.br\MRN 0371-88-214, R\T\D~Ngozi is well.",
        "OBX|3|NM|2345-7^Glucose^LN||105|mg/dL^^UCUM|70-110|H|||F|||20190305",
        "OBX|4|ED|x^x^L||^TEXT^plain^Base64^TnMuIE9rb25rd28gaXMgd2VsbC4=||||||F",
        "OBX|5|ED|x^x^L||^IM^tiff^Base64^T2tvbmt3bw==||||||F",
        "NTE|1||Follow-up on March 18, 2019.",
        "DG1|1||E11.9^Type 2 diabetes^I10|Diabetes of Ngozi Okonkwo|20190304",
        "GT1|1|5512|Okonkwo^Chidiebere||77 Larkspire Lane^^Dayton^OH^45402|(937) 555-0188||19490102|M||"
        "|444-55-6666",
        "IN1|1|PLAN^^L|HP-99213|Gildenhall Mutual||||GRP-66123||||20180101||||Okonkwo^Ngozi||19510809"
        + "|" * 18 + "POL-771239",
        "ZPI|1|Okonkwo",
        "",
    ]
)  # fmt: skip
_WORDS = """
Okonkwo Ngozi Adaeze Uloma Eberechi Nwosu Chidiebere Baumgartner Lena Fitzwilliam 19510809 19490102
0371-88-214 123-45-6789 111-22-3333 444-55-6666 ALT-4471 ACC-558127 V-9921734 MSG-77812 ORD-9912 FIL-8831
POL-771239 44118 GRP-66123 HP-99213 Y7731-992 555-0187 555-0188 555-0190 ngozi.okonkwo Quarrystone Larkspire
ZEPHYR 20190304 20190307 3/4/2019 TnMuIE9rb25rd28 T2tvbmt3bw
"""
CANARIES = _WORDS.split()


def read(text, **options):
    file = MemoryFile("a.hl7")
    file.data = text.encode()
    return list(Hl7(**options).read(file))


def written(*notes):
    file = MemoryFile("out.hl7")
    with Hl7().open(file) as sink:
        for note in notes:
            sink.write(note)
    return file.data.decode()


@pytest.fixture(scope="module")
def released(pipeline):
    [note] = pipeline.deidentify(read(MESSAGE))
    return written(note)


def part(text, place):
    segment, field, *inner = re.split(r"[-.]", place)
    line = next(line for line in text.split("\r") if line.startswith(segment))
    value = line.split("|")[int(field) - (segment == "MSH")]
    return value.split("~")[0].split("^")[int(inner[0]) - 1] if inner else value


def test_a_message_without_changes_is_itself_where_the_policy_keeps():
    again = written(*read(MESSAGE))
    assert part(again, "PID-5") == "Okonkwo^Ngozi^Adaeze^^Mrs.^^L"
    assert part(again, "DG1-3") == "E11.9^Type 2 diabetes^I10"
    assert r"came.\.br\MRN 0371-88-214, R\T\D~Ngozi" in again
    assert "ZPI" not in again


def test_no_original_is_left(released):
    assert [word for word in CANARIES if word in released] == []


def test_the_result_is_read_by_a_library(released):
    message = hl7_library.parse(released)
    assert [str(segment[0]) for segment in message] == [
        line[:3] for line in MESSAGE.split("\r") if line and not line.startswith("ZPI")
    ]
    assert str(message["OBX"][2][5]) == "105"
    assert str(message["OBX"][2][6]) == "mg/dL^^UCUM"


def test_text_and_fields_tell_of_one_person(released):
    family, given = part(released, "PID-5.1"), part(released, "PID-5.2")
    first, second = [line.split("|")[5] for line in released.split("\r") if line.startswith("OBX")][:2]
    assert first.startswith(f"Mrs. {family} was seen by Dr. {part(released, 'PV1-7.2')} on ")
    assert f"husband {part(released, 'NK1-2.2')}" in second
    assert part(released, "NK1-2.1") == family
    assert f"~{given} is well." in second
    assert part(released, "PID-3.1") in second


def test_dates_shift_alike_in_text_and_fields(released):
    day = part(released, "PV1-44")
    seen = re.search(r"on (\d+)/(\d+)/(\d{4})", released)
    assert seen
    assert f"{seen[3]}{int(seen[1]):02}{int(seen[2]):02}" == day == part(released, "MSH-7")[:8]
    assert part(released, "MSH-7").endswith("103000")


def test_the_patient_is_found_in_the_text_by_the_record():
    [note] = read(MESSAGE)
    assert note.patient_id == "0371-88-214"
    assert note.patient.names == ("Ngozi Adaeze Okonkwo", "Ngozi Nwosu")
    assert "Lena Baumgartner" in note.patient.providers
    assert ("SSN", "123-45-6789") in note.patient.ids


def test_redaction_leaves_tags_and_no_dates(load):
    [note] = load("redact").deidentify(read(MESSAGE))
    text = written(note)
    assert part(text, "PID-5").startswith("[PATIENT]^[PATIENT]")
    assert part(text, "PID-7") == ""
    assert [word for word in CANARIES if word in text] == []


def test_dropped_fields_are_counted():
    [note] = read(MESSAGE)
    assert note.meta["_dropped_fields"]["ZPI"] == 1
    assert note.meta["_dropped_fields"]["OBX-5 (ED)"] == 1


def test_a_field_policy_of_the_user(tmp_path):
    policy = tmp_path / "fields.toml"
    policy.write_text('[hl7.fields]\n"ZPI-1" = "keep"\n"ZPI-2" = "PATIENT"\n"DG1-4" = "drop"\n')
    [note] = read(MESSAGE, fields=policy)
    assert "ZPI|1|Okonkwo" in written(note)
    assert "Diabetes of" not in note.text
    policy.write_text('[hl7]\nunknown = "refuse"\n')
    [aside] = read(MESSAGE, fields=policy)
    assert isinstance(aside, SetAside)
    assert "Okonkwo" not in aside.reason


@pytest.mark.parametrize(
    "bad",
    ["[hl7]\nx = 1", '[hl7.fields]\n"PID-5" = "kep"', "[hl7", '[hl7]\nunknown = "keep"', "[hl7]\nfields = 1"],
)
def test_a_wrong_field_policy_is_refused(tmp_path, bad):
    policy = tmp_path / "fields.toml"
    policy.write_text(bad)
    with pytest.raises(UsageError):
        read(MESSAGE, fields=policy)


def test_several_messages_framing_and_a_bad_one(tmp_path):
    batch = (
        f"FHS|^~\\&|x\rBHS|^~\\&|x\r\x0b{MESSAGE}\x1c\r\x0bMSH|||||\r\x1c\r\x0b{MESSAGE}\x1c\rBTS|2\rFTS|1\r"
    )
    first, aside, second = read(batch)
    assert isinstance(aside, SetAside)
    assert first.text == second.text
    assert (first.id, second.id) == ("a", "a-3")
    with Hl7().open(tmp_path / "many") as sink:
        sink.write(first)
        sink.write(second)
    assert sorted(path.name for path in (tmp_path / "many").iterdir()) == ["a-3.hl7", "a.hl7"]


def test_other_encoding_characters_and_line_ends():
    odd = MESSAGE.replace("~", "!").replace(r"^!\&", r"^!\&").replace("\r", "\n")
    [note] = read(odd)
    assert "Ngozi is well." in note.text


def test_a_note_of_another_format_is_refused():
    with pytest.raises(FormatError):
        written(Document("n", "Seen."))


def test_a_changed_text_is_refused():
    [note] = read(MESSAGE)
    with pytest.raises(FormatError):
        written(Document(note.id, note.text[:-4], meta=note.meta, cuts=note.cuts, fields=note.fields))


@settings(max_examples=50, deadline=None)
@given(st.data())
def test_damage_never_stops_a_run(data):
    text = list(MESSAGE)
    for _ in range(data.draw(st.integers(1, 8))):
        place = data.draw(st.integers(0, len(text) - 1))
        text[place] = data.draw(
            st.sampled_from(["", "|", "^", "~", "\\", "&", "\r", "\x0b", "\x1c", "é", "\x1e", "MSH|"])
        )
    try:
        items = read("".join(text))
    except FormatError:
        return
    for item in items:
        if isinstance(item, Document):
            again = [note for note in read(written(item)) if isinstance(note, Document)]
            assert [note.text for note in again] == [item.text]


def test_a_folder_with_a_bad_file(tmp_path):
    (tmp_path / "good.hl7").write_text(MESSAGE, newline="")
    (tmp_path / "bad.hl7").write_text("PID|1|Okonkwo")
    aside, good = Hl7().read(tmp_path)
    assert isinstance(aside, SetAside)
    assert good.id == "good"


_HEAD = r"MSH|^~\&|LAB^Jane Roe|X|EHR|X|2019||ORU^R01|1|P|2.5.1"


@pytest.mark.parametrize(
    "segment",
    [
        "PID|1||7^^^^Ngozi Okonkwo|||||F^Ngozi Okonkwo",
        "PID|1^Ngozi Okonkwo||7",
        "PV1|1|I|||||||||Ngozi Okonkwo",
        "OBX|1|NM|2345-7^Glucose^LN||Ngozi Okonkwo",
        "OBX|1|SN|2345-7^Glucose^LN||>^12^^Ngozi Okonkwo",
        "OBX|1|NM|2345-7^Seen with Ngozi Okonkwo^LN||105",
        "OBX|1|CE|Ngozi Okonkwo^x^L||1^Ngozi Okonkwo^L",
        "OBX|1|ED|1^x^L||^TEXT^Ngozi Okonkwo^A^seen",
        "OBX|1|Ngozi Okonkwo|1^x^L||1",
        "OBX|1|TX|1^x^L||seen with X4E676F7A69204F6B6F6E6B776F today",
        "DG1|1||E11.9^Diabetes of Ngozi Okonkwo^I10",
    ],
)
def test_no_words_stay_where_a_code_or_a_number_stands(segment):
    segment = segment.replace("X4E", r"\X4E").replace("776F today", "776F\\ today")
    patient = "" if segment.startswith("PID") else "PID|1||7\r"
    [note] = read(f"{_HEAD}\r{patient}{segment}\r")
    tree = repr(note.meta["_record"])
    assert "Ngozi" not in tree
    assert "4E67" not in tree
    assert "Jane" not in tree


def test_a_code_a_number_or_a_unit_stays():
    [note] = read(f"{_HEAD}\rPID|1||7\rOBX|1|SN|2345-7^x^LN||>^12.5^-^13|10*3/uL^^UCUM\r")
    line = written(note).split("\r")[2]
    assert line == "OBX|1|SN|2345-7^x^LN||>^12.5^-^13|10*3/uL^^UCUM"
    assert note.text == "Jane Roe\nx\n"
