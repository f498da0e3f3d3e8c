"""Inputs for the fuzzer: odd notes, ids and metadata, and files of every format, whole or damaged."""

from __future__ import annotations

import base64
import csv
import gzip
import io
import json
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from plainsight import registry
from plainsight.document import Document, Span
from plainsight.errors import PlainsightError

CANARY = "Zqxvjkanary"
"""A word in every note, which no message, manifest or list of notes set aside may repeat."""

SENTENCES = (
    "Seen by Dr. Adaeze Okafor on 3/4/2019 at Zephyrhill Clinic.",
    "Pt is a 93 y.o. woman from Dayton, OH 45402, MRN 0371-88-214.",
    "Call (937) 555-0187 or ngozi.okonkwo@mail.com; SSN 123-45-6789.",
    "Her husband John Smith, a baker, came on Christmas Eve.",
    "BP 120/80, HR 72, K 4.1; Parkinson's disease, Foley in place.",
    "http://www.example.org/~jsmith?id=77 10.0.0.12 VIN 1HGCM82633A004352",
)
ODD = (
    "",
    " \t\r\n\f\v",
    "\0\x01\x1b[2J\x7f\x85",
    "\ud800 alone \udfff",
    "e\u0301\u0302\u0303 \u202e\u2066abc\u2069 \ufeff\ufffe\uffff",
    "𝔸𝕓𝕔 👩🏽\u200d⚕️ ﷽ İıſẞ",
    "www." * 60,
    "1-1-" * 60,
    "9" * 400,
    "Smith-" * 40,
    "12/" * 50,
    "{{PATIENT|Anna}} {{ }} {{X|",
    '<PHI TYPE="DOCTOR">Ng</PHI> <![CDATA[ ]]> &#0; &amp; <!ENTITY x "y">',
    'a,"b""c\n,;|\t\'"',
    '{"id": 1, "text": [}\\ud800',
    "MSH|^~\\&|A|B\rPID|1||7^^^A^MR||Okafor^Ada\r",
    "=1+1\n@SUM(A1)\n-2\n+3",
    "Feb 29 2019, 31/11/99, 0/0/0000, 99/99/9999, year 20190",
    "x" * 3000,
    "Dr. Dr. Dr. " * 60,
    "A" * 60 + "/" + "B" * 60,
    "TmdvemkgT2tvbmt3byBpcyB3ZWxsLg==" * 4,
)  # fmt: skip
IDS = (
    "", ".", "..", "../x", "a/b", "a", "a.txt", "a.xml", "/etc/x", "a//b", ".hidden", "CON", "a\nb", "a\0b",
    "a\x1b[31m", "\ud800", "é", "x" * 300, " a ", "a\\b", "ok?*", "-rf", "7", "007", "Okafor Ada",
    "a" * 200 + "/b",
)  # fmt: skip
SCALARS = (None, True, 0, -1, 1.5, 10**400, float("nan"), float("inf"), "", "x", "\ud800", "2019-03-04", 7)


def text(random: Random) -> str:
    """Return a note: sentences, odd pieces, or both, with the canary in it."""
    pieces = random.choices(SENTENCES, k=random.randrange(4)) + random.choices(ODD, k=random.randrange(3))
    random.shuffle(pieces)
    return random.choice((" ", "\n", "\r\n", "\n\n")).join([CANARY, *pieces])


def value(random: Random, deep: int = 3) -> Any:
    """Return any JSON value."""
    kind = random.randrange(8) if deep else 0
    if kind < 5:
        return random.choice((*SCALARS, random.choice(IDS), random.choice(ODD)[:40]))
    if kind == 5:
        return [value(random, deep - 1) for _ in range(random.randrange(4))]
    if kind == 6:
        nested: Any = []
        for _ in range(random.choice((3, 60, 70, 700))):
            nested = [nested] if random.random() < 0.5 else {"m": nested}
        return nested
    return {random.choice(("a", "_b", "id", "text", "")): value(random, deep - 1) for _ in range(2)}


