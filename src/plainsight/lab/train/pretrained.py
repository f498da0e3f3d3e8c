"""Pre-trained encoders in Hugging Face's layout: their shape, their pieces and their weights."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from plainsight.errors import UsageError
from plainsight.lab.train.encoder import Encoder, Shape
from plainsight.lab.train.encoder_graph import build
from plainsight.lab.train.onnx_weights import GraphReader
from plainsight.model import Model

_LAYER = {
    "attention.self.query": "query",
    "attention.self.key": "key",
    "attention.self.value": "value",
    "attention.output.dense": "mixed",
    "attention.output.LayerNorm": "attended",
    "attention.attn.q": "query",
    "attention.attn.k": "key",
    "attention.attn.v": "value",
    "attention.attn.o": "mixed",
    "attention.LayerNorm": "attended",
    "intermediate.dense": "wide",
    "output.dense": "narrow",
    "output.LayerNorm": "done",
}
_EMBEDDINGS = {
    "embeddings.word_embeddings.weight": "pieces.weight",
    "embeddings.position_embeddings.weight": "places.weight",
    "embeddings.LayerNorm.weight": "ready.weight",
    "embeddings.LayerNorm.bias": "ready.bias",
    "encoder.relative_attention_bias.weight": "apart.weight",
}
_IN_LAYER = re.compile(r"encoder\.layer\.(\d+)\.(.+)\.(weight|bias)")
_FAMILIES = ("bert", "roberta", "mpnet")
_KINDS = {"WordPiece": "wordpiece", "BPE": "bytepair"}


@dataclass(frozen=True, slots=True)
class Pretrained:
    """A pre-trained encoder: its sizes, its kind of pieces, its vocabulary, and the weights by our names."""

    measures: Mapping[str, Any]
    cut: str
    words: Mapping[str, list[str]]
    weights: Mapping[str, Tensor]

    @property
    def mask(self) -> int:
        """The number of the piece that stands for a hidden one."""
        vocabulary = self.words["vocabulary"]
        return vocabulary.index("[MASK]" if "[MASK]" in vocabulary else "<mask>")

    def encoder(
        self,
        *,
        tags: int,
        claims: int = 0,
        lists: bool = False,
        layers: int | None = None,
        inner: int | None = None,
    ) -> Encoder:
        """Return a network with these weights; of fewer ``layers``, spread evenly, or ``inner`` numbers.

        Those with the largest weights are kept. The network's last layer is new, if it has no weights here.
        """
        had = int(self.measures["layers"])
        count = had if layers is None else min(layers, had)
        inner = min(inner or self.measures["inner"], self.measures["inner"])
        kept = [had - 1 - round(place * had / count) for place in range(count)][::-1]
        measures = {**self.measures, "layers": count, "inner": inner}
        network = Encoder(Shape(**measures, tags=tags, claims=claims, lists=lists))
        state = network.state_dict()
        for name, value in self.weights.items():
            if not name.startswith("layers."):
                state[name] = value
        for place, source in enumerate(kept):
            for part, value in self._layer(source, inner).items():
                state[f"layers.{place}.{part}"] = value
        network.load_state_dict(state)
        return network

    def _layer(self, which: int, inner: int) -> dict[str, Tensor]:
        """Return the weights of a layer, with ``inner`` of its hidden units."""
        start = f"layers.{which}."
        made = {name[len(start) :]: value for name, value in self.weights.items() if name.startswith(start)}
        into, out = made["wide.weight"], made["narrow.weight"]
        kept = (into.norm(dim=1) * out.norm(dim=0)).topk(inner).indices.sort().values
        made |= {
            "wide.weight": into[kept],
            "wide.bias": made["wide.bias"][kept],
            "narrow.weight": out[:, kept],
        }
        return made


def restored(model: Model) -> tuple[Pretrained, Encoder]:
    """Return the vocabulary and the network of a trained model, to continue from."""
    manifest = model.manifest
    words = {
        name: model.arrays[name].tobytes().decode().split("\n")
        for name in ("vocabulary", "merges")
        if name in model.arrays
    }
    network = Encoder(Shape(**manifest["network"]))
    reader = GraphReader(model.folder, exact=not manifest["quantised"])
    build(reader, network)
    with torch.no_grad():
        network.places.weight[network.shape.offset :] = torch.from_numpy(np.array(reader.stored[0]))
        network.kind.zero_()  # it is in the places
    return Pretrained(manifest["network"], manifest["pieces"], words, {}), network


def read_pretrained(folder: Path) -> Pretrained:
    """Read ``config.json``, ``tokenizer.json`` and ``model.safetensors`` or ``weights.npz``."""
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        model = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))["model"]
    except (OSError, ValueError, KeyError) as error:
        raise UsageError(f"{folder}: not an encoder in Hugging Face's layout ({error})") from None
    family = config.get("model_type")
    if family not in _FAMILIES or model.get("type") not in _KINDS:
        raise UsageError(f"{folder}: BERT, RoBERTa and MPNet encoders can be read, not {family!r}")
    measures = {
        "vocabulary": config["vocab_size"],
        "positions": config["max_position_embeddings"],
        "offset": config["pad_token_id"] + 1 if family != "bert" else 0,
        "layers": config["num_hidden_layers"],
        "width": config["hidden_size"],
        "heads": config["num_attention_heads"],
        "inner": config["intermediate_size"],
        "epsilon": config["layer_norm_eps"],
        "distances": config["relative_attention_num_buckets"] if family == "mpnet" else 0,
    }
    vocabulary = sorted(model["vocab"], key=model["vocab"].__getitem__)
    words = {"vocabulary": vocabulary}
    if model["type"] == "BPE":
        words["merges"] = [m if isinstance(m, str) else " ".join(m) for m in model["merges"]]
    return Pretrained(measures, _KINDS[model["type"]], words, _weights(folder))


def _weights(folder: Path) -> dict[str, Tensor]:
    stored = _stored(folder)
    made: dict[str, Tensor] = {}
    for full, value in stored.items():
        name = re.sub(rf"^(?:{'|'.join(_FAMILIES)})\.", "", full)
        if name in _EMBEDDINGS:
            made[_EMBEDDINGS[name]] = value
        elif name == "embeddings.token_type_embeddings.weight":
            made["kind"] = value[0]
        elif (found := _IN_LAYER.fullmatch(name)) and found[2] in _LAYER:
            made[f"layers.{found[1]}.{_LAYER[found[2]]}.{found[3]}"] = value
    return made


def _stored(folder: Path) -> dict[str, Tensor]:
    if (folder / "model.safetensors").is_file():
        from safetensors.torch import load_file

        return {name: value.float() for name, value in load_file(folder / "model.safetensors").items()}
    if not (folder / "weights.npz").is_file():
        raise UsageError(f"{folder}: no model.safetensors and no weights.npz")
    with np.load(folder / "weights.npz", allow_pickle=False) as arrays:
        made = {}
        for name in arrays.files:
            if not name.endswith("@scale"):
                value = arrays[name].astype(np.float32)
                if f"{name}@scale" in arrays.files:  # stored as bytes, with a scale for each row
                    value = value * arrays[f"{name}@scale"]
                made[name] = torch.from_numpy(value)
        return made
