"""A policy: which labels are found by which detectors, combined how, replaced by what.

`load_policy` reads a built-in policy by name or a TOML file by path. Everything is checked before any note
is read: unknown keys, names and options are refused with the nearest known one. A policy is frozen, and
`Policy.to_toml` writes it back whole, so a run's manifest states exactly what was done.

A policy that ``extends`` another adds to it. Its ``detectors`` come after the parent's, its tables are merged
into the parent's, and single values and other lists take the place of the parent's. Thresholds and options
stay with their detector. Only ``without`` leaves detectors out.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterable, Mapping, Set
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

from plainsight import labels as label_set
from plainsight import registry
from plainsight.errors import PluginError, PolicyError, UsageError, suggest
from plainsight.model import read_manifest
from plainsight.shipped import PACKAGE, read_shipped
from plainsight.text.variants import TEXT_VARIANTS

_KEYS = (
    "name", "description", "extends", "without", "labels", "providers", "detectors", "detector", "combine",
    "replace", "output", "site",
)  # fmt: skip
_PATHS = ("locale", "model", "census", "rules", "folder", "filter", "lists")
_NAME = re.compile(r"[\w-]+")
_KNOWN_LABELS = (*label_set.LABELS, *label_set.OPTIONAL_LABELS)
_COMBINE_KEYS = ("vote", "precedence", "routes", "thresholds", "propagate", "guard", "filter", "calibration")
_OUTPUT_KEYS = ("keep_meta", "date_columns")
_SITE_KEYS = ("folder",)
_POLICIES = "data/policies"


Providers = Literal["keep", "replace"]
"""Whether the names of providers stay or go."""


class Calibration(NamedTuple):
    """How the log-odds of scores are mended: see `plainsight.combine.calibrate`."""

    offset: float
    slope: float

    def with_bias_moved(self, by: float) -> Calibration:
        """Return the calibration for networks whose bias is moved, which moves their log-odds as far."""
        return self._replace(offset=self.offset + self.slope * by)


@dataclass(frozen=True, slots=True)
class Choice:
    """A plugin with its options.

    A detector may have a ``name`` of its own: then ``kind`` says which plugin it is. It may claim only some
    ``labels`` and read a variant of the ``text``, see `plainsight.detect.named`.
    """

    name: str
    options: Mapping[str, Any] = field(default_factory=dict)
    kind: str | None = None
    labels: frozenset[str] | None = None
    text: str | None = None

    @property
    def plugin(self) -> str:
        """The name that the plugin is registered by."""
        return self.kind or self.name

    @property
    def table(self) -> dict[str, Any]:
        """What a policy says of a detector under its name."""
        labels = None if self.labels is None else sorted(self.labels)
        own = {"kind": self.kind, "labels": labels, "text": self.text}
        return {key: value for key, value in own.items() if value is not None} | dict(self.options)


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """Everything a run needs to know, validated."""

    name: str
    description: str
    group: str | None
    labels: frozenset[str]
    providers: Providers
    detectors: tuple[Choice, ...]
    vote: int
    precedence: tuple[str, ...] | None
    routes: Mapping[str, frozenset[str]]
    thresholds: Mapping[str, float]
    propagate: bool
    guard: bool
    operations: Mapping[str, Choice]
    keep_meta: tuple[str, ...]
    date_columns: tuple[str, ...] = ()
    site: str | None = None
    filter: str | None = None
    calibration: Calibration | None = None

    def to_toml(self) -> str:
        """Return the policy as TOML that `load_policy` reads back to an equal one."""
        head = {
            "name": self.name,
            "description": self.description,
            "labels": self.group or sorted(self.labels),
            "providers": self.providers,
            "detectors": [choice.name for choice in self.detectors],
        }
        combine: dict[str, Any] = {"vote": self.vote, "propagate": self.propagate, "guard": self.guard}
        if self.precedence is not None:
            combine["precedence"] = self.precedence
        if self.filter is not None:
            combine["filter"] = self.filter
        operations = {label: _choice_value(self.operations[label]) for label in sorted(self.operations)}
        default = max(operations.values(), key=list(operations.values()).count)
        exceptions = {label: value for label, value in operations.items() if value != default}
        tables = {
            **{f"detector.{choice.name}": choice.table for choice in self.detectors},
            "combine": combine,
            "combine.routes": {label: sorted(names) for label, names in sorted(self.routes.items())},
            "combine.thresholds": dict(sorted(self.thresholds.items())),
            "combine.calibration": self.calibration._asdict() if self.calibration else {},
            "replace": {"default": default, **exceptions},
            "output": {"keep_meta": self.keep_meta, "date_columns": self.date_columns},
            "site": {} if self.site is None else {"folder": self.site},
        }
        lines = [f"{key} = {_toml(value)}" for key, value in head.items()]
        for title, table in tables.items():
            if table:
                lines += ["", f"[{title}]", *(f"{key} = {_toml(value)}" for key, value in table.items())]
        return "\n".join(lines) + "\n"


def built_in_policies() -> dict[str, str]:
    """Return the names of the built-in policies with their descriptions."""
    found = {}
    for path in sorted((PACKAGE / _POLICIES).glob("*.toml")):
        found[path.stem] = tomllib.loads(read_shipped(f"{_POLICIES}/{path.name}").decode())["description"]
    return found


def load_policy(source: str | Path) -> Policy:
    """Read and validate a policy: a built-in policy's name, or the path of a TOML file."""
    table, where = _resolved(source, ())
    return _validate(table, where)


