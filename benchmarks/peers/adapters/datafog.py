"""datafog's patterns."""

from collections.abc import Callable, Iterable, Iterator

TITLES = {"": "datafog 4.9.0, patterns"}
PACKAGES = ["datafog==4.9.0"]
LEAVES = "names, places, hospitals, organisations, jobs, ages, record numbers"


def load(variant: str) -> Callable[[Iterable[str]], Iterator[list[tuple[int, int, str]]]]:
    """Load the patterns."""
    from datafog.processing.text_processing.regex_annotator import RegexAnnotator

    annotator = RegexAnnotator()

    def find(texts: Iterable[str]) -> Iterator[list[tuple[int, int, str]]]:
        for text in texts:
            spans = annotator.annotate_with_spans(text)[1].spans
            yield [(span.start, span.end, span.label) for span in spans]

    return find
