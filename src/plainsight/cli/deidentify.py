"""``plainsight deidentify``: replace every identifier."""

from __future__ import annotations

from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Annotated

from typer import Option

from plainsight.cli import options
from plainsight.cli.notes import Job, input_and_output
from plainsight.errors import UsageError
from plainsight.models import models_of
from plainsight.pipeline import Pipeline
from plainsight.run.ids import IdChoice, Ids
from plainsight.run.manifest import consistency
from plainsight.run.mapping import MappingFile


@options.grouped
def deidentify(
    *,
    source: options.In = None,
    text: options.Text = None,
    output: options.OutOrStandard = None,
    policy_options: options.PolicyOptions,
    engine: options.EngineOptions,
    input_options: options.InputOptions,
    key_options: options.KeyOptions,
    forget_key: Annotated[
        bool, Option("--forget-key", help="Use a random key that is never stored: no way back.")
    ] = False,
    mapping: Annotated[
        Path | None,
        Option(help="Also write the originals, encrypted with the key, to this file for `restore`."),
    ] = None,
    state: Annotated[
        Path | None,
        Option(help="Remember surrogates in this encrypted file, so that later runs agree with this one."),
    ] = None,
    ids: Annotated[
        IdChoice, Option(help="Ids and file names: keep them, or replace them by keyed codes or numbers.")
    ] = IdChoice.KEEP,
    with_spans: Annotated[
        bool, Option("--with-spans", help="Also write where the replacements are (helps an attacker, too).")
    ] = False,
    writer: options.WriterOptions,
    output_options: options.OutputOptions,
    update: Annotated[
        bool, Option("--update", help="Do only notes that are new or changed since OUT's last --update.")
    ] = False,
    restart: Annotated[
        bool, Option("--restart", help="Forget an unfinished run of this output and begin anew.")
    ] = False,
) -> None:
    """De-identify notes: find identifiers and replace them as the policy says.

    Writes the same notes in the same format, with their ids; columns and metadata that the policy does
    not name are left out. Notes that cannot be done are set aside, listed in OUT.quarantine.jsonl (ids
    and reasons only), and the exit code is 1. OUT.manifest.json says what was done.

    With the same key, a patient's surrogates are the same in every run; without a key they come from a
    random one that is forgotten. Keep a patient's notes together: forms of names are linked across them.
    Where notes come night after night, give a --state: forms of names are then linked with earlier nights.

    With a key that is kept, a run that was killed continues: run the same command again. With --update, OUT
    is a folder, and only notes that are new or changed since the last time are done.

    Examples:

        plainsight deidentify notes/ -o clean/

        plainsight key new project.key && plainsight deidentify notes/ -o clean/ --key-file project.key

        plainsight deidentify notes.jsonl -o clean.jsonl --policy safe-harbor --recall high

        plainsight deidentify notes.csv -o clean.csv --text-column NOTE_TEXT --patients records.jsonl

        plainsight deidentify tonight/ -o clean-tonight/ --key-file project.key --state project.state

        plainsight deidentify archive/ -o clean/ --key-file project.key --update

        plainsight deidentify --text "Seen by Dr. Okafor on 3/4/2019."

        cat notes.jsonl | plainsight deidentify - --format jsonl > clean.jsonl
    """
    chosen = policy_options.load(replacing=True, key_options=key_options)
    given, target = input_and_output(source, text, output)
    job = Job(
        source=given,
        output=target,
        input=input_options,
        writer=writer,
        options=output_options,
        reads=(key_options.key_file, *(policy_options.model or ())),
        writes=(mapping,),
        records=policy_options.records(chosen, key_options),
    )
    engine.check(state=state)
    if writer.output_labels and not with_spans:
        raise UsageError("--output-labels is for --with-spans: without it no spans are written")
    key = key_options.find_or_forget(chosen, forget=forget_key)
    kept_key = key.secret if key and not key.forgotten else None
    if mapping and kept_key is None:
        raise UsageError("a mapping needs a key that is kept: without it, nobody can read the mapping")
    if state and kept_key is None:
        raise UsageError("a state needs a key that is kept: without it, nobody can read the state again")
    if update and (mapping or ids is IdChoice.NUMBERED):
        raise UsageError("--update does not go with --mapping or --ids numbered: both are of one run")
    pipeline = Pipeline(chosen, key=key.secret if key else None, state=state)
    models = models_of(chosen)
    ledger = job.ledger(
        kept_key,
        {
            "policy": f"{chosen.name} {sha256(chosen.to_toml().encode()).hexdigest()[:8]}",
            "models": ", ".join(f"{name} {digest[:8]}" for name, digest in models.items()),
            "--ids": ids.value,
            "--with-spans": "yes" if with_spans else "",
            "--mapping": str(mapping or ""),
            "--state": str(state or ""),
        },
        restart=restart,
        update=update,
    )
    with job.open(
        "deidentify",
        policy=chosen,
        spans=with_spans,
        span_column=with_spans,
        ids=Ids(ids, kept_key),
        mapping=MappingFile(mapping, kept_key) if mapping and kept_key else None,
        ledger=ledger,
        secret=kept_key,
        about={
            "key": key.about if key else "not needed",
            "consistency": consistency(chosen),
            "ids": ids.value,
            "mapping": mapping.name if mapping else None,
            "state": state.name if state else None,
            "models": models,
        },
    ) as out:
        work = partial(engine.spread, pipeline, "with_originals", here=text is not None)
        for item in ledger.through(job.notes(), work):
            out.write(item)
