"""What a site's folder tells a pipeline about sentences: those it knows, and those a person accepted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from plainsight.config import Policy
from plainsight.document import Document
from plainsight.pipeline import Pipeline
from plainsight.site.folder import Site, open_site, read_sealed, write_sealed
from plainsight.site.inclusion import load_inclusion
from plainsight.site.known import KnownSentences, by_detector, pack, settings_of, unpack
from plainsight.site.settle import Settled

_PART = "known sentences"


def knowledge_of(policy: Policy, local: Iterable[str], *, key: bytes | None) -> KnownSentences:
    """Return what the policy's site knows of sentences, for the policy's present detectors.

    ``local`` names the detectors whose claims are kept. What was made with other models is left out.
    """
    site = open_site(policy.site or "", key)
    known = {}
    if site.known.exists():
        data = read_sealed(site, site.known, part=_PART)
        known = unpack(data, settings_of(policy, local), str(site.known))
    accepted = load_inclusion(site).accepted(
        settings_of(policy, [choice.name for choice in policy.detectors])
    )
    return KnownSentences(known, accepted)


def save_known(site: Site, policy: Policy, local: Iterable[str], settled: Settled) -> None:
    """Keep settled sentences, encrypted, for the present detectors of a policy."""
    write_sealed(site, site.known, pack(settings_of(policy, local), settled), part=_PART)


def gain_of(
    pipeline: Pipeline, settled: Settled, notes: Sequence[Document], *, clock: Callable[[], float]
) -> float:
    """Return how many times as fast the pipeline detects in notes if it knows the settled sentences."""
    known = KnownSentences(by_detector(settled))
    took = []
    for kept in (KnownSentences(), known, KnownSentences(), known):  # the first two warm up
        other = pipeline.knowing(kept)
        began = clock()
        for _ in other.detect(notes):
            pass
        took.append(clock() - began)
    return took[2] / max(took[3], 1e-9)
