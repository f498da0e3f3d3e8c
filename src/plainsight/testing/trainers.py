"""Check trainers."""

from __future__ import annotations

import copy
import inspect
import json
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from plainsight.detect.base import Learned, Trainable
from plainsight.document import Document
from plainsight.errors import PlainsightError
from plainsight.model import read_manifest
from plainsight.testing.promise import expect, name_of, repeats
from plainsight.testing.samples import training_documents
from plainsight.testing.stages import check_detector


def check_trainer(
    train: Trainable, detector: type[Any], documents: Sequence[Document] | None = None, **options: Any
) -> None:
    """Train with ``options`` on ``documents``, or on sample notes, and check model and detector.

    The trainer's options are keyword-only and annotated, with ``dev``, ``progress`` and ``stage`` among them.
    The model folder names the detector as its kind, and only labels of the notes; the detector finds marked
    identifiers with it and keeps the promises of a detector; a second training gives a model that finds the
    same; dev notes are scored; the notes stay as they are; notes without marks are refused with a
    `PlainsightError` that repeats no note text, and leave no folder.
    """
    _check_signature(train)
    documents = training_documents() if documents is None else list(documents)
    before = copy.deepcopy(documents)
    marked = {span.label for document in documents for span in document.spans}
    with tempfile.TemporaryDirectory(prefix="plainsight-") as name:
        first, second, none = (Path(name, part) for part in ("first", "second", "none"))
        manifest = train(documents, first, **options)
        expect(
            read_manifest(first) == json.loads(json.dumps(manifest)),
            "what is returned is the manifest of the folder",
        )
        expect(manifest.get("kind") == detector.name, f"the model's kind is {detector.name!r}")
        labels = manifest.get("labels", [])
        expect(isinstance(labels, list) and labels, "the manifest lists the labels")
        expect(set(labels) <= marked, "the labels are those of the notes")
        expect(documents == before, "the notes are left unchanged")
        model = detector(model=str(first))
        expect(set(labels) == model.labels, "the detector's labels are those of its model")
        if isinstance(model, Learned):
            expect(isinstance(manifest.get("bias"), int | float), "the manifest has a bias")
        found = model.detect(documents)
        hits = sum(
            any(mine.start < span.end and span.start < mine.end for mine in own)
            for document, own in zip(documents, found, strict=True)
            for span in document.spans
        )
        expect(hits, "the detector finds identifiers that it was trained on")
        check_detector(model, [*documents[:3], Document("empty", "")])
        again = train(documents, second, dev=documents[:3], **options)
        expect("scores" in again, "dev notes are scored in the manifest")
        expect(detector(model=str(second)).detect(documents) == found, "a second training gives the same")
        _check_refusal(train, documents, none, options)


def _check_signature(train: Trainable) -> None:
    parameters = inspect.signature(train).parameters
    for part in ("dev", "progress", "stage"):
        expect(part in parameters, f"it takes {part!r}")
    for place, (option, parameter) in enumerate(parameters.items()):
        if place > 1:
            expect(parameter.kind is parameter.KEYWORD_ONLY, f"option {option!r} is keyword-only")
            expect(parameter.annotation is not parameter.empty, f"option {option!r} has a type")


def _check_refusal(
    train: Trainable, documents: Sequence[Document], folder: Path, options: dict[str, Any]
) -> None:
    bare = [replace(document, spans=()) for document in documents]
    try:
        train(bare, folder, **options)
    except PlainsightError as error:
        texts = [document.text for document in bare]
        expect(not repeats(f"{error} {error.args!r}", texts), "the error does not repeat note text")
        expect(not folder.exists(), "a refused training leaves no folder")
    except Exception as error:
        raise AssertionError(
            f"broken promise: notes without marks give a PlainsightError, not {type(error).__name__}"
        ) from None
    else:
        raise AssertionError(f"broken promise: {name_of(bare[0])}: notes without marks are refused")