def patient(random: Random) -> Any:
    """Return a structured record, right or wrong."""
    keys = (
        "names",
        "mrn",
        "ssn",
        "phones",
        "emails",
        "addresses",
        "birth_date",
        "relatives",
        "ids",
        "employer",
    )
    record: dict[str, Any] = {"patient_id": random.choice(("p1", "p2", 7, *IDS))}
    for key in random.sample(keys, random.randrange(4)):
        usual = [{"first": "Adaeze", "last": "Okafor"}] if key == "names" else ["0371-88-214"]
        record[key] = usual if random.random() < 0.6 else value(random)
    return record


def spans(random: Random, size: int) -> list[dict[str, Any]]:
    """Return marks, some of which do not fit."""
    numbers = (0, 1, 5, size, size + 1, -1, 10**30, "3", None, 1.5)
    labels = ("DATE", "DOCTOR", "NO_SUCH", "", "date\ud800", 7)
    return [
        {
            "start": random.choice(numbers), "end": random.choice(numbers), "label": random.choice(labels),
            **({"score": random.choice(SCALARS)} if random.random() < 0.5 else {}),
        }
        for _ in range(random.randrange(3))
    ]  # fmt: skip


def records(random: Random) -> list[dict[str, Any]]:
    """Return notes as JSON objects, mostly with an id each, some with odd ones."""
    found = []
    for number in range(random.randrange(1, 6)):
        body = text(random)
        record: dict[str, Any] = {"id": f"n{number}", "text": body}
        if random.random() < 0.3:
            record["id"] = random.choice((*IDS, *SCALARS))
        if random.random() < 0.4:
            record["patient_id"] = random.choice(("p1", "p1", "p2", *IDS, *SCALARS))
        if random.random() < 0.2:
            record["meta"] = {"note_type": value(random), "m": value(random)}
        if random.random() < 0.1:
            record[random.choice(("unit", "_x", "text", "meta", "spans", "patient"))] = value(random)
        if random.random() < 0.15:
            record["patient"] = patient(random)
        if random.random() < 0.15:
            record["spans"] = spans(random, len(body))
        found.append(record)
    return found


def documents(random: Random) -> list[Document]:
    """Return notes that most formats can hold, with marks."""
    notes = []
    for number in range(random.randrange(1, 5)):
        body = (
            text(random).translate({0: None})
            if random.random() < 0.3
            else " ".join((*SENTENCES[:number], CANARY))
        )
        marks = (Span(0, 4, "DOCTOR"),) if len(body) > 4 and random.random() < 0.5 else ()
        name = random.choice(IDS) if random.random() < 0.1 else f"d{number}"
        notes.append(Document(name, body, marks, patient_id=random.choice((None, "p1"))))
    return notes


# --- files -----------------------------------------------------------------------------------------------


def _jsonl(random: Random) -> bytes:
    return "".join(
        json.dumps(record, ensure_ascii=random.random() < 0.7) + "\n" for record in records(random)
    ).encode("utf-8", "surrogatepass")


def _table(random: Random, delimiter: str) -> bytes:
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=delimiter, lineterminator=random.choice(("\n", "\r\n")))
    header = random.choice(
        (["id", "text"], ["note_id", "patient_id", "text", "unit"], ["text"], ["Okafor", CANARY])
    )
    writer.writerow(header)
    for record in records(random):
        cells = {"note_id": record.get("id"), **record}
        writer.writerow([str(cells.get(name, "")) for name in header] + [""] * (random.random() < 0.05))
    encoding = random.choice(("utf-8", "utf-8", "utf-8", "utf-8-sig", "utf-16"))
    return out.getvalue().encode(encoding, "surrogatepass")


def _hl7(random: Random) -> bytes:
    segments = [
        "MSH|^~\\&|LAB|Zephyrhill|EHR|Z|20190304103000||ORU^R01|M-1|P|2.5.1",
        "PID|1|88|0371-88-214^^^Z^MR||Okonkwo^Ngozi||19510809|F|||412 Quarry St^^Dayton^OH^45402",
        f"OBX|1|TX|18842-5^x^LN||{text(random)[:300]}||||||F",
        f"NTE|1||{CANARY} seen on March 18, 2019.",
        f"ZPI|1|{random.choice(ODD)[:50]}",
    ]
    return (
        random.choice(("\r", "\n", "\r\n"))
        .join(segments * random.randrange(1, 3))
        .encode("utf-8", "surrogatepass")
    )


