"""Philter as its authors publish it, with its published filters. It reads and writes folders."""

from collections.abc import Callable, Iterable, Iterator

TITLES = {"": "Philter 1.0.3"}
PACKAGES = [
    "philter-ucsf==1.0.3 --no-deps",
    "nltk",
    "chardet<6",
    "numpy",
    "textblob-aptagger==0.2.0 --no-deps",
]
LEAVES = "jobs, hospitals and organisations whose words are common; ages below 90"


def load(variant: str) -> Callable[[Iterable[str]], Iterator[list[tuple[int, int, str]]]]:
    """Load the filters."""
    import os
    import re
    from contextlib import redirect_stdout
    from itertools import islice
    from pathlib import Path
    from tempfile import TemporaryDirectory

    import philter_ucsf
    from hidden import hidden
    from nltk_tagger import use_tagger
    from philter_ucsf.philter import Philter

    def precompile(self: Philter, path: str) -> re.Pattern[str]:
        """Compile a pattern as Python did before 3.11, which refuses flags in the middle of one."""
        pattern = Path(path).read_text(encoding="utf-8").strip()
        flags = "".join(sorted(set("".join(re.findall(r"\(\?([aimsx]+)\)", pattern)))))
        bare = re.sub(r"\(\?[aimsx]+\)", "", pattern)
        return re.compile(f"(?{flags}){bare}" if flags else bare)

    use_tagger()
    Philter.precompile = precompile
    os.chdir(Path(philter_ucsf.__file__).parent)  # its filters name files by relative paths
    philter = Philter({"verbose": False, "run_eval": False, "filters": "configs/philter_delta.json"})
    patterns = philter.patterns
    count = 0

    def find(texts: Iterable[str]) -> Iterator[list[tuple[int, int, str]]]:
        nonlocal count
        stream = iter(texts)
        while batch := list(islice(stream, 5)):
            with (
                TemporaryDirectory() as folder,
                Path(os.devnull).open("w") as nowhere,
                redirect_stdout(nowhere),
            ):
                source, target = Path(folder, "in"), Path(folder, "out")
                source.mkdir()
                target.mkdir()
                names = [f"{count + place:06}.txt" for place in range(len(batch))]
                count += len(batch)
                for name, text in zip(names, batch, strict=True):
                    plain = text.replace("\r", " ").encode("ascii", "replace")  # one byte a character
                    (source / name).write_bytes(plain)
                philter.finpath, philter.foutpath = f"{source}/", f"{target}/"
                philter.patterns = [dict(pattern) for pattern in patterns]  # it deletes their data
                philter.map_coordinates()
                philter.transform()
                written = [(target / name).read_text(encoding="utf-8") for name in names]
            yield from map(hidden, batch, written)

    return find
