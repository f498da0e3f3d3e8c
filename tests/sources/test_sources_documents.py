"""RTF, PDF and DOCX: their text is read, and what holds none is set aside."""

import base64
import io
import sys

import pytest

from plainsight import registry
from plainsight.document import Document, SetAside
from plainsight.errors import FormatError, UsageError
from plainsight.formats.base import write_all
from plainsight.formats.guess import guess

RTF = rb"{\rtf1\ansi\deff0 {\fonttbl {\f0 Times;}}\f0 Mrs. Okonkwo came on {\b 3/4/2019}.\par Caf\'e9.}"


def pdf(text):
    """Return a PDF of one page, with a text layer if there is a text."""
    content = f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET".encode() if text else b""
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R "
        b"/Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    data, starts = b"%PDF-1.4\n", []
    for number, one in enumerate(objects, start=1):
        starts.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, one)
    table = b"".join(b"%010d 00000 n \n" % start for start in starts)
    head = b"xref\n0 6\n0000000000 65535 f \n" + table
    return data + head + b"trailer << /Size 6 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % len(data)


def docx_file():
    docx = pytest.importorskip("docx")
    document = docx.Document()
    document.sections[0].header.paragraphs[0].text = "Zephyrhill Clinic"
    document.add_paragraph("Mrs. Okonkwo came on 3/4/2019.")
    table = document.add_table(rows=1, cols=2)
    table.cell(0, 0).text, table.cell(0, 1).text = "MRN", "0371-88-214"
    file = io.BytesIO()
    document.save(file)
    return file.getvalue()


def read(name, data, folder):
    path = folder / f"a.{name}"
    path.write_bytes(data)
    assert guess(path) == name
    return list(registry.create("formats", name).read(path))


def test_rtf(tmp_path):
    pytest.importorskip("striprtf")
    [note] = read("rtf", RTF, tmp_path)
    assert note.text.split("\n")[:2] == ["Mrs. Okonkwo came on 3/4/2019.", "Café."]


def test_pdf(tmp_path):
    pytest.importorskip("pypdfium2")
    [note] = read("pdf", pdf("Mrs. Okonkwo came."), tmp_path)
    assert note.text.strip() == "Mrs. Okonkwo came."
    with pytest.raises(FormatError, match="no text"):
        read("pdf", pdf(""), tmp_path)


def test_docx(tmp_path):
    [note] = read("docx", docx_file(), tmp_path)
    assert note.text == "Zephyrhill Clinic\nMrs. Okonkwo came on 3/4/2019.\nMRN\t0371-88-214"


@pytest.mark.parametrize(("name", "package"), [("rtf", "striprtf"), ("pdf", "pypdfium2"), ("docx", "docx")])
def test_bad_files_are_set_aside(name, package, tmp_path):
    pytest.importorskip(package)
    good = {"rtf": RTF, "pdf": pdf("x"), "docx": docx_file() if name == "docx" else b""}[name]
    (tmp_path / f"bad.{name}").write_bytes(b"Okonkwo \xff\x00")
    (tmp_path / f"cut.{name}").write_bytes(good[: len(good) // 3])
    (tmp_path / f"good.{name}").write_bytes(good)
    items = list(registry.create("formats", name).read(tmp_path))
    assert [type(item) for item in items if item.id != "cut"] == [SetAside, Document]
    assert all("Okonkwo" not in item.reason for item in items if isinstance(item, SetAside))


def test_they_are_written_as_text(tmp_path):
    form = registry.create("formats", "pdf")
    write_all(form, [Document("a", "Seen."), Document("b", "Seen.")], tmp_path / "out")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["a.txt", "b.txt"]
    with pytest.raises(UsageError):
        form.open(tmp_path / "a.pdf")


def test_without_the_package_the_command_to_install_it_is_named(tmp_path, monkeypatch):
    (tmp_path / "a.pdf").write_bytes(pdf("x"))
    monkeypatch.setitem(sys.modules, "pypdfium2", None)
    with pytest.raises(UsageError, match=r"plainsight\[documents\]"):
        list(registry.create("formats", "pdf").read(tmp_path / "a.pdf"))


def test_an_attachment_becomes_text():
    pytest.importorskip("striprtf")
    from plainsight.sources.attachments import attachment
    from plainsight.sources.records import Record

    record = Record()
    _, media = attachment(base64.b64encode(RTF).decode(), "application/rtf", record)
    assert media == "text/plain"
    assert record.texts[0].startswith("Mrs. Okonkwo")