def _fhir(random: Random) -> bytes:
    data = base64.b64encode(text(random).encode("utf-8", "replace")).decode()
    subject = {"reference": "Patient/p1"} if random.random() < 0.8 else value(random)
    person = {"name": [{"family": "Okonkwo", "given": ["Ngozi"]}], "birthDate": "1951-08-09"}
    document = {
        "status": "current",
        "subject": subject,
        "content": [{"attachment": {"contentType": "text/plain", "data": data}}],
    }
    narrative = f'<div xmlns="http://www.w3.org/1999/xhtml">{CANARY}</div>'
    finding = {
        "status": "final",
        "code": {"text": CANARY},
        "subject": subject,
        "text": {"status": "generated", "div": narrative},
        **({"extension": value(random)} if random.random() < 0.3 else {}),
    }
    resources = [
        {"resourceType": "Patient", "id": "p1", **person},
        {"resourceType": "DocumentReference", "id": "d1", **document},
        {"resourceType": "Observation", "id": "o1", **finding},
    ]
    if random.random() < 0.5:
        return "".join(json.dumps(resource) + "\n" for resource in resources).encode()
    entry = [{"resource": resource} for resource in resources]
    return json.dumps({"resourceType": "Bundle", "type": "collection", "entry": entry}).encode()


_CCDA = """<?xml version="1.0" encoding="UTF-8"?>
<ClinicalDocument xmlns="urn:hl7-org:v3"><id root="1.2" extension="7"/><effectiveTime value="20190304"/>
<recordTarget><patientRole><id root="1.2.3" extension="0371-88-214"/><patient><name><given>Ngozi</given>
<family>Okonkwo</family></name><birthTime value="19510809"/></patient></patientRole></recordTarget>
<component><structuredBody><component><section><title>Note</title><text>TEXT</text></section></component>
</structuredBody></component></ClinicalDocument>"""


def _ccda(random: Random) -> bytes:
    body = "".join(c for c in text(random) if c.isprintable() and not "\ud800" <= c <= "\udfff")
    return _CCDA.replace("TEXT", body.replace("&", "&amp;").replace("<", "&lt;")).encode()


def _rtf(random: Random) -> bytes:
    body = "".join(c if c.isascii() and c not in "\\{}" else f"\\u{ord(c) % 32768}?" for c in text(random))
    return f"{{\\rtf1\\ansi\\b {body}\\b0\\par {random.choice(ODD)[:80]!a}}}".encode()


def _docx(random: Random) -> bytes:
    body = "".join(c for c in text(random) if c.isprintable() and not "\ud800" <= c <= "\udfff")
    namespace = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    paragraph = f"<w:p><w:r><w:t>{body.replace('&', '&amp;').replace('<', '&lt;')}</w:t></w:r></w:p>"
    kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    relation = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(
            "[Content_Types].xml",
            '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
            '<Default Extension="rels" '
            'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            f'<Override PartName="/word/document.xml" ContentType="{kind}"/></Types>',
        )
        archive.writestr(
            "_rels/.rels",
            '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
            f'<Relationship Id="r1" Type="{relation}" Target="word/document.xml"/></Relationships>',
        )
        document = f'<w:document xmlns:w="{namespace}"><w:body>{paragraph}</w:body></w:document>'
        archive.writestr("word/document.xml", document)
    return out.getvalue()


def _pdf(random: Random) -> bytes:
    body = "".join(c for c in text(random) if c.isascii() and c.isprintable() and c not in "()\\")[:300]
    stream = f"BT /F1 12 Tf 72 720 Td ({body}) Tj ET".encode()
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
        b"<</Length %d>>stream\n%b\nendstream" % (len(stream), stream),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    found = b"%PDF-1.4\n"
    places = []
    for number, content in enumerate(objects, start=1):
        places.append(len(found))
        found += b"%d 0 obj%b endobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    trailer = b"trailer<</Size 6/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % len(found)
    return found + b"xref\n0 6\n0000000000 65535 f \n" + table + trailer


