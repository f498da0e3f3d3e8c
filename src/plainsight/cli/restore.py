"""``plainsight restore``: put back what was replaced by mistake, if the owner of the notes consents."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from plainsight.cli.notes import Job
from plainsight.cli.options import InputOptions, KeyOptions, Out, OutputOptions, PolicyName, grouped
from plainsight.config import load_policy
from plainsight.errors import UsageError
from plainsight.pipeline import Pipeline, Replaced
from plainsight.run.ids import IdChoice, Ids
from plainsight.run.manifest import checksum
from plainsight.run.mapping import Entry, entry_of, read_mapping
from plainsight.run.restore import read_consent
from plainsight.run.restore import restore as restored


@grouped
def restore(
    *,
    released: Annotated[Path, Argument(help="De-identified notes, as released.", show_default=False)],
    output: Out,
    consent: Annotated[
        Path, Option(help="What may be restored: see docs/surrogates.md.", show_default=False)
    ],
    mapping: Annotated[
        Path | None, Option(help="The mapping that `deidentify --mapping` wrote with the release.")
    ] = None,
    originals: Annotated[
        Path | None, Option(help="Or the original notes, which are de-identified again to compare.")
    ] = None,
    originals_format: Annotated[
        str | None, Option(help="Format of the originals; guessed when not given.")
    ] = None,
    policy: PolicyName = "balanced",
    ids: Annotated[IdChoice, Option(help="The release was made with this --ids.")] = IdChoice.KEEP,
    key_options: KeyOptions,
    input_options: InputOptions,
    output_options: OutputOptions,
) -> None:
    """Restore replacements that protect nobody: a drug, a disease, a date that a reviewer found harmless.

    Only the spans that the consent names change, and only if the consent is for exactly this release.
    The key is needed: to open the mapping, or to de-identify the originals again, which must give the
    release to the character (with the same policy and reading options). Otherwise nothing is written.

    Example:

        plainsight restore clean/ -o better/ --consent yes.json --mapping clean.map --key-file project.key
    """
    if (mapping is None) == (originals is None):
        raise UsageError("give either --mapping or --originals")
    for path in (released, consent, mapping, originals):
        if path and not path.exists():
            raise UsageError(f"no file at {path}")
    key = key_options.find()
    if key is None:
        raise UsageError("nothing can be restored without the key: give --key-file")
    job = Job(
        source=released,
        output=output,
        input=replace(input_options, patients=None, patient_folders=False),
        options=output_options,
        reads=(consent, mapping, originals, input_options.patients, key_options.key_file),
        released=True,
    )
    if job.format == "jsonl":  # always written as UTF-8, whatever the originals were
        job = replace(job, input=replace(job.input, encoding=None))
    allowed = read_consent(consent)
    allowed.check(released)
    entries: Iterator[Entry]
    if mapping:
        entries = read_mapping(mapping, key.secret)
    elif originals:
        source = replace(
            job, source=originals, input=replace(input_options, format=originals_format), released=False
        )
        done = Pipeline(load_policy(policy), key=key.secret).with_originals(source.notes())
        named = map(Ids(ids, key.secret).rename, done)
        entries = (entry_of(item) for item in named if isinstance(item, Replaced))
    about = {"restored": len(allowed), "consent_sha256": checksum(consent), "key": key.about}
    with job.open("restore", about=about, whole=True) as out:
        for item in restored(job.notes(), entries, allowed):
            out.write(item)
