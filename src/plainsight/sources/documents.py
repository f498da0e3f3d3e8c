"""RTF, PDF with a text layer, and DOCX: read to text, and written as plain text.

Their packages are in the extra ``documents``. Layout and pictures are lost; a PDF without any text, such as a
scan, is set aside.
"""

from __future__ import annotations

import io
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
        pages = [page.get_textpage().get_text_range().replace("\r\n", "\n") for page in document]
    finally:
        document.close()
    return _PAGE.join(pages)


def _docx(data: bytes) -> str:
    import docx

    document = docx.Document(io.BytesIO(data))
    headers = [part for section in document.sections for part in (section.header, section.first_page_header)]
    footers = [part for section in document.sections for part in (section.footer, section.first_page_footer)]
    parts: list[Any] = [part for part in headers if not part.is_linked_to_previous]
    parts += [document, *(part for part in footers if not part.is_linked_to_previous)]
    return "\n".join(line for part in parts for line in _lines(part))


def _lines(part: Any) -> Iterator[str]:
    """Yield the paragraphs and the rows of tables of a part of a document, in order."""
    for block in part.iter_inner_content():
        if hasattr(block, "rows"):
            for row in block.rows:
                cells = list(dict.fromkeys(row.cells))  # a merged cell comes once for each column
                yield "\t".join(" ".join(_lines(cell)) for cell in cells)
        else:
            yield block.text


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
    """DOCX files: paragraphs, tables, headers and footers."""

    name: ClassVar[str] = "docx"
    suffixes: ClassVar[tuple[str, ...]] = (".docx",)
