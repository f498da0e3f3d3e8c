"""Attachments of FHIR resources: decoded, read by what they are, and encoded again.

Plain text, XHTML and C-CDA stay what they are. What can only be read (RTF, PDF, DOCX, with the extra
``documents``) becomes plain text. Anything else, such as a picture, is left out.
"""

from __future__ import annotations

import base64
from typing import Any

from plainsight.errors import FormatError, PlainsightError, UsageError
from plainsight.formats.encodings import decode
from plainsight.formats.guess import refuse_container
from plainsight.sources.documents import text_of_document
from plainsight.sources.markup_tree import narrative, parse
from plainsight.sources.records import Record, Wrapped

_XML = ("application/xml", "text/xml", "application/hl7-cda+xml", "application/hl7-sda+xml")
_HTML = ("text/html", "application/xhtml+xml")
_TEXT = ("text/plain", "text/markdown")
_DOCUMENTS = {
    "application/rtf": "rtf",
    "text/rtf": "rtf",
    "application/pdf": "pdf",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
}
_KNOWN = (*_TEXT, *_HTML, *_XML, *_DOCUMENTS, "image/jpeg", "image/png", "application/dicom")


def attachment(data: Any, declared: Any, record: Record) -> tuple[Wrapped | None, str | None]:
    """Return what stands for the data of an attachment, and its type, which may have become another.

    ``declared`` is the type that the resource says: without one it must be text.
    """
    media, _, options = (declared if isinstance(declared, str) else "text/plain").lower().partition(";")
    media = media.strip()
    try:
        content = base64.b64decode("".join(str(data).split()), validate=True)
        tree, written = _read(content, media, options, record)
    except (ValueError, FormatError, UsageError, PlainsightError):
        record.drop(f"attachment ({media if media in _KNOWN else 'other'})")
        return None, media if media in _KNOWN else None
    charset = "; charset=utf-8" if "charset" in options else ""
    return Wrapped("base64", tree), written + charset


def _read(content: bytes, media: str, options: str, record: Record) -> tuple[Any, str]:
    if kind := _DOCUMENTS.get(media):
        return record.text(text_of_document(kind, content)), "text/plain"
    if media in _HTML:
        return Wrapped("xml", narrative(parse(content), record, "attachment")), media
    if media in _XML:
        from plainsight.sources.ccda import Walk  # which reads attachments, too

        return Wrapped("document", Walk(record).document_tree(parse(content))), media
    if media not in _TEXT:
        raise FormatError("not text")
    text, _ = decode(content, "", options.partition("charset=")[2].strip(" \"'") or None)
    refuse_container(text, "")
    return (record.text(text) if text.strip() else text), media
