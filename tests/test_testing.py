"""The contract suite passes what keeps its promises and names the promise that is broken."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import Any, ClassVar

import pytest

from plainsight.document import Document, SetAside, Span
from plainsight.errors import DataError, FormatError, UsageError
from plainsight.formats.base import FunctionSink, Sink
from plainsight.labels import LABELS
from plainsight.model import read_manifest, save_model
from plainsight.replace.keep import Keep
from plainsight.testing import (
    check_detector,
    check_format,
    check_operation,
    check_trainer,
    sample_documents,
)

# --- documents --------------------------------------------------------------------------------------------


def test_sample_documents_are_varied_and_the_same_every_time() -> None:
    documents = sample_documents()
    assert documents == sample_documents()
    assert len({document.id for document in documents}) == len(documents)
    assert {span.label for document in documents for span in document.spans} == {*LABELS, "BADGE"}
    texts = [document.text for document in documents]
    assert "" in texts
    assert any("\0" in text for text in texts)
    assert any("\ud83d" in text for text in texts)
    assert any(len(text) > 100_000 and "\n" not in text for text in texts)
    assert all(
        document.text[span.start : span.end].strip() for document in documents for span in document.spans
    )


# --- detectors --------------------------------------------------------------------------------------------


class Good:
    """A detector that marks the first 'Dr'."""

    name: ClassVar[str] = "good"
    labels: ClassVar[frozenset[str]] = frozenset(["DOCTOR"])

    def __init__(self, *, word: str = "Dr") -> None:
        self.word = word

    def detect(self, documents: Sequence[Document]) -> list[list[Span]]:
        return [self.spans(document) for document in documents]

    def spans(self, document: Document) -> list[Span]:
        at = document.text.find(self.word)
        return [] if at < 0 else [Span(at, at + len(self.word), "DOCTOR", 0.5, "good.word")]


def test_a_good_detector_passes() -> None:
    check_detector(Good())
    check_detector(Good(word="Ms"), [Document("1", "Ms. Ng")])


class Nameless(Good):
    name: ClassVar[str] = ""


class LabelsInAList(Good):
    labels: ClassVar[Any] = ["DOCTOR"]


class Positional(Good):
    def __init__(self, word: str = "Dr") -> None:
        super().__init__(word=word)


class Untyped(Good):
    def __init__(self, *, word="Dr") -> None:  # type: ignore[no-untyped-def]
        super().__init__(word=word)


class TooLong(Good):
    def spans(self, document: Document) -> list[Span]:
        return [Span(0, len(document.text) + 1, "DOCTOR", 1.0, "good")]


class ForeignLabel(Good):
    def spans(self, document: Document) -> list[Span]:
        return [Span(0, 1, "PATIENT", 1.0, "good")] if document.text else []


class ForeignSource(Good):
    def spans(self, document: Document) -> list[Span]:
        return [Span(0, 1, "DOCTOR", 1.0, "goods")] if document.text else []


class NoSpans(Good):
    def spans(self, document: Document) -> list[Any]:
        return [(0, 1, "DOCTOR")]


class Forgetful(Good):
    calls = 0

    def detect(self, documents: Sequence[Document]) -> list[list[Span]]:
        self.calls += 1
        return super().detect(documents) if self.calls == 1 else [[] for _ in documents]


class Follower(Good):
    """Finds only what stands in the first document."""

    def detect(self, documents: Sequence[Document]) -> list[list[Span]]:
        return [self.spans(document) if place == 0 else [] for place, document in enumerate(documents)]


class Crowd(Good):
    """Finds nothing in a lone document."""

    def detect(self, documents: Sequence[Document]) -> list[list[Span]]:
        return super().detect(documents) if len(documents) > 1 else [[] for _ in documents]


class Short(Good):
    def detect(self, documents: Sequence[Document]) -> list[list[Span]]:
        return super().detect(documents)[1:]


class Lazy(Good):
    def detect(self, documents: Sequence[Document]) -> Any:
        return (self.spans(document) for document in documents)


class Talkative(Good):
    def detect(self, documents: Sequence[Document]) -> list[list[Span]]:
        return super().detect(documents) or [[]]


class Meddling(Good):
    def detect(self, documents: Sequence[Document]) -> list[list[Span]]:
        for document in documents:
            document.meta["seen"] = True  # type: ignore[index]
        return super().detect(documents)


class Doubtful(Good):
    """Also finds the second 'Dr' somewhat probable."""

    needs: ClassVar[tuple[str, ...]] = ()

    def detect_with(
        self, documents: Sequence[Document], claims: Sequence[Sequence[Span]]
    ) -> list[list[Span]]:
        return self.detect(documents)

    def detect_and_doubt(
        self, documents: Sequence[Document], claims: Sequence[Sequence[Span]] | None = None
    ) -> tuple[list[list[Span]], list[list[Span]]]:
        return self.detect(documents), [self.possible(document) for document in documents]

    def possible(self, document: Document) -> list[Span]:
        first = document.text.find(self.word)
        at = document.text.find(self.word, first + 1)
        return [] if at < 0 else [Span(at, at + len(self.word), "DOCTOR", 0.1, "good")]


class DoubtsItself(Doubtful):
    def possible(self, document: Document) -> list[Span]:
        return self.spans(document)


class DoubtsElsewhere(Doubtful):
    def possible(self, document: Document) -> list[Span]:
        return [Span(0, len(document.text) + 1, "DOCTOR", 0.1, "good")]


def test_a_doubting_detector_keeps_its_promises() -> None:
    check_detector(Doubtful())


class NoDetector:
    name: ClassVar[str] = "none"


@pytest.mark.parametrize(
    ("broken", "promise"),
    [
        (Good, "an instance is checked, not a class"),
        (NoDetector(), "all parts of the Detector protocol"),
        (Nameless(), "name is a string"),
        (LabelsInAList(), "labels is a frozenset"),
        (Positional(), "'word' is keyword-only"),
        (Untyped(), "'word' has a type"),
        (TooLong(), "doc easy: span ends at"),
        (ForeignLabel(), "'PATIENT' is one of its labels"),
        (ForeignSource(), "source 'goods' is 'good'"),
        (NoSpans(), "detect gives Spans"),
        (Forgetful(), "a second call gives the same"),
        (Follower(), "the order of the documents does not matter"),
        (Crowd(), "other documents do not matter"),
        (Short(), "one list for each document"),
        (Lazy(), "one list for each document"),
        (Talkative(), "no documents give an empty list"),
        (Meddling(), "documents are left unchanged"),
        (DoubtsItself(), "possible identifiers lie outside the spans"),
        (DoubtsElsewhere(), "doc easy: span ends at"),
    ],
)
def test_a_broken_detector_is_named(broken: Any, promise: str) -> None:
    with pytest.raises(AssertionError, match=promise):
        check_detector(broken)


# --- operations -------------------------------------------------------------------------------------------


class ByPatient(Keep):
    """Numbers a patient's spans through all notes at hand, in the order of their ids: allowed."""

    def replace(self, documents: Sequence[Document]) -> list[list[str]]:
        result: dict[int, list[str]] = {}
        count: dict[str, int] = {}
        for place in sorted(range(len(documents)), key=lambda place: documents[place].id):
            document = documents[place]
            key = document.patient_id or document.id
            result[place] = []
            for _ in document.spans:
                count[key] = count.get(key, 0) + 1
                result[place].append(f"#{count[key]}")
        return [result[place] for place in range(len(documents))]


