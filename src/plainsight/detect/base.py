"""The detector protocols: documents in, a list of spans for each document out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, ClassVar, Protocol, runtime_checkable

from plainsight.document import Document, Span


@runtime_checkable
class Detector(Protocol):
    """Find identifiers.

    A constructor takes keyword-only, typed options and only stores them; load models and lists at the
    first call. Spans of one document must lie inside its text; they may overlap each other. ``source``
    is the detector's name, or ``name.rule`` to say which rule made the claim. Scores are probabilities
    that the span is an identifier. One call must not change the result of the next.
    """

    name: ClassVar[str]
    labels: ClassVar[frozenset[str]]

    def detect(self, documents: Sequence[Document]) -> list[list[Span]]:
        """Return the spans found in each document, in the order of the documents."""
        ...


def is_local(detector: Detector) -> bool:
    """Whether what a detector claims in a sentence depends on the text in and around the sentence alone.

    Such a detector says so by an attribute ``local = True``. A site may then keep its claims in sentences
    that are repeated, and let it read only the others. All other detectors always read the whole note.
    """
    return bool(getattr(detector, "local", False))


@runtime_checkable
class Explaining(Detector, Protocol):
    """A detector that knows some sentences whole: no other detector needs to read them."""

    def explained(self, document: Document) -> Sequence[tuple[int, int]]:
        """Return where the sentences begin and end, without white space, in which it claims all there is."""
        ...


@runtime_checkable
class Stacked(Detector, Protocol):
    """A detector that reads the claims of others.

    ``needs`` names those detectors. `detect` runs them; a pipeline that has run them calls `detect_with`.
    """

    needs: ClassVar[tuple[str, ...]]

    def detect_with(
        self, documents: Sequence[Document], claims: Sequence[Sequence[Span]]
    ) -> list[list[Span]]:
        """Return the spans found in each document, given the claims of the detectors it needs."""
        ...


@runtime_checkable
class Doubting(Stacked, Protocol):
    """A detector that also says what it does not mark but finds somewhat probable."""

    def detect_and_doubt(
        self, documents: Sequence[Document], claims: Sequence[Sequence[Span]] | None = None
    ) -> tuple[list[list[Span]], list[list[Span]]]:
        """Return the spans found in each document, and the possible identifiers outside them.

        ``claims`` are those of the detectors it needs; None lets it run them. A possible identifier is one
        token with its likeliest label and the probability, without any bias, that it is an identifier at
        all. Leave out improbable ones: `plainsight.detect.possible`.
        """
        ...


@runtime_checkable
class Learned(Protocol):
    """A detector with trained models: it keeps these two options as attributes.

    ``model`` is the name of a bundled model or a folder, or a list of them; a policy and ``--model`` set it.
    ``bias`` is added to the score of "no identifier" at every token: below 0 finds more, above 0 less, None
    takes the models' own; ``--recall`` moves it. `plainsight.models` reads and changes both.
    """

    model: str | Sequence[str]
    bias: float | None


@runtime_checkable
class KeyedDetector(Detector, Protocol):
    """A detector that reads encrypted files or keyed digests of a site; the pipeline hands it the key."""

    def with_key(self, secret: bytes) -> Detector:
        """Return the detector with the secret key of the run."""
        ...


class Trainable(Protocol):
    """A function that trains a model for the detector of its name and writes the model folder.

    It takes notes with gold spans and the folder, and returns the manifest that `plainsight.model.save_model`
    wrote: ``kind`` (the detector's name), ``labels``, and ``bias`` if the detector is `Learned`. Further
    keyword-only parameters are its options; one without a default must be given. It refuses wrong options and
    notes that it cannot learn from with a `PlainsightError`, before it begins, and leaves no folder then.

    These options mean the same for every trainer that has them: ``init`` is a model to continue from,
    ``bias`` a fixed bias or None to choose one on held-out notes, ``recall`` the token recall that the chosen
    bias aims at, ``text`` a text variant that the model reads, ``labels`` the labels to learn, ``seed`` the
    seed. ``stage`` is called with the name of each stage, ``progress`` with a step and its loss.

    The five functions of a MASK plugin (S181-S185) are here: *initialise* is the detector's constructor;
    *transform_sequences* and *learn* are this function; *perform_NER* is `Detector.detect`; *evaluate* is
    ``dev``, whose scores go into the manifest, and ``plainsight evaluate``.
    """

    def __call__(
        self,
        documents: Sequence[Document],
        folder: Path,
        *,
        dev: Sequence[Document] = (),
        progress: Callable[[int, float], None] = ...,
        stage: Callable[[str], None] = ...,
    ) -> dict[str, Any]:
        """Train on notes with gold spans, write the model folder and return its manifest."""
        ...
