"""philter-lite, a re-written Philter, with its own filters."""

from collections.abc import Callable, Iterable, Iterator

TITLES = {"": "philter-lite 0.6.0"}
PACKAGES = ["philter-lite==0.6.0", "textblob-aptagger==0.2.0 --no-deps"]
LEAVES = "jobs, hospitals and organisations whose words are common; ages below 90"


def load(variant: str) -> Callable[[Iterable[str]], Iterator[list[tuple[int, int, str]]]]:
    """Load the filters."""
    from pathlib import Path

    import philter_lite
    from hidden import hidden
    from nltk_tagger import use_tagger

    use_tagger()
    path = Path(philter_lite.__file__).parent / "configs" / "philter_delta.toml"
    filters = philter_lite.load_filters(str(path))

    def find(texts: Iterable[str]) -> Iterator[list[tuple[int, int, str]]]:
        for text in texts:
            include = philter_lite.detect_phi(text, filters)[0]
            yield hidden(text, philter_lite.transform_text_asterisk(text, include))

    return find
