"""RTF, PDF and DOCX: their text is read, and what holds none is set aside."""

import base64
import io
import sys
import zipfile

import pytest

from plainsight import registry
from plainsight.document import Document, SetAside
from plainsight.errors import FormatError, UsageError
from plainsight.formats.base import write_all
from plainsight.formats.guess import guess

RTF = rb"{\rtf1\ansi\deff0 {\fonttbl {\f0 Times;}}\f0 Mrs. Okonkwo came on {\b 3/4/2019}.\par Caf\'e9.}"


def pdf(*texts):
    """Return a PDF with a page for each content: a text, a picture for none, or nothing for False."""
    pages = b" ".join(b"%d 0 R" % (4 + 2 * number) for number in range(len(texts)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [%s] /Count %d >>" % (pages, len(texts)),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for text in texts:
        content = f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET" if text else "72 72 200 200 re f"
        data = content.encode() if text is not False else b""
        objects += [
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents %d 0 R "
            b"/Resources << /Font << /F1 3 0 R >> >> >>" % (len(objects) + 2),
            b"<< /Length %d >>\nstream\n%s\nendstream" % (len(data), data),
        ]
    data, starts = b"%PDF-1.4\n", []
    for number, one in enumerate(objects, start=1):
        starts.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, one)
    table = b"".join(b"%010d 00000 n \n" % start for start in starts)
    size = len(objects) + 1
    head = b"xref\n0 %d\n0000000000 65535 f \n" % size + table
    return data + head + b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (size, len(data))


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


def test_a_pdf_with_a_page_that_is_a_picture_is_set_aside(tmp_path):
    pytest.importorskip("pypdfium2")
    with pytest.raises(FormatError, match="page 2 holds no text"):
        read("pdf", pdf("Mrs. Okonkwo came.", "", "She left."), tmp_path)
    [note] = read("pdf", pdf("Mrs. Okonkwo came.", False, "She left."), tmp_path)
    assert [line for line in note.text.split("\n") if line.strip("\f")] == ["Mrs. Okonkwo came.", "She left."]


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


_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def docx_of(body, **parts):
    """Return a DOCX with this in its body, and further parts of these kinds."""
    pytest.importorskip("docx")
    office = "application/vnd.openxmlformats-officedocument.wordprocessingml"
    relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006"
    types = "".join(
        f'<Override PartName="/word/{kind}.xml" ContentType="{office}.{kind}+xml"/>' for kind in parts
    )
    links = "".join(
        f'<Relationship Id="r{kind}" Type="{relations}/{kind}" Target="{kind}.xml"/>' for kind in parts
    )
    root = f'<Relationship Id="r1" Type="{relations}/officeDocument" Target="word/document.xml"/>'
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as made:
        made.writestr(
            "[Content_Types].xml",
            f'<Types xmlns="{package}/content-types"><Default Extension="rels" '
            'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            f'<Override PartName="/word/document.xml" ContentType="{office}.document.main+xml"/>'
            f"{types}</Types>",
        )
        made.writestr("_rels/.rels", f'<Relationships xmlns="{package}/relationships">{root}</Relationships>')
        made.writestr(
            "word/_rels/document.xml.rels",
            f'<Relationships xmlns="{package}/relationships">{links}</Relationships>',
        )
        made.writestr("word/document.xml", f"<w:document {_W}><w:body>{body}</w:body></w:document>")
        for kind, content in parts.items():
            made.writestr(f"word/{kind}.xml", f"<w:{kind} {_W}>{content}</w:{kind}>")
    return file.getvalue()


def _p(text):
    return f"<w:p><w:pPr><w:tabs><w:tab/></w:tabs></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"


def test_all_stories_of_a_docx_are_read(tmp_path):
    box = f"<w:txbxContent>{_p('A text box.')}</w:txbxContent>"
    both = (
        f"<mc:AlternateContent xmlns:mc='http://schemas.openxmlformats.org/markup-compatibility/2006'>"
        f"<mc:Choice>{box}</mc:Choice><mc:Fallback>{box}</mc:Fallback></mc:AlternateContent>"
    )
    inner = f"<w:tbl><w:tr><w:tc>{_p('inside')}</w:tc></w:tr></w:tbl>"
    body = (
        "<w:p><w:r><w:t>Seen by </w:t></w:r><w:ins><w:r><w:t>Dr. Okonkwo</w:t><w:tab/></w:r></w:ins>"
        f"<w:smartTag><w:r><w:t>today.</w:t></w:r></w:smartTag><w:r>{both}</w:r></w:p>"
        f"<w:sdt><w:sdtContent>{_p('A form.')}</w:sdtContent></w:sdt>"
        f"<w:tbl><w:tr><w:tc>{_p('MRN')}</w:tc><w:tc>{_p('1')}{inner}</w:tc></w:tr></w:tbl>"
    )
    data = docx_of(
        body,
        header=_p("Zephyrhill Clinic"),
        footer=_p("Page 1"),
        footnotes=f'<w:footnote w:id="1">{_p("A footnote.")}</w:footnote>',
        endnotes=f'<w:endnote w:id="1">{_p("An endnote.")}</w:endnote>',
        comments=f'<w:comment w:id="1">{_p("A comment.")}</w:comment>',
    )
    [note] = read("docx", data, tmp_path)
    assert note.text.split("\n") == [
        "Zephyrhill Clinic", "Seen by Dr. Okonkwo\ttoday.", "A text box.", "A form.", "MRN\t1 inside",
        "A footnote.", "An endnote.", "A comment.", "Page 1",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "body",
    [
        "<w:p><w:del><w:r><w:delText>Okonkwo</w:delText></w:r></w:del></w:p>",
        "<w:p><w:moveFrom><w:r><w:t>Okonkwo</w:t></w:r></w:moveFrom></w:p>",
        "<w:altChunk/>",
    ],
)
def test_a_docx_with_words_that_are_not_read_is_set_aside(body, tmp_path):
    with pytest.raises(FormatError, match=r"tracked deletions|another document"):
        read("docx", docx_of(_p("Seen.") + body), tmp_path)
    comment = "<w:p><w:del><w:r><w:delText>x</w:delText></w:r></w:del></w:p>"
    with pytest.raises(FormatError, match="tracked deletions"):
        read("docx", docx_of(_p("Seen."), comments=f"<w:comment>{comment}</w:comment>"), tmp_path)