class OneMore(Keep):
    def replace(self, documents: Sequence[Document]) -> list[list[str]]:
        return [[*texts, ""] for texts in super().replace(documents)]


class Numbers(Keep):
    def replace(self, documents: Sequence[Document]) -> list[list[Any]]:
        return [[7 for _ in document.spans] for document in documents]


class Counting(Keep):
    """Numbers spans through all documents, so that they depend on each other."""

    def replace(self, documents: Sequence[Document]) -> list[list[str]]:
        number = iter(range(10_000))
        return [[f"#{next(number)}" for _ in document.spans] for document in documents]


def test_good_operations_pass() -> None:
    check_operation(Keep())
    check_operation(ByPatient())
    check_operation(Keep(), [Document("1", "Ms. Ng", (Span(4, 6, "PATIENT"),))])


@pytest.mark.parametrize(
    ("broken", "promise"),
    [
        (NoDetector(), "all parts of the Operation protocol"),
        (OneMore(), "doc easy: one replacement for each span"),
        (Numbers(), "replacements are strings"),
        (Counting(), "the order of the documents does not matter"),
    ],
)
def test_a_broken_operation_is_named(broken: Any, promise: str) -> None:
    with pytest.raises(AssertionError, match=promise):
        check_operation(broken)


# --- formats ----------------------------------------------------------------------------------------------


