"""Give NLTK its part-of-speech tagger without a download.

The weights are those of textblob-aptagger, by the author of the tagger that NLTK took over: the same
features, trained on the same kind of text. They are a pickle, which could run code; so only plain containers
and numbers are read.
"""

import pickle
from importlib.util import find_spec
from pathlib import Path
from typing import Any


class _PlainUnpickler(pickle.Unpickler):
    """Reads containers, strings and numbers; refuses everything else."""

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) in {("builtins", "set"), ("__builtin__", "set")}:
            return set
        raise pickle.UnpicklingError(f"{module}.{name} is no plain value")


def use_tagger() -> None:
    """Make ``nltk.pos_tag`` use the weights of textblob-aptagger."""
    import nltk.tag
    from nltk.tag.perceptron import PerceptronTagger

    [package] = find_spec("textblob_aptagger").submodule_search_locations
    with next(Path(package).glob("*.pickle")).open("rb") as file:
        weights, tags, classes = _PlainUnpickler(file).load()
    tagger = PerceptronTagger(load=False)
    tagger.model.weights, tagger.tagdict = weights, tags
    tagger.classes = tagger.model.classes = classes
    nltk.tag._get_tagger = lambda lang=None: tagger
