"""``plainsight site``: what one hospital's own notes teach. One file per command; this one lists them."""

from __future__ import annotations

from typer import Typer

from plainsight.cli.lab.site_learn import learn
from plainsight.cli.options import KeyOptions, PolicyName, SiteFolder, grouped
from plainsight.cli.site_harvest import harvest
from plainsight.cli.site_lists import lists
from plainsight.cli.site_loop import correct, doubt, report
from plainsight.cli.site_sentences import safe, sentences
from plainsight.errors import UsageError
from plainsight.site.folder import new_site

app = Typer(
    add_completion=False,
    help="Learn from one hospital's own notes: read what is in doubt, correct it, and use what was learned.",
    no_args_is_help=True,
)


@app.callback()
def _group() -> None:
    pass  # so that the name of the command is needed even while there is one only


@app.command()
@grouped
def init(*, site: SiteFolder, policy: PolicyName = "balanced", key_options: KeyOptions) -> None:
    """Make the folder of a site.

    It will hold words of the site's notes, encrypted with the key. Only its owner can read the folder.
    `plainsight deidentify --site SITE` uses what it has learned.

    Example: plainsight site init ward/ --key-file project.key
    """
    key = key_options.find()
    if key is None:
        raise UsageError("a site needs a key that is kept: make one with `plainsight key new`")
    made = new_site(site, policy=policy, secret=key.secret)
    print(f"{made.folder}: a new site, policy {policy}, key {key.fingerprint}")


for command in (doubt, correct, learn, harvest, sentences, safe, report, grouped(lists)):
    app.command()(command)
