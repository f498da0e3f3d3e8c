"""``plainsight deidentify``: replace every identifier."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from plainsight.cli.chosen import Recall, choose_policy
from plainsight.cli.notes import Job
from plainsight.cli.options import (
    In,
    Keys,
    Models,
    Out,
    PolicyName,
    Processes,
    Reading,
    RecallDial,
    Telling,
    Writing,
    grouped,
)
from plainsight.document import SetAside
from plainsight.errors import UsageError
from plainsight.models import models_of
from plainsight.pipeline import Item, Pipeline
from plainsight.run.anonymous import anonymous
from plainsight.run.manifest import consistency
from plainsight.run.mapping import write_mapping
from plainsight.run.processes import spread

__all__ = ["deidentify"]


@grouped
def deidentify(
    *,
    source: In,
    output: Out,
    policy: PolicyName = "balanced",
    model: Models = None,
    recall: RecallDial = Recall.BALANCED,
    processes: Processes = 1,
    reading: Reading,
    keys: Keys,
    forget_key: Annotated[
        bool, typer.Option("--forget-key", help="Use a random key that is never stored: no way back.")
    ] = False,
    mapping: Annotated[
        Path | None,
        typer.Option(help="Also write the originals to this file, encrypted with the key, for `restore`."),
    ] = None,
    anonymous_names: Annotated[
        bool, typer.Option("--anonymous-names", help="Number the notes instead of keeping their ids.")
    ] = False,
    with_spans: Annotated[
        bool,
        typer.Option("--with-spans", help="Also write where the replacements are (helps an attacker, too)."),
    ] = False,
    writing: Writing,
    telling: Telling,
) -> None:
    """De-identify notes: find every identifier and replace it as the policy says.

    Writes the same notes in the same format, with their ids; columns and metadata that the policy does
    not name are left out. Notes that cannot be done are set aside, listed in OUT.quarantine.jsonl (ids
    and reasons only), and the exit code is 1. Beside the output stands OUT.manifest.json.

    With the same key, a patient's surrogates are the same in every run; without a key they come from a
    random one that is forgotten. Let a patient's notes stand together: forms of names are linked across them.

    Examples:

        plainsight deidentify notes/ -o clean/

        plainsight key new project.key && plainsight deidentify notes/ -o clean/ --key-file project.key

        plainsight deidentify notes.jsonl -o clean.jsonl --policy safe-harbor --recall high

        plainsight deidentify notes.csv -o clean.csv --text-column NOTE_TEXT --patients records.jsonl
    """
    chosen = choose_policy(policy, model or (), recall=recall, replacing=True)
    job = Job(
        source=source,
        output=output,
        reading=reading,
        writing=writing,
        telling=telling,
        reads=(keys.key_file, *(model or ())),
        writes=(mapping,),
    )
    key = keys.find_or_forget(chosen, forget=forget_key)
    if mapping and (key is None or key.forgotten):
        raise UsageError("a mapping needs a key that is kept, or nobody could ever read it")
    pipeline = Pipeline(chosen, key=key.secret if key else None)

    def work(items: Iterable[Item]) -> Iterator[Item]:
        done = spread(pipeline, "with_originals", items, processes=processes)
        if anonymous_names:
            done = anonymous(done)
        if mapping and key:
            return write_mapping(done, mapping, key.secret)
        return (item if isinstance(item, SetAside) else item.document for item in done)

    job.run(
        "deidentify",
        work,
        policy=chosen,
        writing={"metadata": False, **({"spans": "spans"} if with_spans else {})},
        finish=lambda document: document if with_spans else replace(document, spans=()),
        about={
            "key": key.about if key else "not needed",
            "consistency": consistency(chosen),
            "mapping": mapping.name if mapping else None,
            "models": models_of(chosen),
        },
    )
