"""The formats that hold any note. Sources hold only records that were read from them."""

from plainsight import registry

NOTE_FORMATS = [
    name
    for name, target in registry.BUILT_IN["formats"].items()
    if not target.startswith("plainsight.sources")
]