class Lines:
    """A small format: one JSON list a line."""

    name: ClassVar[str] = "lines"
    suffixes: ClassVar[tuple[str, ...]] = (".lines",)

    def read(self, path: Path) -> Iterator[Document | SetAside]:
        for number, line in enumerate(path.read_bytes().splitlines() or [b""], start=1):
            where = f"{path}:{number}"
            try:
                note, text, spans = json.loads(line)
                yield self.made(Document(note, text, tuple(Span(*span) for span in spans)))
            except Exception:
                yield SetAside(f"line {number}", self.reason(line), where)

    @contextmanager
    def open(self, path: Path, *, span_column: bool = False, explain: bool = False) -> Iterator[Sink]:
        lines: list[str] = []
        yield FunctionSink(lambda document: lines.append(self.line(document)))
        path.write_text("".join(lines), "ascii")

    def line(self, document: Document) -> str:
        spans = [(span.start, span.end, span.label) for span in document.spans]
        return json.dumps([document.id, document.text, spans]) + "\n"

    def made(self, document: Document) -> Document:
        return document

    def reason(self, line: bytes) -> str:
        return "not a note"


def test_good_formats_pass() -> None:
    check_format(Lines())
    check_format(NoMarks())
    check_format(OnlyAscii())
    check_format(OneANote(), [Document("1", "Ms. Ng", (Span(4, 6, "PATIENT"),))])


class NoMarks(Lines):
    """Keeps no spans at all, which is allowed."""

    def made(self, document: Document) -> Document:
        return Document(document.id, document.text)


class OnlyAscii(Lines):
    """Refuses what it cannot hold, which is allowed."""

    def line(self, document: Document) -> str:
        if not document.text.isascii():
            raise FormatError("only ASCII", f"doc {document.id}")
        return super().line(document)


class OneANote(Lines):
    """Writes one note to a file, many to a folder."""

    def read(self, path: Path) -> Iterator[Document | SetAside]:
        for file in sorted(path.iterdir()) if path.is_dir() else [path]:
            yield from super().read(file)

    @contextmanager
    def open(self, path: Path, *, span_column: bool = False, explain: bool = False) -> Iterator[Sink]:
        lines: list[tuple[str, str]] = []
        yield FunctionSink(lambda document: lines.append((document.id, self.line(document))))
        if path.suffix and len(lines) > 1:
            raise UsageError("a file takes one note")
        if path.suffix:
            path.write_text(lines[0][1], "ascii")
            return
        path.mkdir()
        for name, line in lines:
            (path / f"{name}.lines").write_text(line, "ascii")


class NoDot(Lines):
    suffixes: ClassVar[tuple[str, ...]] = ("lines",)


class Trimming(Lines):
    def made(self, document: Document) -> Document:
        return Document(document.id, document.text.strip())


class Renaming(Lines):
    def made(self, document: Document) -> Document:
        return Document(f"{document.id}-1", document.text, document.spans)


class LosingMarks(Lines):
    def made(self, document: Document) -> Document:
        return Document(document.id, document.text, document.spans[:1])


class Swallowing(Lines):
    """Reads only the first note."""

    def read(self, path: Path) -> Iterator[Document | SetAside]:
        for item in super().read(path):
            yield item
            return


