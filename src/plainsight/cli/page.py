"""One self-contained HTML page: originals beside results, identifiers marked in colour."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from string import Template

from plainsight.document import Document
from plainsight.highlight import legend_html, marked_html

__all__ = ["demo_page"]

_PAGE = Template("""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>plainsight demo</title>
<style>
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 84rem; margin: 2rem auto; padding: 0 1rem; }
h2 { font-size: 1rem; margin: 2.5rem 0 .5rem; }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0; padding: 1rem; border: 1px solid #8884;
  border-radius: .5rem; font: 13px/1.5 ui-monospace, monospace; }
@media (max-width: 50rem) { .pair { grid-template-columns: 1fr; } }
</style>
<h1>plainsight</h1>
<p>$count identifiers in $notes notes of invented patients, policy <em>$policy</em>. Left the original, right
what a researcher would see. Point at a mark to see its label, who found it and how sure.</p>
<p>$legend</p>
$pairs
</html>
""")


def demo_page(pairs: Sequence[tuple[Document, Document]], *, policy: str) -> str:
    """Return the page for (original, de-identified) pairs."""
    return _PAGE.substitute(
        count=sum(len(before.spans) for before, _ in pairs),
        notes=len(pairs),
        policy=escape(policy),
        legend=legend_html(),
        pairs="\n".join(
            f'<h2>{escape(before.id)}</h2>\n<div class="pair"><pre>{marked_html(before)}</pre>'
            f"<pre>{marked_html(after)}</pre></div>"
            for before, after in pairs
        ),
    )
