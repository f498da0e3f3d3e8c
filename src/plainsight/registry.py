"""Find plugins by name: built-ins in a table, those of other packages by entry points.

A plugin package declares, for example::

    [project.entry-points."plainsight.detectors"]
    badge = "my_package:BadgeDetector"

Detectors, operations and formats are classes. A trainer is a function, a `plainsight.detect.base.Trainable`,
registered under the name of the detector that its models are for. A plugin is imported only when a policy or
a command names it.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from types import MappingProxyType
from typing import Any, Literal

from plainsight.errors import PluginError, suggest

Kind = Literal["detectors", "operations", "formats", "feature_sets", "trainers"]

BUILT_IN: Mapping[Kind, Mapping[str, str]] = MappingProxyType(
    {
        "detectors": {
            "patterns": "plainsight.detect.patterns:Patterns",
            "patient": "plainsight.detect.patient:PatientRecord",
            "times": "plainsight.detect.times:Times",
            "templates": "plainsight.detect.templates:Templates",
            "site_lists": "plainsight.site.lists:SiteLists",
            "second-pass": "plainsight.detect.second_pass:SecondPass",
            "crf": "plainsight.lab.detect.crf:Crf",
            "charlm": "plainsight.lab.detect.charlm:Charlm",
            "bilstm": "plainsight.lab.detect.bilstm:Bilstm",
            "convolution": "plainsight.detect.convolution:Convolution",
            "cascade": "plainsight.detect.cascade:Cascade",
            "corrected": "plainsight.detect.corrected:Corrected",
            "transformer": "plainsight.detect.transformer:Transformer",
            "average": "plainsight.lab.detect.stacker:Average",
            "stacker": "plainsight.lab.detect.stacker:Stacker",
        },
        "operations": {
            "keep": "plainsight.replace.keep:Keep",
            "redact": "plainsight.replace.redact:Redact",
            "mask": "plainsight.replace.mask:Mask",
            "surrogate": "plainsight.replace.surrogate.operation:Surrogate",
            "shift-date": "plainsight.replace.shift_date:ShiftDate",
            "randomise-digits": "plainsight.replace.randomise_digits:RandomiseDigits",
            "generalise": "plainsight.replace.generalise:Generalise",
            "hash": "plainsight.replace.hash:Hash",
        },
        "formats": {
            "text": "plainsight.formats.plain:PlainText",
            "jsonl": "plainsight.formats.jsonl:JsonLines",
            "csv": "plainsight.formats.csv:Csv",
            "tsv": "plainsight.formats.csv:Tsv",
            "parquet": "plainsight.formats.parquet:Parquet",
            "inline": "plainsight.formats.inline:Inline",
            "brat": "plainsight.formats.brat:Brat",
            "brat-whole": "plainsight.formats.brat:WholeBrat",
            "conll": "plainsight.formats.conll:Conll",
            "i2b2-2006": "plainsight.formats.sgml:I2b2Inline",
            "i2b2-2014": "plainsight.formats.standoff_xml:I2b2Standoff",
            "meddocan": "plainsight.formats.standoff_xml:Meddocan",
            "muc": "plainsight.formats.sgml:Muc",
            "ccda": "plainsight.sources.ccda:Ccda",
            "fhir": "plainsight.sources.fhir:Fhir",
            "hl7": "plainsight.sources.hl7:Hl7",
            "sql": "plainsight.sources.sql:Sql",
            "rtf": "plainsight.sources.documents:Rtf",
            "pdf": "plainsight.sources.documents:Pdf",
            "docx": "plainsight.sources.documents:Docx",
            "omop": "plainsight.sources.omop:Omop",
        },
        "feature_sets": {
            "plainsight": "plainsight.lab.detect.crf.feature_sets:PLAINSIGHT",
            "plain": "plainsight.lab.detect.crf.feature_sets:PLAIN",
            "few": "plainsight.lab.detect.crf.feature_sets:FEW",
            "carafe-i": "plainsight.lab.detect.crf.feature_sets:CARAFE_I",
            "carafe-i+l": "plainsight.lab.detect.crf.feature_sets:CARAFE_I_L",
            "carafe-i+rc": "plainsight.lab.detect.crf.feature_sets:CARAFE_I_RC",
            "carafe-all": "plainsight.lab.detect.crf.feature_sets:CARAFE_ALL",
            "dernoncourt": "plainsight.lab.detect.crf.feature_sets:DERNONCOURT",
            "mask": "plainsight.lab.detect.crf.feature_sets:MASK",
            "mask-dictionaries": "plainsight.lab.detect.crf.feature_sets:MASK_DICTIONARIES",
        },
        "trainers": {
            "crf": "plainsight.lab.train.crf:train_crf",
            "charlm": "plainsight.lab.train.charlm:train_charlm",
            "bilstm": "plainsight.lab.train.bilstm:train_bilstm",
            "convolution": "plainsight.lab.train.convolution:train_convolution",
            "transformer": "plainsight.lab.train.transformer:train_transformer",
            "stacker": "plainsight.lab.train.stacker:train_stacker",
            "filter": "plainsight.lab.train.span_filter:train_filter",
            "language-model": "plainsight.lab.train.recurrent.language:train_language_model",
            "vectors": "plainsight.lab.train.vectors:train_vectors",
        },
    }
)
"""Every built-in, as ``module:Class``; a feature set is an object, a trainer a function."""


@dataclass(frozen=True, slots=True)
class Plugin:
    """One registered plugin: its kind, name, class and package."""

    kind: Kind
    name: str
    target: str
    package: str


def plugins(kind: Kind) -> dict[str, Plugin]:
    """Return all plugins of a kind by name. The first plugin with a name keeps it; built-ins come first."""
    found = dict(_built_in(kind))
    for plugin in _external(kind):
        found.setdefault(plugin.name, plugin)
    return found


def shadowed(kind: Kind) -> list[Plugin]:
    """Return the plugins that are not used because another one has their name."""
    known = plugins(kind)
    return [plugin for plugin in _external(kind) if known[plugin.name] != plugin]


def _built_in(kind: Kind) -> dict[str, Plugin]:
    return {name: Plugin(kind, name, target, "plainsight") for name, target in BUILT_IN[kind].items()}


def _external(kind: Kind) -> list[Plugin]:
    points = entry_points(group=f"plainsight.{kind}")
    return [Plugin(kind, point.name, point.value, _package(point)) for point in points]


def _package(point: EntryPoint) -> str:
    return point.dist.name if point.dist else "an unknown package"


def names(kind: Kind) -> list[str]:
    """Return the known names of a kind."""
    return list(plugins(kind))


def load(kind: Kind, name: str) -> Any:
    """Import and return what is behind a name."""
    plugin = _plugin(kind, name)
    module, _, attribute = plugin.target.partition(":")
    try:
        return getattr(import_module(module), attribute)
    except Exception as error:  # importing another package may raise anything
        reason = f"{type(error).__name__}: {error}"
        raise PluginError(f"{_one(kind)} {name!r} of {plugin.package} cannot be loaded: {reason}") from error


def _plugin(kind: Kind, name: str) -> Plugin:
    plugin = _built_in(kind).get(name) or plugins(kind).get(name)
    if plugin is None:
        raise PluginError(f"unknown {_one(kind)} {name!r}{suggest(name, plugins(kind))}")
    return plugin


def _one(kind: Kind) -> str:
    return kind.removesuffix("s").replace("_", " ")


def resolve(kind: Kind, name: str) -> type[Any]:
    """Import and return the class behind a name."""
    plugin_class, package = load(kind, name), _plugin(kind, name).package
    if not isinstance(plugin_class, type):
        raise PluginError(f"{_one(kind)} {name!r} of {package} is not a class")
    if (
        own := getattr(plugin_class, "name", name)
    ) != name:  # two detectors of one name would share their claims
        raise PluginError(f"{_one(kind)} {name!r} of {package} calls itself {own!r}: name it alike")
    return plugin_class


def options(kind: Kind, name: str) -> dict[str, inspect.Parameter]:
    """Return the options a plugin's constructor takes."""
    parameters = inspect.signature(resolve(kind, name)).parameters
    return {key: value for key, value in parameters.items() if value.kind is value.KEYWORD_ONLY}


def check_options(kind: Kind, name: str, values: Mapping[str, Any]) -> None:
    """Raise `PluginError` for an option that the plugin does not have, with the most similar one."""
    known = options(kind, name)
    for key in values:
        if key not in known:
            raise PluginError(f"{kind[:-1]} {name!r} has no option {key!r}{suggest(key, known)}")


def create(kind: Kind, name: str, **values: Any) -> Any:
    """Build the plugin of that name with these options."""
    check_options(kind, name, values)
    return resolve(kind, name)(**values)