def parent_of(source: str | Path) -> Policy | None:
    """Return the policy that this one extends, if any."""
    table, where = _read(source)
    return load_policy(_beside(table["extends"], where)) if "extends" in table else None


def differences(before: Policy, after: Policy) -> list[str]:
    """Return what differs between two policies, one setting a line.

    >>> differences(load_policy("balanced"), load_policy("best"))[2]
    'detector.cascade.bias: -2.5 -> -4.3'
    """
    old, new = _flat(tomllib.loads(before.to_toml())), _flat(tomllib.loads(after.to_toml()))
    return [
        f"{key}: {_toml(old[key]) if key in old else '-'} -> {_toml(new[key]) if key in new else '-'}"
        for key in sorted(old.keys() | new.keys())
        if old.get(key) != new.get(key) and key not in ("name", "description")
    ]


def _flat(table: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in table.items():
        nested = isinstance(value, dict) and "operation" not in value
        flat.update(_flat(value, f"{prefix}{key}.") if nested else {f"{prefix}{key}": value})
    return flat


def _resolved(source: str | Path, children: tuple[str, ...]) -> tuple[dict[str, Any], str]:
    """Read a policy's table and lay it over the one it extends."""
    table, where = _read(source)
    _find_paths(table, where)
    if where in children:
        raise PolicyError(f"{where}: policies extend each other in a circle")
    without = _names(table.pop("without", []), "without", where)
    if "extends" not in table:
        if without:
            raise PolicyError(f"{where}: without leaves out detectors of a policy that this one extends")
        return table, where
    parent = _beside(_text(table.pop("extends"), "extends", where), where)
    base, _ = _resolved(parent, (*children, where))
    inherited = _names(base.get("detectors", []), "detectors", where)
    for name in without:
        _refuse_unknown(name, inherited, f"{where}: without: no detector")
    merged = _merge(_without(base, set(without)), table)
    for key in {"name", "description"} - table.keys():  # a policy does not take the name of its parent
        merged.pop(key, None)
    kept = [name for name in inherited if name not in without]
    added = _names(table.get("detectors", []), "detectors", where)
    merged["detectors"] = [*kept, *(name for name in added if name not in kept)]
    return merged, where


def _without(base: Mapping[str, Any], names: Set[str]) -> dict[str, Any]:
    """Leave out of a policy all settings of some detectors."""
    detectors = {name: options for name, options in base.get("detector", {}).items() if name not in names}
    combine = dict(base.get("combine", {}))
    thresholds = combine.get("thresholds", {}).items()
    combine["thresholds"] = {name: score for name, score in thresholds if name not in names}
    routes = {label: [n for n in to if n not in names] for label, to in combine.get("routes", {}).items()}
    combine["routes"] = {label: to for label, to in routes.items() if to}
    if names:
        combine.pop("calibration", None)
    return {**base, "detector": detectors, "combine": combine}


def _find_paths(table: Mapping[str, Any], where: str) -> None:
    """Let paths in options start at the policy's folder if they exist there, else where the command runs."""
    tables = [*_table(table, "detector", where).values(), *_table(table, "replace", where).values()]
    for options in (*tables, _table(table, "site", where), _table(table, "combine", where)):
        for key in _PATHS if isinstance(options, dict) else ():
            path = Path(where).parent / str(options.get(key, ""))
            if isinstance(options.get(key), str) and "/" in options[key] and path.exists():
                options[key] = str(path)


def _beside(source: str, where: str) -> str:
    """Find a policy that another one names by path: beside it, wherever the command runs."""
    path = Path(where).parent / source
    return str(path) if source not in built_in_policies() and path.is_file() else source


def _read(source: str | Path) -> tuple[dict[str, Any], str]:
    known = built_in_policies()
    if isinstance(source, str) and source in known:
        content, where = read_shipped(f"{_POLICIES}/{source}.toml").decode(), f"policy {source}"
    else:
        path = Path(source)
        if not path.is_file():
            if path.suffix == ".toml" or len(path.parts) > 1:
                raise PolicyError(f"no policy file at {path}")
            raise PolicyError(f"unknown policy {str(source)!r}{suggest(str(source), known)}")
        where = str(path)
        try:
            content = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise PolicyError(f"{where} cannot be read: {error}") from None
    try:
        return tomllib.loads(content), where
    except tomllib.TOMLDecodeError as error:
        raise PolicyError(f"{where} is not valid TOML: {error}") from None
    except RecursionError:
        raise PolicyError(f"{where} is not valid TOML: it is nested too deeply") from None


def _merge(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Lay one table over another; inner tables are merged, all else is replaced."""
    merged = dict(base)
    for key, value in over.items():
        below = merged.get(key)
        merged[key] = _merge(below, value) if isinstance(below, dict) and isinstance(value, dict) else value
    # A choice of operation is one value, not a table to merge into.
    if isinstance(over.get("replace"), dict):
        merged["replace"] = {**base.get("replace", {}), **over["replace"]}
    return merged


def _validate(table: Mapping[str, Any], where: str) -> Policy:
    _known_keys(table, _KEYS, where)
    combine = _table(table, "combine", where)
    _known_keys(combine, _COMBINE_KEYS, f"{where}: combine")
    output = _table(table, "output", where)
    _known_keys(output, _OUTPUT_KEYS, f"{where}: output")
    group, labels = _labels(table.get("labels", "all"), where)
    providers: Providers = table.get("providers", "replace" if "DOCTOR" in labels else "keep")
    _refuse_unknown(
        _text(providers, "providers", where), get_args(Providers), f"{where}: providers cannot be"
    )
    if providers == "replace" and group == "safe-harbor":
        labels |= {"DOCTOR", "HOSPITAL"}
    detectors = _detectors(table, where)
    vote = combine.get("vote", 1)
    if type(vote) is not int or not 1 <= vote <= len(detectors):
        raise PolicyError(f"{where}: combine.vote is a whole number from 1 to the {len(detectors)} detectors")
    switches = {key: combine.get(key, True) for key in ("propagate", "guard")}
    for key, value in switches.items():
        if not isinstance(value, bool):
            raise PolicyError(f"{where}: combine.{key} is true or false")
    return Policy(
        name=_text(table.get("name", Path(where).stem), "name", where),
        description=_text(table.get("description", ""), "description", where),
        group=group,
        labels=labels,
        providers=providers,
        detectors=detectors,
        vote=vote,
        precedence=_precedence(combine.get("precedence"), detectors, where),
        routes=_routes(combine, detectors, where),
        thresholds=_thresholds(combine, detectors, where),
        propagate=switches["propagate"],
        guard=switches["guard"],
        operations=_operations(_table(table, "replace", where), labels, where),
        keep_meta=tuple(_names(output.get("keep_meta", []), "output.keep_meta", where)),
        date_columns=tuple(_names(output.get("date_columns", []), "output.date_columns", where)),
        site=_site(table, where),
        filter=_filter(combine, where),
        calibration=_calibration(combine, where),
    )


def _filter(combine: Mapping[str, Any], where: str) -> str | None:
    """Return the folder of the model that drops false alarms, if the policy has one."""
    if "filter" not in combine:
        return None
    folder = _text(combine["filter"], "combine.filter", where)
    try:
        kind = read_manifest(folder).get("kind")
    except UsageError as error:
        raise PolicyError(f"{where}: combine.filter: {error}") from None
    if kind != "filter":
        raise PolicyError(f"{where}: combine.filter: {folder} is a model for {kind!r}, not a filter")
    return folder


def _calibration(combine: Mapping[str, Any], where: str) -> Calibration | None:
    """Return how scores are calibrated, if the policy says it."""
    if not (numbers := _table(combine, "calibration", where)):
        return None
    if numbers.keys() != set(Calibration._fields) or {type(value) for value in numbers.values()} - {
        int,
        float,
    }:
        raise PolicyError(f"{where}: combine.calibration has the numbers offset and slope")
    if numbers["slope"] <= 0:
        raise PolicyError(f"{where}: combine.calibration needs a slope above 0")
    return Calibration(float(numbers["offset"]), float(numbers["slope"]))


def _site(table: Mapping[str, Any], where: str) -> str | None:
    """Return the folder of the site that the policy uses, if any."""
    site = _table(table, "site", where)
    _known_keys(site, _SITE_KEYS, f"{where}: site")
    return _text(site["folder"], "site.folder", where) if "folder" in site else None


def _labels(value: Any, where: str) -> tuple[str | None, frozenset[str]]:
    """Read a group's name, or a list of labels."""
    if isinstance(value, str):
        try:
            return value, label_set.group(value)
        except PolicyError as error:
            raise PolicyError(f"{where}: {error}") from None
    chosen = _names(value, "labels", where)
    for label in chosen:
        _known_label(label, f"{where}: labels")
    if not chosen:
        raise PolicyError(f"{where}: labels is empty, so nothing would be found")
    return None, frozenset(chosen)


def _detectors(table: Mapping[str, Any], where: str) -> tuple[Choice, ...]:
    chosen = _names(table.get("detectors", []), "detectors", where)
    if not chosen:
        raise PolicyError(f"{where}: detectors is empty, so nothing would be found")
    if len(set(chosen)) < len(chosen):
        raise PolicyError(f"{where}: detectors names one twice")
    options = _table(table, "detector", where)
    _known_keys(options, chosen, f"{where}: detector")
    return tuple(_detector(name, dict(_table(options, name, where)), where) for name in chosen)


def _detector(name: str, options: dict[str, Any], where: str) -> Choice:
    """Read a detector: its kind, labels and text variant, and the options of its plugin."""
    here = f"{where}: detector.{name}"
    kind = options.pop("kind", None)
    labels = options.pop("labels", None)
    text = options.pop("text", None)
    if kind is not None and not _NAME.fullmatch(name):
        raise PolicyError(f"{here}: a name has letters, digits, - and _")
    choice = _choice("detectors", name if kind is None else _text(kind, "kind", here), options, where)
    if text is not None:
        _refuse_unknown(_text(text, "text", here), TEXT_VARIANTS, f"{here}: unknown text")
    found = _known_labels(choice, where)
    for label in [] if labels is None else _names(labels, "labels", here):
        _refuse_unknown(label, found, f"{here}: it does not find")
    if labels == []:
        raise PolicyError(f"{here}: labels is empty, so nothing would be found")
    chosen = None if labels is None else frozenset(labels)
    return replace(choice, name=name, kind=kind, labels=chosen, text=text)


def _known_labels(detector: Choice, where: str) -> frozenset[str]:
    """Return the labels of a detector; refuse labels of its own: what it finds would stay in the text.

    The labels may come from its model, so the detector is built with its options.
    """
    try:
        labels: frozenset[str] = registry.create("detectors", detector.name, **detector.options).labels
    except UsageError as error:
        raise PolicyError(f"{where}: detector {detector.name!r}: {error}") from None
    for label in sorted(labels):
        _known_label(label, f"{where}: detector {detector.name!r}")
    return labels


def _precedence(value: Any, detectors: Iterable[Choice], where: str) -> tuple[str, ...] | None:
    if value is None:
        return None
    known = {*registry.names("detectors"), *(choice.name for choice in detectors)}
    names = _names(value, "combine.precedence", where)
    for name in names:
        _refuse_unknown(name, known, f"{where}: combine.precedence: unknown detector")
    return tuple(names)


def _routes(
    combine: Mapping[str, Any], detectors: Iterable[Choice], where: str
) -> Mapping[str, frozenset[str]]:
    """Return the detectors that may claim each label: its own, or its category's."""
    known = [choice.name for choice in detectors]
    routes = {}
    for key, value in _table(combine, "routes", where).items():
        _refuse_unknown(
            key, (*label_set.CATEGORIES, *label_set.LABELS), f"{where}: combine.routes: unknown label"
        )
        chosen = _names(value, f"combine.routes.{key}", where)
        for name in chosen:
            _refuse_unknown(name, known, f"{where}: combine.routes.{key}: no detector")
        if not chosen:
            raise PolicyError(f"{where}: combine.routes.{key} is empty, so {key} would never be found")
        routes[key] = frozenset(chosen)
    of_category = {
        label: routes[category]
        for category, labels in label_set.CATEGORIES.items()
        if category in routes
        for label in labels
    }
    return of_category | {label: names for label, names in routes.items() if label in label_set.LABELS}


def _thresholds(combine: Mapping[str, Any], detectors: Iterable[Choice], where: str) -> Mapping[str, float]:
    known = [choice.name for choice in detectors]
    thresholds = {}
    for name, score in _table(combine, "thresholds", where).items():
        _refuse_unknown(name, known, f"{where}: combine.thresholds: no detector")
        if type(score) not in (int, float) or not 0 <= score <= 1:
            raise PolicyError(f"{where}: combine.thresholds.{name} is a number from 0 to 1")
        thresholds[name] = float(score)
    return thresholds


def _operations(table: Mapping[str, Any], labels: frozenset[str], where: str) -> Mapping[str, Choice]:
    """Choose an operation for every label: its own, its category's, or the default.

    Optional labels have one only if the policy wants them.
    """
    chosen: dict[str, Choice] = {}
    for key, value in table.items():
        known = ("default", *label_set.CATEGORIES, *_KNOWN_LABELS)
        _refuse_unknown(key, known, f"{where}: replace: unknown label")
        options = dict(value) if isinstance(value, dict) else {"operation": value}
        name = _text(options.pop("operation", None), f"replace.{key}", where)
        if "key" in options:  # a secret would be written into every manifest
            raise PolicyError(f"{where}: replace.{key}: a secret key does not belong in a policy")
        chosen[key] = _choice("operations", name, options, f"{where}: replace.{key}")
    if "default" not in chosen:
        chosen["default"] = Choice("redact")
    operations = {
        label: chosen.get(label) or chosen.get(label_set.CATEGORY_OF.get(label, "")) or chosen["default"]
        for label in _KNOWN_LABELS
        if label in labels or label not in label_set.OPTIONAL_LABELS
    }
    for label, choice in operations.items():
        fit = getattr(registry.resolve("operations", choice.name), "labels", None)
        if fit is not None and label not in fit:
            raise PolicyError(
                f"{where}: replace: operation {choice.name!r} cannot replace {label}, "
                f"only {', '.join(sorted(fit))}"
            )
    return operations


def _choice(kind: registry.Kind, name: str, options: Mapping[str, Any], where: str) -> Choice:
    """Check a plugin's name and options by building it once."""
    method = {"detectors": "detect", "operations": "replace"}[kind]
    try:
        if not callable(getattr(registry.create(kind, name, **options), method, None)):
            raise PluginError(f"{kind[:-1]} {name!r} has no method {method}")
    except PluginError as error:
        raise PolicyError(f"{where}: {error}") from None
    except (TypeError, ValueError) as error:
        raise PolicyError(f"{where}: {kind[:-1]} {name!r} refuses its options: {error}") from None
    return Choice(name, dict(options))


def _refuse_unknown(name: str, known: Collection[str], problem: str) -> None:
    if name not in known:
        raise PolicyError(f"{problem} {name!r}{suggest(name, known)}")


def _known_keys(table: Mapping[str, Any], known: Collection[str], where: str) -> None:
    for key in table:
        _refuse_unknown(key, known, f"{where}: unknown key")


def _known_label(label: str, where: str) -> None:
    _refuse_unknown(label, _KNOWN_LABELS, f"{where}: unknown label")


def _table(table: Mapping[str, Any], key: str, where: str) -> Mapping[str, Any]:
    value = table.get(key, {})
    if not isinstance(value, dict):
        raise PolicyError(f"{where}: {key} is a table")
    return value


def _text(value: Any, key: str, where: str) -> str:
    if not isinstance(value, str):
        raise PolicyError(f"{where}: {key} is a string")
    return value


def _names(value: Any, key: str, where: str) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise PolicyError(f"{where}: {key} is a list of names")
    return value


def _choice_value(choice: Choice) -> Any:
    return {"operation": choice.name, **choice.options} if choice.options else choice.name


def _toml(value: Any) -> str:
    """Write one value as TOML; policies hold only strings, numbers, truths, lists and flat tables."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {_toml(item)}" for key, item in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_toml, value)) + "]"
    escaped = str(value).replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in escaped) + '"'
