"""A bidirectional language model over the characters of words, with a stack of layers each way.

It takes the place of ELMo, whose weights are not available: pre-trained on clinical text without marks, it
gives each token a vector that depends on its context. It reads words by their characters alone, so it holds
no vocabulary.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as f

from plainsight.document import Document
from plainsight.errors import DataError
from plainsight.lab.detect.bilstm.inputs import NoteReader
from plainsight.lab.train.loop import half_precision, train_network
from plainsight.lab.train.recurrent.corpus import NO_TAG, Corpus, alphabet_of, batches, join_notes
from plainsight.lab.train.recurrent.layers import Parts, batch_of, run_lstm, set_up_device, spelt
from plainsight.model import load_model, save_model
from plainsight.text.tokens import tokenize

KIND = "language-model"
_DROPOUT = 0.1


@dataclass(frozen=True, slots=True)
class LanguageModel:
    """A loaded language model."""

    parts: Parts
    layers: int
    units: int
    characters: Any
    files: Mapping[str, str]

    @property
    def width(self) -> int:
        """The width of a token's vector."""
        return 2 * self.units

    def __call__(self, given: Mapping[str, Tensor]) -> Tensor:
        """Return the contextual vectors of tokens: the mean of the layers, both directions side by side."""
        with torch.no_grad():
            ahead, back = _stacks(self.parts, self.layers, given, 0.0)
            return torch.cat([torch.stack(ahead).mean(0), torch.stack(back).mean(0)], -1)


def load_language_model(folder: str | Path) -> LanguageModel:
    """Load a pre-trained language model."""
    model = load_model(folder, kind=KIND)
    sizes = model.manifest["sizes"]
    parts = _new_parts(**sizes)
    state = {name: torch.from_numpy(model.arrays[name].astype(np.float32)) for name in parts.state_dict()}
    parts.load_state_dict(state)
    parts.to(set_up_device()).eval().requires_grad_(False)
    files = model.manifest["files"]
    return LanguageModel(parts, sizes["layers"], sizes["units"], model.arrays["characters"], files)


