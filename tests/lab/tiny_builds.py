"""A tiny pre-trained encoder and a tiny corpus, for the commands that build bundled models."""

from __future__ import annotations

import json
from pathlib import Path

SIGNS = [*(chr(code) for code in range(ord("a"), ord("z") + 1)), *"0123456789.,:/-"]
PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *SIGNS, *(f"##{sign}" for sign in SIGNS)]
SURNAMES = ["Okafor", "Lindqvist", "Baptiste", "Moreau", "Petrov", "Tanaka", "Haddad", "Nguyen"]
TEXT = "The patient was seen by Dr. X on MM/DD/YYYY for a cough that had lasted two weeks. No fever."


def write_encoder(folder: Path) -> Path:
    """Write a BERT of two layers in Hugging Face's layout, with weights drawn by chance."""
    import torch
    from safetensors.torch import save_file

    folder.mkdir()
    width, inner = 16, 32
    config = {
        "model_type": "bert", "vocab_size": len(PIECES), "max_position_embeddings": 256, "pad_token_id": 0,
        "num_hidden_layers": 2, "hidden_size": width, "num_attention_heads": 2, "intermediate_size": inner,
        "layer_norm_eps": 1e-12,
    }  # fmt: skip
    pieces = {"type": "WordPiece", "vocab": {piece: number for number, piece in enumerate(PIECES)}}
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "tokenizer.json").write_text(json.dumps({"model": pieces}))
    torch.manual_seed(0)
    sizes = {
        **{f"attention.self.{name}": (width, width) for name in ("query", "key", "value")},
        "attention.output.dense": (width, width),
        "intermediate.dense": (inner, width),
        "output.dense": (width, inner),
    }
    weights = {
        "embeddings.word_embeddings.weight": torch.randn(len(PIECES), width),
        "embeddings.position_embeddings.weight": torch.randn(256, width) * 0.1,
        "embeddings.token_type_embeddings.weight": torch.zeros(2, width),
    }
    norms = ["embeddings.LayerNorm"]
    for layer in ("encoder.layer.0", "encoder.layer.1"):
        for name, size in sizes.items():
            weights[f"{layer}.{name}.weight"] = torch.randn(size) * 0.2
            weights[f"{layer}.{name}.bias"] = torch.zeros(size[0])
        norms += [f"{layer}.attention.output.LayerNorm", f"{layer}.output.LayerNorm"]
    for name in norms:
        weights |= {f"{name}.weight": torch.ones(width), f"{name}.bias": torch.zeros(width)}
    save_file(weights, folder / "model.safetensors")
    return folder


def write_corpus(folder: Path) -> Path:
    """Write 24 notes with 96 identifiers."""
    for place, name in enumerate(SURNAMES * 3):
        seen = f"Seen by Dr. {{{{DOCTOR|{name}}}}} on {{{{DATE|03/{place + 1:02}/2021}}}}.\n"
        (folder / f"n{place}.txt").write_text(f"{seen}No fever, no cough.\n{seen}")
    return folder


def write_texts(folder: Path) -> Path:
    """Write six texts without labels."""
    file = folder / "mts-dialog.jsonl"
    file.write_text("".join(json.dumps({"id": str(place), "text": TEXT}) + "\n" for place in range(6)))
    return file
