"""The policy of a site: the one that it extends, with every part that the site has learned so far.

Parts change a policy: they add a detector, or give one another model. So a manifest states all that was used,
and worker processes need nothing but the policy and the key.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from plainsight.config import Choice, Policy
from plainsight.detect.templates import Templates
from plainsight.model import load_model
from plainsight.site.folder import Site
from plainsight.site.learned import learned_part
from plainsight.site.lists import with_lists

Part = Callable[[Policy, Site], Policy]


def _with_templates(policy: Policy, site: Site) -> Policy:
    """Add the rules harvested from the site's notes."""
    if not site.templates.exists():
        return policy
    _ = Templates(rules=str(site.templates)).labels  # refuse a damaged file before any note is read
    choice = Choice("templates", {"rules": str(site.templates)})
    others = tuple(one for one in policy.detectors if one.plugin != "templates")
    return replace(policy, detectors=(*others, choice))


def _with_filter(policy: Policy, site: Site) -> Policy:
    """Add the filter of false alarms that was trained on the site's corrected notes."""
    folder = site.models / "filter"
    if not (folder / "manifest.json").is_file():
        return policy
    load_model(folder, kind="filter")  # refuse a damaged one before any note is read
    return replace(policy, filter=str(folder))


PARTS: tuple[Part, ...] = (learned_part, with_lists, _with_templates, _with_filter)
"""What each part of a site does to a policy, in this order. A part that the site lacks changes nothing."""


def with_site(policy: Policy, site: Site) -> Policy:
    """Return a policy with what a site has learned."""
    policy = replace(policy, site=str(site.folder))
    for part in PARTS:
        policy = part(policy, site)
    return policy