def train_language_model(
    documents: Sequence[Document],
    folder: Path,
    *,
    width: int = 512,
    layers: int = 2,
    spell: int = 128,
    vocabulary: int = 20_000,
    window: int = 96,
    batch: int = 64,
    epochs: int = 10,
    rate: float = 1e-3,
    seed: int = 0,
    progress: Callable[[int, float], None] = lambda epoch, loss: None,
    stage: Callable[[str], None] = lambda name: None,
) -> dict[str, Any]:
    """Learn to predict the next and the previous word; write a model folder and return its manifest.

    ``width`` is the size of each direction's vector for a token. The model predicts only the ``vocabulary``
    most frequent words, but reads all. One text in twenty is held out, and the perplexity of its words goes
    into the manifest. ``progress`` is called with each epoch and its loss.
    """
    stage("learning the language")
    texts, units = [document.text for document in documents], width
    characters = alphabet_of(texts)
    read = NoteReader(
        {"tokens": "plainsight", "pieces": {"by": "window", "size": window, "margin": 0}, "columns": []},
        {"characters": characters},
    )
    seen = Counter(text[start:end] for text in texts for start, end in tokenize(text))
    number = {word: place for place, (word, _) in enumerate(seen.most_common(vocabulary))}
    held_out, learn = texts[::20], [text for place, text in enumerate(texts) if place % 20]
    if not learn or not number:
        raise DataError("too little text to learn a language from")
    learnt, measured = _corpus(learn, read, number), _corpus(held_out, read, number)
    sizes = {"signs": len(characters), "spell": spell, "units": units, "layers": layers}
    torch.manual_seed(seed)
    parts = _new_parts(**sizes)
    output = nn.Linear(units, len(number))
    where = set_up_device()
    network = nn.ModuleDict({"parts": parts, "output": output}).to(where)

    def batches_of(epoch: int) -> tuple[int, Iterable[Any]]:
        random = np.random.default_rng([seed, epoch])
        cut = learnt.pieces(window, random)
        return -(-len(cut) // batch), batches(cut, batch, random)

    train_network(
        network,
        torch.optim.AdamW(network.parameters(), lr=rate, weight_decay=0.0),
        batches_of,
        lambda some: _loss(parts, output, layers, learnt, some, _DROPOUT),
        epochs=epochs,
        progress=progress,
    )
    with torch.no_grad():
        random = np.random.default_rng(seed)
        every = list(batches(list(measured.inputs.pieces), batch, random))
        figures = [float(_loss(parts, output, layers, measured, some, 0.0)) for some in every]
    perplexity = math.exp(min(50.0, sum(figures) / max(1, len(figures))))
    state = {name: value.cpu().numpy().astype(np.float16) for name, value in parts.state_dict().items()}
    training = {
        "texts": len(texts),
        "tokens": seen.total(),
        "epochs": epochs,
        "perplexity": round(perplexity, 2),
    }
    return save_model(
        folder,
        kind=KIND,
        manifest={"sizes": sizes, "training": training},
        arrays={**state, "characters": characters},
    )


def _new_parts(*, signs: int, spell: int, units: int, layers: int) -> Parts:
    parts: dict[str, Any] = {
        "signs": nn.Embedding(signs + 1, 32),
        "speller": nn.LSTM(32, spell, bidirectional=True),
    }
    for way in ("forward", "backward"):
        for place in range(layers):
            parts[f"{way}-{place}"] = nn.LSTM(units if place else 2 * spell, units)
    return nn.ModuleDict(parts)


def _corpus(texts: Sequence[str], read: NoteReader, number: Mapping[str, int]) -> Corpus:
    notes = [read(Document(str(place), text)) for place, text in enumerate(texts)]
    words = [
        number.get(text[start:end], NO_TAG)
        for text, note in zip(texts, notes, strict=True)
        for start, end in note.tokens
    ]
    return join_notes(notes, words)


def _stacks(
    parts: Parts, layers: int, given: Mapping[str, Tensor], dropout: float
) -> tuple[list[Tensor], list[Tensor]]:
    """Return the states of each layer that reads ahead, and of each that reads back."""
    words, lengths = spelt(parts["signs"], parts["speller"], given), given["lengths"].cpu()
    places = torch.arange(len(words))[:, None]
    turned = torch.where(places < lengths, lengths - 1 - places, places).long().to(words.device)
    made: tuple[list[Tensor], list[Tensor]] = ([], [])
    for way, kept in zip(("forward", "backward"), made, strict=True):
        states = words if way == "forward" else _turn(words, turned)
        for place in range(layers):
            states = f.dropout(states, dropout, parts.training)
            states, _ = run_lstm(parts[f"{way}-{place}"], states, lengths, 0.0)
            kept.append(states if way == "forward" else _turn(states, turned))
    return made


def _turn(states: Tensor, turned: Tensor) -> Tensor:
    """Reverse each sequence."""
    return states.gather(0, turned[..., None].expand(-1, -1, states.shape[-1]))


def _loss(parts: Parts, output: Any, layers: int, corpus: Corpus, batch: Any, dropout: float) -> Tensor:
    """Return the mean loss of predicting a word from those before it and from those after it."""
    inputs, wanted = batch_of(corpus, batch)
    ahead, back = _stacks(parts, layers, inputs, dropout)
    pairs = [(ahead[-1][:-1], wanted[1:]), (back[-1][1:], wanted[:-1])]
    states = torch.cat([states[target != NO_TAG] for states, target in pairs])
    target = torch.cat([target[target != NO_TAG] for _, target in pairs])
    if not len(target):
        return states.sum() * 0.0
    with half_precision(states.device):
        guess = output(states)
    return f.cross_entropy(guess.float(), target)
