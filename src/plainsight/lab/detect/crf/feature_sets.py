"""Feature sets: what a CRF looks at, and how it is trained unless told otherwise.

A feature set is a plugin: a package adds one by an entry point, the detector and the trainer stay as they
are::

    [project.entry-points."plainsight.feature_sets"]
    wards = "my_package:WARDS"

where ``WARDS`` is a `FeatureSet`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from plainsight import registry
from plainsight.errors import PluginError, UsageError, suggest
from plainsight.lab.detect.crf import carafe, dernoncourt, mask
from plainsight.lab.detect.crf.templates import (
    Template,
    all_of,
    around,
    as_written,
    claimed,
    claims,
    fields,
    gap_kind,
    gaps,
    itself,
    kinds,
    kinds_around,
    longer_affixes,
    pairs,
    regexes,
    settled,
    short_shape,
    word,
    words,
)
from plainsight.text.vocabulary import listed

EDGES: Mapping[str, Template] = MappingProxyType(
    {
        "word": Template("edge", (0,), words, as_written),
        "previous": Template("edge", (-1,), words, as_written),
        "next": Template("edge", (1,), words, as_written),
    }
)
"""Words whose features may weigh pairs of tags, that of a token and that of the token before it (S21)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FeatureSet:
    """Templates, and the defaults of their training.

    ``tokens`` and ``sequences`` name presets of `plainsight.text.tokenizers`, ``edges`` names of `EDGES`.
    ``gaussian`` and ``lasso`` weigh the penalties. Raise ``edition`` when the features change: models of
    another edition are then refused instead of misread.
    """

    about: str
    templates: tuple[Template, ...]
    tokens: str = "plainsight"
    sequences: str = "record"
    edges: tuple[str, ...] = ()
    gaussian: float = 0.1
    lasso: float = 0.0
    iterations: int = 100
    edition: int = 1


def feature_set(name: str) -> FeatureSet:
    """Return a feature set by its name."""
    if name not in registry.names("feature_sets"):
        raise UsageError(f"unknown feature set {name!r}{suggest(name, registry.names('feature_sets'))}")
    found = registry.load("feature_sets", name)
    if not isinstance(found, FeatureSet):
        raise PluginError(f"feature set {name!r} is not a FeatureSet")
    return found


def edge_templates(names: Sequence[str]) -> tuple[Template, ...]:
    """Return the templates of words that weigh pairs of tags, by their names."""
    for name in names:
        if name not in EDGES:
            raise UsageError(f"unknown edges {name!r}{suggest(name, EDGES)}")
    return tuple(EDGES[name] for name in names)


def _carafe(about: str, *templates: Template) -> FeatureSet:
    """Return a set with Carafe's tokens and edges and its prior of variance 10: a penalty of w² / (2 · 10).

    Training is run to convergence (S23), for which 200 iterations are more than enough.
    """
    return FeatureSet(
        about=about,
        templates=templates,
        tokens="carafe",
        edges=("previous", "word"),
        gaussian=0.05,
        iterations=200,
        edition=2,
    )


CARAFE_I = _carafe("Carafe 2007: words, affixes and shapes, made for newswire.", *carafe.BASELINE)
CARAFE_I_L = _carafe(
    "Carafe 2007 with its lexicon: states, months, English words.", *carafe.BASELINE, *carafe.LEXICON
)
CARAFE_I_RC = _carafe(
    "Carafe 2007 with its regular expressions and wider context.",
    *carafe.BASELINE,
    *carafe.REGEXES_AND_CONTEXT,
)
CARAFE_ALL = _carafe(
    "Carafe 2007 with its regular expressions, context and lexicon.",
    *carafe.BASELINE,
    *carafe.REGEXES_AND_CONTEXT,
    *carafe.LEXICON,
)

DERNONCOURT = FeatureSet(
    about="The CRF of Dernoncourt 2016: n-grams, shapes of identifiers, gazetteers.",
    templates=dernoncourt.TEMPLATES,
    edition=2,
)


def _mask(about: str, templates: tuple[Template, ...]) -> FeatureSet:
    """Return a set with the tokens, sequences and settings of MASK's public code (S194)."""
    return FeatureSet(
        about=about,
        templates=templates,
        tokens="treebank",
        sequences="stop",
        gaussian=0.05,
        lasso=0.1,
        iterations=200,
    )


MASK = _mask("MASK 2020: words and shapes of nine tokens.", mask.LEXICAL)
MASK_DICTIONARIES = _mask("MASK 2020 with its four dictionaries.", mask.DICTIONARIES)

PLAIN = FeatureSet(
    about="Words, shapes, gaps and form labels; knows no language.",
    templates=(
        Template("word", around(2), words, all_of(word, longer_affixes, short_shape, regexes)),
        pairs("pair", (-2, -1, 0, 1), 0, 1),
        Template("gap", (-1, 0, 1), gaps, gap_kind),
        Template("field", (0,), fields, itself),
    ),
)
PLAINSIGHT = FeatureSet(
    about="Words, shapes, English lists, form labels and the claims of patterns.",
    templates=(
        Template("word", around(2), words, all_of(word, longer_affixes, short_shape, regexes, listed)),
        pairs("pair", (-2, -1, 0, 1), 0, 1),
        pairs("around", (0,), -1, 1),
        Template("gap", (-1, 0, 1), gaps, gap_kind),
        Template("field", (0,), fields, itself),
        Template("claim", around(1), claims, claimed),
    ),
)
FEW = FeatureSet(
    about="The set plainsight, what its claims come to, and kinds of words: for few notes; slower.",
    templates=(
        *PLAINSIGHT.templates,
        Template("settled", around(1), settled, itself),
        Template("kind", around(2), kinds, kinds_around),
    ),
)
