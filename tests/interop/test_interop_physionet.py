"""PhysioNet's deid: run it, and read what it wrote."""

import shutil

import pytest

from plainsight.document import Document
from plainsight.errors import DataError, UsageError
from plainsight.interop import physionet
from plainsight.labels import SCHEMES

NOTES = [Document("1-1", "Mary Ann Roe came. BP 120/80.\nSeen 3/4/2019 by Ng.\n"), Document("1-2", "Stable.")]
RES = """
START_OF_RECORD=1||||1||||
[**Known firstname **] [**Known lastname 12**] came. BP 120/80.
Seen [**2019-3-9**] by [**Doctor Last Name **].

||||END_OF_RECORD

START_OF_RECORD=1||||2||||
Stable.
||||END_OF_RECORD
"""


def marks(document):
    return [(span.label, document.text[span.start : span.end]) for span in document.spans]


@pytest.mark.parametrize(
    ("mark", "kind"),
    [
        ("Known lastname 12", "NAME"),
        ("Female First Name (un) 4", "NAME"),
        ("Initials (NamePattern4) 3", "NAME"),
        ("Doctor Last Name ", "DOCTOR"),
        ("Hospital1 18", "HOSPITAL"),
        ("Hospital Ward Name 7", "WARD"),
        ("Location (un) 9", "LOCATION"),
        ("Street Address(2) 3", "ADDRESS"),
        ("State 531", "STATE"),
        ("Country ", "COUNTRY"),
        ("Company 12", "COMPANY"),
        ("Age over 90 ", "AGE"),
        ("2151-7-16", "DATE"),
        ("7-16", "DATE"),
        ("Month/Day (2) ", "DATE"),
        ("Holiday 4", "DATE"),
        ("Telephone/Fax (1) 77", "PHONE"),
        ("Pager number ", "PHONE"),
        ("E-mail address 5", "EMAIL"),
        ("Social Security Number 4", "SSN"),
        ("Medical Record Number ", "MRN"),
        ("Numeric Identifier 8", "ID"),
        ("Something", "PHI"),
    ],
)
def test_kinds_of_marks(mark, kind):
    assert physionet.kind_of(mark) == kind
    assert kind in SCHEMES["physionet"].inward


def test_a_result_is_aligned_with_the_original(tmp_path):
    (tmp_path / "out.res").write_text(RES)
    first, second = physionet.read(tmp_path / "out.res", NOTES)
    assert marks(first) == [("NAME", "Mary"), ("NAME", "Ann Roe"), ("DATE", "3/4/2019"), ("DOCTOR", "Ng")]
    assert second.spans == ()


def test_marks_without_anything_between_become_one(tmp_path):
    text = "START_OF_RECORD=1||||1||||\nMr. [**Name 1**][**Name 2**]\n||||END_OF_RECORD\n"
    (tmp_path / "out.res").write_text(text)
    (note,) = physionet.read(tmp_path / "out.res", [Document("x", "Mr. Roe")])  # by their order
    assert marks(note) == [("NAME", "Roe")]


def test_a_list_of_offsets(tmp_path):
    (tmp_path / "out.phi").write_text(
        "\nPatient 1\tNote 1\n0\t0\t4\n5\t5\t12\n35 35 43\n\nPatient 1\tNote 2\n"
    )
    first, second = physionet.read(tmp_path / "out.phi", NOTES)
    assert marks(first) == [("PHI", "Mary"), ("PHI", "Ann Roe"), ("PHI", "3/4/2019")]
    assert second.spans == ()


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("out.res", RES.replace("came", "Quillerby"), "the text of note 1-1 is another"),
        ("out.res", RES.replace("Stable", "Quillerby"), "the text of note 1-2 is another"),
        ("out.res", RES[: RES.rindex("START")], "1 records, and there are 2 notes"),
        ("out.phi", "Patient 1\tNote 1\n0 0 400\nPatient 1\tNote 2\n", "ends at 400, its text at"),
    ],
)
def test_output_of_other_notes(tmp_path, name, content, reason):
    (tmp_path / name).write_text(content)
    with pytest.raises(DataError, match=reason) as raised:
        physionet.read(tmp_path / name, NOTES)
    assert "Quillerby" not in str(raised.value)


PERL = r"""
my ($stem, $config) = @ARGV;
die unless $config eq "deid-output.config";
open(my $in, "<", "$stem.text") or die; local $/; my $text = <$in>; close($in);
$text =~ s/Roe/[**Known lastname 12**]/g;
open(my $out, ">", "$stem.res") or die; print $out $text; close($out);
"""


@pytest.mark.skipif(shutil.which("perl") is None, reason="needs perl")
def test_the_program_runs_from_its_folder(tmp_path):
    (tmp_path / "deid.pl").write_text(PERL)
    notes = [Document("a", "Ann Roe\r\ncame, Łukasz Roe"), Document("b", "Roe\n")]
    first, second = physionet.mark(tmp_path, notes)
    assert marks(first) == [("NAME", "Roe"), ("NAME", "Roe")]
    assert marks(second) == [("NAME", "Roe")]
    (tmp_path / "deid.pl").write_text("exit 3;")
    with pytest.raises(UsageError, match="failed with exit code 3"):
        physionet.mark(tmp_path, notes)


def test_a_place_without_the_program(tmp_path):
    for place in (tmp_path, tmp_path / "none.res", tmp_path / "none"):
        with pytest.raises(UsageError, match=r"deid\.pl"):
            physionet.check(place)