BUILDERS: Mapping[str, Callable[[Random], bytes]] = {
    "jsonl": _jsonl,
    "csv": lambda random: _table(random, random.choice(",;|\t")),
    "tsv": lambda random: _table(random, "\t"),
    "hl7": _hl7,
    "fhir": _fhir,
    "ccda": _ccda,
    "rtf": _rtf,
    "docx": _docx,
    "pdf": _pdf,
}
"""How to write an input of a format by hand; other formats write theirs themselves."""


def write_input(random: Random, name: str, folder: Path) -> Path | None:
    """Write a file or folder of a format, often damaged; None if the format cannot be written."""
    suffix = registry.resolve("formats", name).suffixes[0]
    path = folder / f"in{suffix}"
    if name in BUILDERS:
        path.write_bytes(BUILDERS[name](random))
    else:
        if name in ("text", "brat", "i2b2-2014", "meddocan", "inline") and random.random() < 0.8:
            path = folder / "in"
        if not _written(name, path, documents(random)):
            return None
    files = [path] if path.is_file() else sorted(file for file in path.rglob("*") if file.is_file())
    if files and random.random() < 0.3:
        file = random.choice(files)
        file.write_bytes(damaged(random, file.read_bytes()))
    if path.is_dir() and random.random() < 0.3:
        _add_junk(random, path, suffix)
    if path.is_file() and name in ("jsonl", "csv", "tsv") and random.random() < 0.1:
        packed = gzip.compress(path.read_bytes())
        path = folder / f"in{suffix}.gz"
        path.write_bytes(damaged(random, packed) if random.random() < 0.5 else packed)
    return path


def _written(name: str, path: Path, notes: Sequence[Document]) -> bool:
    """Write what the format can hold; whether anything is there."""
    try:
        with registry.create("formats", name).open(path) as sink:
            for note in notes:
                try:
                    sink.write(note)
                except PlainsightError:
                    sink.write(replace(note, id="other", text="Seen."))
    except PlainsightError:
        return False
    return path.exists()


def _add_junk(random: Random, folder: Path, suffix: str) -> None:
    kind = random.randrange(4)
    path = folder / f"junk{suffix}"
    if kind == 0:
        path.write_bytes(random.randbytes(200))
    elif kind == 1:
        path.symlink_to(folder / "gone")
    elif kind == 2:
        path.mkdir(exist_ok=True)
    else:
        (folder / f"odd\x1b[2J\n{suffix}").write_text(CANARY)


_TOKENS = (
    b"\0", b'"', b"'", b"<", b">", b"&", b"]]>", b"<!DOCTYPE x [", b"{", b"[", b"}", b"\\", b"|", b"^", b"\r",
    b"\n", b",", b"\t", b"\xff\xfe", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\xf0\x9d",
    b"<?xml encoding='idna'?>", b"\\ud800", b"1e999", b"-1", b"PAR1",
)  # fmt: skip


def damaged(random: Random, data: bytes) -> bytes:
    """Change, cut, repeat or insert some bytes."""
    found = bytearray(data)
    for _ in range(random.choice((1, 1, 2, 5))):
        at = random.randrange(len(found) + 1)
        kind = random.randrange(6)
        if kind == 0 and found:
            found[min(at, len(found) - 1)] = random.randrange(256)
        elif kind == 1:
            del found[at:]
        elif kind == 2:
            del found[at : at + random.randrange(1, 40)]
        elif kind == 3:
            found[at:at] = found[at : at + random.randrange(1, 200)]
        elif kind == 4:
            found[at:at] = random.choice(_TOKENS) * random.choice((1, 1, 50))
        else:
            found[at:at] = random.randbytes(random.randrange(1, 9))
    return bytes(found)
