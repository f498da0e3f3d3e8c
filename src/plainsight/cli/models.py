"""``plainsight models``: list the bundled models, show a model's card, take in a published network."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

from rich.console import Console
from rich.table import Table
from typer import Argument, Option, Typer
from typer.core import TyperGroup

from plainsight.cli.card import card
from plainsight.cli.options import check_paths, complete_model
from plainsight.errors import UsageError
from plainsight.model import bundled_models, load_model, read_manifest


class _ShowUnlessNamed(TyperGroup):
    """``plainsight models NAME`` shows a model, unless NAME is a command."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        named = args and (args[0] in self.commands or args[0] in ctx.help_option_names)
        return super().parse_args(ctx, args if named else ["show", *args])


app = Typer(
    add_completion=False,
    cls=_ShowUnlessNamed,
    help="List the models that come with plainsight (`plainsight models`), show one's card "
    "(`plainsight models our-ward/`), or take in a network that others have published.",
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.command()
def show(
    model: Annotated[
        str | None,
        Argument(
            help="A bundled model's name or a model folder.",
            show_default=False,
            autocompletion=complete_model,
        ),
    ] = None,
    as_json: Annotated[bool, Option("--json", help="Print as JSON.")] = False,
) -> None:
    """List the models that come with plainsight; or show one's card, having checked that its files are whole.

    Examples:

        plainsight models

        plainsight models our-ward/
    """
    if model is None:
        _list(as_json)
        return
    manifest = read_manifest(model)
    load_model(model, kind=manifest["kind"])
    if as_json:
        print(json.dumps(manifest, indent=2, ensure_ascii=False))
    else:
        Console().print(*card(model, manifest))


@app.command("import-neuroner")
def import_neuroner(
    folder: Annotated[
        Path, Argument(help="A NeuroNER model: `model.ckpt.*`, `dataset.pickle`.", show_default=False)
    ],
    vectors: Annotated[
        list[Path],
        Option(
            help="Word vectors as GloVe writes them, or the folder of a NeuroNER model that has its own. "
            "Given several times, the first that knows a word counts.",
            show_default=False,
        ),
    ],
    out: Annotated[Path, Option("--out", "-o", help="The model folder to write.", show_default=False)],
    bias: Annotated[float, Option(help="Below 0 more is found, above 0 less.")] = 0.0,
    force: Annotated[bool, Option("--force", help="Overwrite an existing model.")] = False,
    as_json: Annotated[bool, Option("--json", help="Print the model's manifest as JSON.")] = False,
) -> None:
    """Turn a published NeuroNER checkpoint into a model for the detector `bilstm`, equation for equation.

    Nothing in the checkpoint is run: neither TensorFlow nor pickle is needed.

    Example:

        plainsight models import-neuroner i2b2_2014/ --vectors glove.6B.100d.txt --out neuroner/
    """
    if find_spec("onnx") is None:
        raise UsageError("importing a network needs onnx: pip install onnx")
    from plainsight.lab.train.recurrent.neuroner import import_neuroner as convert

    for path in (folder, *vectors):
        if not path.exists():
            raise UsageError(f"{path} does not exist")
    check_paths((folder, *vectors), (out,), force=force or (out.is_dir() and not any(out.iterdir())))
    manifest = convert(folder, out, vectors=vectors, bias=bias)
    if as_json:
        print(json.dumps(manifest))
    else:
        Console(stderr=True).print(*card(out.name, manifest))


def _list(as_json: bool) -> None:
    found: dict[str, dict[str, Any]] = {name: read_manifest(name) for name in bundled_models()}
    if as_json:
        print(json.dumps(found, indent=2, ensure_ascii=False))
        return
    if not found:
        print("no model is bundled; `plainsight train` makes one")
        return
    table = Table(box=None, show_header=False)
    for name, manifest in found.items():
        table.add_row(name, manifest["kind"], str(manifest.get("description", "")))
    Console().print(table)
