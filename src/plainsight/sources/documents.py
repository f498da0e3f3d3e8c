"""RTF, PDF with a text layer, and DOCX: read to text, and written as plain text.

Their packages are in the extra ``documents``. Layout and pictures are lost. What has words that cannot be
read is set aside: a PDF with a page that is a picture, a DOCX with tracked deletions, diagrams, charts or
other documents in it.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from plainsight.document import Document, SetAside
from plainsight.errors import FormatError, PlainsightError, UsageError
from plainsight.formats.base import OpenSink
from plainsight.formats.files import read_notes
from plainsight.formats.plain import PlainText

_EXTRA = 'reading {} needs further packages: pip install "plainsight[documents]"'
_PAGE = "\n\f\n"


def text_of_document(kind: str, data: bytes) -> str:
    """Return the text of a document: of ``rtf``, ``pdf`` or ``docx``."""
    try:
        text = _READERS[kind](data)
    except ImportError:
        raise UsageError(_EXTRA.format(kind.upper())) from None
    except PlainsightError:
        raise
    except Exception as error:  # the packages raise anything; their messages could hold the note's text
        raise FormatError(f"not {kind.upper()} that can be read ({type(error).__name__})") from None
    if not text.strip():
        raise FormatError("it holds no text: perhaps a scan, which needs OCR first")
    return text


def _rtf(data: bytes) -> str:
    from striprtf.striprtf import rtf_to_text

    if not data.lstrip().startswith(b"{\\rtf"):
        raise FormatError("not RTF")
    text: str = rtf_to_text(data.decode("latin-1"))
    return text


def _pdf(data: bytes) -> str:
    import pypdfium2

    document = pypdfium2.PdfDocument(data)
    try:
        pages = []
        for number, page in enumerate(document, start=1):
            text = page.get_textpage().get_text_range().replace("\r\n", "\n")
            if not text.strip() and next(page.get_objects(), None) is not None:
                raise FormatError(f"page {number} holds no text: perhaps a scan, which needs OCR first")
            pages.append(text)
    finally:
        document.close()
    return _PAGE.join(pages)


def _docx(data: bytes) -> str:
    import docx
    from docx.oxml import parse_xml

    document = docx.Document(io.BytesIO(data))
    stories: dict[str, list[str]] = {kind: [] for kind in _STORIES}
    for part in sorted(document.part.package.iter_parts(), key=lambda part: str(part.partname)):
        kind = part.content_type.rpartition(".")[2].removesuffix("+xml")
        if kind in _STORIES:
            lines = _story(parse_xml(part.blob))
            stories[kind] += [line for line in lines if line.strip()]
        elif _UNREAD.search(part.content_type) and part is not document.part:
            raise FormatError("it holds a diagram, a chart or another document, which are not read")
    body = _story(document.element)
    return "\n".join([*stories["header"], *body, *(line for kind in _AFTER for line in stories[kind])])


_AFTER = ("footnotes", "endnotes", "comments", "footer")
_STORIES = ("header", *_AFTER)
_UNREAD = re.compile(
    r"diagramData|chart|oleObject|spreadsheetml|presentationml|wordprocessingml\.document$|rtf|html|text/plain"
)
_WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_MARKS = {"tab": "\t", "ptab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
_DELETED = [f"{_WORD}{name}" for name in ("del", "delText", "moveFrom", "cellDel")]


def _story(root: Any) -> list[str]:
    """Return the lines of a part of a document; one whose words cannot all be read is refused."""
    if next(root.iter(*_DELETED), None) is not None:
        raise FormatError("it has tracked deletions: accept or reject them first")
    if next(root.iter(f"{_WORD}altChunk"), None) is not None:
        raise FormatError("it holds another document, which is not read")
    return list(_lines(root))


def _lines(element: Any) -> Iterator[str]:
    """Yield the paragraphs, with those of text boxes after their own, and the rows of tables, in order."""
    for child in element:
        name = _name_of(child)
        if name == "p":
            boxes: list[str] = []
            yield "".join(_words(child, boxes))
            yield from boxes
        elif name == "tr":
            yield "\t".join(
                " ".join(_lines(cell)) for cell in child.iter(f"{_WORD}tc") if _row_of(cell) is child
            )
        else:
            yield from _lines(child)


def _words(element: Any, boxes: list[str]) -> Iterator[str]:
    """Yield the words of a paragraph, also inserted ones; lines of text boxes go to ``boxes``."""
    for child in element:
        name = _name_of(child)
        if name == "t":
            yield child.text or ""
        elif name in _MARKS:
            yield _MARKS[name]
        elif name == "txbxContent":
            boxes.extend(_lines(child))
        elif name not in ("pPr", "rPr", "Fallback"):  # what stands in the fallback stands in the choice, too
            yield from _words(child, boxes)


def _name_of(element: Any) -> str:
    """Return the local name of an element; nothing for a comment of XML."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def _row_of(cell: Any) -> Any:
    """Return the row that a cell stands in; a table in a cell has rows of its own."""
    return next(cell.iterancestors(f"{_WORD}tr"))


_READERS: dict[str, Callable[[bytes], str]] = {"rtf": _rtf, "pdf": _pdf, "docx": _docx}


@dataclass(kw_only=True)
class _Read:
    """Read the documents of one kind as notes."""

    name: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]]

    def read(self, path: Path) -> Iterator[Document | SetAside]:
        """Yield the text of each file."""
        _refuse_without_package(self.name)
        return read_notes(path, self.suffixes, self._parse)

    def open(self, path: Path, *, span_column: bool = False, explain: bool = False) -> OpenSink:
        """Open a text file for one note, or a folder of them for many."""
        if path.name.lower().endswith(self.suffixes):
            raise UsageError(f"{self.name.upper()} is read, not written: name a .txt file or a folder")
        return PlainText().open(path)

    def _parse(self, id: str, data: bytes, where: str) -> Document:  # noqa: A002 - the domain's word
        return Document(id, text_of_document(self.name, data))


def _refuse_without_package(kind: str) -> None:
    from importlib.util import find_spec

    package = {"rtf": "striprtf", "pdf": "pypdfium2", "docx": "docx"}[kind]
    if find_spec(package) is None:
        raise UsageError(_EXTRA.format(kind.upper()))


class Rtf(_Read):
    """RTF files."""

    name: ClassVar[str] = "rtf"
    suffixes: ClassVar[tuple[str, ...]] = (".rtf",)


class Pdf(_Read):
    """PDF files with a text layer."""

    name: ClassVar[str] = "pdf"
    suffixes: ClassVar[tuple[str, ...]] = (".pdf",)


class Docx(_Read):
    """DOCX files: paragraphs, tables, text boxes, headers and footers, footnotes, endnotes and comments."""

    name: ClassVar[str] = "docx"
    suffixes: ClassVar[tuple[str, ...]] = (".docx",)
