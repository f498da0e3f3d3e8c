"""What the commands of review projects share: the folder's argument, and how it is opened."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument

from plainsight.cli.options import KeyOptions

if TYPE_CHECKING:
    from plainsight.review.project import Project

ProjectFolder = Annotated[Path, Argument(metavar="PROJECT", help="The project's folder.", show_default=False)]


def opened(folder: Path, key_options: KeyOptions) -> Project:
    """Open a project."""
    from plainsight.review.project import Project

    return Project.open(folder, key=key_options.secret)
