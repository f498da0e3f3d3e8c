"""De-identify clinical notes: find what identifies people and replace it by something fictional.

>>> import plainsight
>>> plainsight.deidentify("Seen by Dr. Okafor on 3/4/2019.", policy="redact")
'Seen by Dr. [DOCTOR] on [DATE].'
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, overload

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from plainsight.document import Address, Document, Patient, SetAside, Span
    from plainsight.errors import (
        DataError,
        FormatError,
        PlainsightError,
        PluginError,
        PolicyError,
        RunError,
        SpanError,
        UsageError,
    )
    from plainsight.interop.rows import from_pandas, from_rows, to_pandas, to_rows
    from plainsight.keys import load_key
    from plainsight.pipeline import Item, Pipeline
    from plainsight.version import __version__

__all__ = [
    "Address",
    "DataError",
    "Document",
    "FormatError",
    "Patient",
    "Pipeline",
    "PlainsightError",
    "PluginError",
    "PolicyError",
    "RunError",
    "SetAside",
    "Span",
    "SpanError",
    "UsageError",
    "__version__",
    "deidentify",
    "detect",
    "from_pandas",
    "from_rows",
    "load",
    "load_key",
    "to_pandas",
    "to_rows",
]


# The names above are imported when they are first used, so that importing plainsight takes no time.
_MODULES = {
    "document": ("Address", "Document", "Patient", "SetAside", "Span"),
    "errors": (
        "DataError",
        "FormatError",
        "PlainsightError",
        "PluginError",
        "PolicyError",
        "RunError",
        "SpanError",
        "UsageError",
    ),
    "interop.rows": ("from_pandas", "from_rows", "to_pandas", "to_rows"),
    "keys": ("load_key",),
    "pipeline": ("Pipeline",),
    "version": ("__version__",),
}
_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'plainsight' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"plainsight.{_MODULE_OF[name]}"), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


import_module("plainsight.detect")  # the package; imported later, it would take the place of the function

_MOST_LOADED = 4
_loaded: dict[str, Pipeline] = {}


def load(
    policy: str | Path = "balanced",
    *,
    key: bytes | None = None,
    state: str | Path | None = None,
    site: str | Path | None = None,
) -> Pipeline:
    """Return the pipeline of a policy: a built-in policy's name or the path of a TOML file.

    With the same secret ``key`` of at least 32 bytes (see `load_key`), a patient gets the same surrogates in
    every pipeline. Without one, the pipeline draws a random key and never stores it. ``state`` is a file that
    remembers, encrypted, what was made of each patient's notes: later pipelines then agree even on initials
    and misspellings. ``site`` is a folder made by ``plainsight site init``: its own policy is taken, with all
    that the site has learned, and ``key`` is the site's.
    """
    from plainsight.config import load_policy
    from plainsight.pipeline import Pipeline

    chosen = load_policy(policy)
    if site is not None or chosen.site is not None:
        from plainsight.site.folder import open_site
        from plainsight.site.policy import with_site

        opened = open_site(site or chosen.site or "", key)
        chosen = with_site(chosen if site is None else load_policy(opened.policy), opened)
    return Pipeline(chosen, key=key, state=state)


@overload
def detect(
    text: str, *, policy: str | Path = "balanced", patient: Patient | None = None
) -> tuple[Span, ...]: ...
@overload
def detect(
    text: list[str] | tuple[str, ...], *, policy: str | Path = "balanced", patient: Patient | None = None
) -> list[tuple[Span, ...]]: ...
def detect(
    text: str | list[str] | tuple[str, ...],
    *,
    policy: str | Path = "balanced",
    patient: Patient | None = None,
) -> tuple[Span, ...] | list[tuple[Span, ...]]:
    """Return the identifiers of a note, or of each note of a list.

    Models stay loaded for the next call; nothing of the notes does. To stream many notes, use `load`.
    """
    notes = _documents(text, patient)
    found = [document.spans for document in _done(_pipeline(policy).detect(notes))]
    return found[0] if isinstance(text, str) else found


@overload
def deidentify(
    text: str, *, policy: str | Path = "balanced", patient: Patient | None = None, key: bytes | None = None
) -> str: ...
@overload
def deidentify(
    text: list[str] | tuple[str, ...],
    *,
    policy: str | Path = "balanced",
    patient: Patient | None = None,
    key: bytes | None = None,
) -> list[str]: ...
def deidentify(
    text: str | list[str] | tuple[str, ...],
    *,
    policy: str | Path = "balanced",
    patient: Patient | None = None,
    key: bytes | None = None,
) -> str | list[str]:
    """Return a note with its identifiers replaced, or each note of a list.

    Models stay loaded for the next call; nothing of the notes does. With a ``patient``, all notes are that
    patient's and their replacements agree; otherwise each note stands for itself. To stream many notes, use
    `load`.
    """
    notes = _documents(text, patient)
    made = [document.text for document in _done(_pipeline(policy).with_key(key).deidentify(notes))]
    return made[0] if isinstance(text, str) else made


def _documents(text: str | list[str] | tuple[str, ...], patient: Patient | None) -> list[Document]:
    texts = [text] if isinstance(text, str) else text
    if not isinstance(texts, list | tuple) or not all(isinstance(each, str) for each in texts):
        raise TypeError("pass a string or a list of strings; for Document objects, load() a pipeline")
    from plainsight.document import Document

    patient_id = patient.id if patient else None
    return [
        Document("note" if number == 1 else f"note {number}", each, (), patient_id, patient)
        for number, each in enumerate(texts, start=1)
    ]


def _pipeline(policy: str | Path) -> Pipeline:
    """Return the policy's pipeline, loaded by an earlier call if the policy is still the same."""
    from plainsight.config import built_in_policies, load_policy

    known = _loaded.get(str(policy))
    if known is None or (str(policy) not in built_in_policies() and known.policy != load_policy(policy)):
        known = load(policy)
        while len(_loaded) >= _MOST_LOADED:
            del _loaded[next(iter(_loaded))]
        _loaded[str(policy)] = known
    return known


def _done(items: Iterable[Item]) -> list[Document]:
    """Run a stream to its end and forget the notes; raise the reason if one was set aside."""
    from plainsight import note_cache
    from plainsight.document import Document, SetAside
    from plainsight.errors import DataError

    try:
        done = list(items)
    finally:
        note_cache.forget()
    for item in done:
        if isinstance(item, SetAside):
            raise DataError(item.reason)
    return [item for item in done if isinstance(item, Document)]