class Listing(Lines):
    def read(self, path: Path) -> Any:
        return list(super().read(path))


class Refusing(Lines):
    def line(self, document: Document) -> str:
        raise FormatError("nothing can be written")


class Tattling(Lines):
    def line(self, document: Document) -> str:
        raise FormatError(f"cannot write {document.text}")


class TattlingByCause(Lines):
    def line(self, document: Document) -> str:
        raise FormatError("cannot be written") from ValueError(document.text)


class Crashing(Lines):
    def line(self, document: Document) -> str:
        document.text.encode("ascii")
        return super().line(document)


class HalfWay(Lines):
    """Writes as it goes and leaves what it has when something fails."""

    @contextmanager
    def open(self, path: Path, *, span_column: bool = False, explain: bool = False) -> Iterator[Sink]:
        with path.open("w", encoding="ascii") as file:
            yield FunctionSink(lambda document: file.write(self.line(document)))


class Hiding(Lines):
    """Takes the error of a stream for its end."""

    @contextmanager
    def open(self, path: Path, *, span_column: bool = False, explain: bool = False) -> Iterator[Sink]:
        lines: list[str] = []
        with suppress(Exception):
            yield FunctionSink(lambda document: lines.append(self.line(document)))
        path.write_text("".join(lines), "ascii")


class Elsewhere(Lines):
    def open(self, path: Path, **options: bool) -> AbstractContextManager[Sink]:
        return super().open(path.with_suffix(".elsewhere"), **options)


class Repeating(Lines):
    def reason(self, line: bytes) -> str:
        return f"not a note: {line!r}"


class Unguarded(Lines):
    def read(self, path: Path) -> Iterator[Document | SetAside]:
        for line in path.read_bytes().splitlines():
            note, text, spans = json.loads(line)
            yield Document(note, text, tuple(Span(*span) for span in spans))


class Raising(Lines):
    """Raises for a damaged file, and repeats it."""

    def reason(self, line: bytes) -> str:
        raise FormatError(line.decode("latin-1"))


class OneOnly(Lines):
    """Cannot write two notes at all."""

    @contextmanager
    def open(self, path: Path, *, span_column: bool = False, explain: bool = False) -> Iterator[Sink]:
        lines: list[str] = []
        yield FunctionSink(lambda document: lines.append(self.line(document)))
        if len(lines) > 1:
            raise UsageError("one note is enough")
        path.write_text("".join(lines), "ascii")


class Changing(Lines):
    """Reads another text the second time."""

    def __init__(self) -> None:
        self.read_before: set[Path] = set()

    def read(self, path: Path) -> Iterator[Document | SetAside]:
        again = path in self.read_before
        self.read_before.add(path)
        for item in super().read(path):
            yield Document(item.id, "") if again and isinstance(item, Document) else item


class SettingAside(Lines):
    def made(self, document: Document) -> Document:
        raise ValueError


class Odd(Lines):
    def made(self, document: Document) -> Any:
        return document.text


class Changeful(Lines):
    def line(self, document: Document) -> str:
        document.meta["written"] = True  # type: ignore[index]
        return super().line(document)


@pytest.mark.parametrize(
    ("broken", "promise"),
    [
        (NoDetector, "all parts of the Format protocol"),
        (NoDot, "suffixes is a tuple of strings with a dot"),
        (Trimming, "its text comes back to the character"),
        (Renaming, "comes back with its id"),
        (LosingMarks, "its spans come back"),
        (Swallowing, "notes written, 1 read"),
        (Listing, "read gives an iterator"),
        (Refusing, "at least one of the documents can be written"),
        (Tattling, "FormatError does not repeat note text"),
        (TattlingByCause, "ValueError does not repeat note text"),
        (Crashing, "a PlainsightError, not UnicodeEncodeError"),
        (HalfWay, "a write that fails leaves nothing behind"),
        (Hiding, "lets an error of the stream pass"),
        (Elsewhere, "leaves its output at the path"),
        (Repeating, "a note set aside does not repeat note text"),
        (Unguarded, "a damaged file gives a PlainsightError, not JSONDecodeError"),
        (Raising, "FormatError does not repeat note text"),
        (OneOnly, "can be written together"),
        (Changing, "reading again gives the same"),
        (SettingAside, "what write wrote is read: not a note"),
        (Odd, "read gives Documents and SetAsides"),
        (Changeful, "documents are left unchanged"),
    ],
)
def test_a_broken_format_is_named(broken: Callable[[], Any], promise: str) -> None:
    with pytest.raises(AssertionError, match=promise) as caught:
        check_format(broken())
    assert "Quillfeather" not in str(caught.value)


