"""scrubadub with its detectors and its TextBlob detector for names.

TextBlob's sentence splitter needs a download that the package index lacks; NLTK's untrained one stands in.
"""

from collections.abc import Callable, Iterable, Iterator

TITLES = {"": "scrubadub 2.0.1, TextBlob names"}
PACKAGES = ["scrubadub==2.0.1", "setuptools<81"]
LEAVES = "dates but those of birth, ages, record numbers, jobs"


def load(variant: str) -> Callable[[Iterable[str]], Iterator[list[tuple[int, int, str]]]]:
    """Load the detectors."""
    import scrubadub
    from nltk.tokenize.punkt import PunktSentenceTokenizer
    from scrubadub.detectors.date_of_birth import DateOfBirthDetector
    from scrubadub.detectors.text_blob import TextBlobNameDetector
    from textblob.tokenizers import SentenceTokenizer

    splitter = PunktSentenceTokenizer()
    SentenceTokenizer.tokenize = lambda self, text: splitter.tokenize(text)
    scrubber = scrubadub.Scrubber(locale="en_US")
    for detector in (TextBlobNameDetector, DateOfBirthDetector):
        scrubber.add_detector(detector)

    def find(texts: Iterable[str]) -> Iterator[list[tuple[int, int, str]]]:
        for text in texts:
            yield [(filth.beg, filth.end, filth.type) for filth in scrubber.iter_filth(text)]

    return find