class OneFileOfAFolder(Lines):
    """Reads the first file of a folder and forgets the others."""

    def read(self, path: Path) -> Iterator[Document | SetAside]:
        return super().read(min(path.iterdir()) if path.is_dir() else path)


def test_a_folder_is_read_whole_if_it_is_read_at_all() -> None:
    with pytest.raises(AssertionError, match="3 notes written, 1 read"):
        check_format(OneFileOfAFolder())


# --- trainers ---------------------------------------------------------------------------------------------


class Listed:
    """A detector that finds the words of its model."""

    name: ClassVar[str] = "listed"

    def __init__(self, *, model: str = "") -> None:
        self.model = model

    @property
    def labels(self) -> frozenset[str]:
        return frozenset(read_manifest(self.model)["labels"])

    def detect(self, documents: Sequence[Document]) -> list[list[Span]]:
        words = read_manifest(self.model)["words"]
        return [
            [Span(at, at + len(w), "PATIENT", 0.9, "listed") for w in words if (at := d.text.find(w)) >= 0]
            for d in documents
        ]


def train_listed(
    documents: Sequence[Document],
    folder: Path,
    *,
    broken: str = "",
    dev: Sequence[Document] = (),
    progress: Callable[[int, float], None] = lambda step, loss: None,
    stage: Callable[[str], None] = lambda name: None,
) -> dict[str, Any]:
    """Learn patients' names by heart; ``broken`` names a promise to break."""
    words = sorted({d.text[s.start : s.end] for d in documents for s in d.spans if s.label == "PATIENT"})
    if not words and broken != "silent":
        raise (ValueError if broken == "error" else DataError)("no patient is marked")
    manifest: dict[str, Any] = {"labels": ["PATIENT"], "words": [] if broken == "forgets" else words}
    if broken == "labels":
        manifest["labels"] = ["PATIENT", "FAX"]
    if dev and broken != "scores":
        manifest["scores"] = {}
    if dev and broken == "chance":
        manifest["words"] = words[:1]
    return save_model(folder, kind="other" if broken == "kind" else "listed", manifest=manifest, arrays={})


def test_a_good_trainer_passes() -> None:
    check_trainer(train_listed, Listed)


@pytest.mark.parametrize(
    ("broken", "promise"),
    [
        ("kind", "the model's kind is 'listed'"),
        ("labels", "the labels are those of the notes"),
        ("forgets", "finds identifiers that it was trained on"),
        ("scores", "dev notes are scored"),
        ("chance", "a second training gives the same"),
        ("error", "a PlainsightError, not ValueError"),
        ("silent", "notes without marks are refused"),
    ],
)
def test_a_broken_trainer_is_told_which_promise(broken: str, promise: str) -> None:
    with pytest.raises(AssertionError, match=promise):
        check_trainer(train_listed, Listed, broken=broken)


def test_a_trainer_has_typed_options_and_the_common_ones() -> None:
    def bare(documents: Sequence[Document], folder: Path) -> dict[str, Any]:
        return {}

    def untyped(documents, folder, *, dev=(), progress=None, stage=None, order=3):  # type: ignore[no-untyped-def]
        return {}

    with pytest.raises(AssertionError, match="it takes 'dev'"):
        check_trainer(bare, Listed)  # type: ignore[arg-type]
    with pytest.raises(AssertionError, match="has a type"):
        check_trainer(untyped, Listed)
