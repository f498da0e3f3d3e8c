"""A BERT of two layers in Hugging Face's layout, with weights drawn by chance."""

import json
from pathlib import Path

import torch
from safetensors.torch import save_file

LETTERS = [chr(code) for code in range(ord("a"), ord("z") + 1)] + list("0123456789.,:/-")
VOCABULARY = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *LETTERS, *(f"##{letter}" for letter in LETTERS)]


def write_encoder(folder: Path) -> Path:
    """Write the encoder and return its folder."""
    folder.mkdir(parents=True, exist_ok=True)
    width, inner, layers = 16, 32, 2
    config = {
        "model_type": "bert",
        "vocab_size": len(VOCABULARY),
        "max_position_embeddings": 256,
        "pad_token_id": 0,
        "num_hidden_layers": layers,
        "hidden_size": width,
        "num_attention_heads": 2,
        "intermediate_size": inner,
        "layer_norm_eps": 1e-12,
    }
    model = {"type": "WordPiece", "vocab": {piece: number for number, piece in enumerate(VOCABULARY)}}
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "tokenizer.json").write_text(json.dumps({"model": model}))
    torch.manual_seed(0)
    weights = {
        "embeddings.word_embeddings.weight": torch.randn(len(VOCABULARY), width),
        "embeddings.position_embeddings.weight": torch.randn(256, width) * 0.1,
        "embeddings.token_type_embeddings.weight": torch.zeros(2, width),
        "embeddings.LayerNorm.weight": torch.ones(width),
        "embeddings.LayerNorm.bias": torch.zeros(width),
    }
    for layer in range(layers):
        at = f"encoder.layer.{layer}."
        for name in (
            "attention.self.query",
            "attention.self.key",
            "attention.self.value",
            "attention.output.dense",
        ):
            weights |= {
                f"{at}{name}.weight": torch.randn(width, width) * 0.2,
                f"{at}{name}.bias": torch.zeros(width),
            }
        for name in ("attention.output.LayerNorm", "output.LayerNorm"):
            weights |= {f"{at}{name}.weight": torch.ones(width), f"{at}{name}.bias": torch.zeros(width)}
        weights |= {
            f"{at}intermediate.dense.weight": torch.randn(inner, width) * 0.2,
            f"{at}intermediate.dense.bias": torch.zeros(inner),
            f"{at}output.dense.weight": torch.randn(width, inner) * 0.2,
            f"{at}output.dense.bias": torch.zeros(width),
        }
    save_file({name: value.contiguous() for name, value in weights.items()}, folder / "model.safetensors")
    return folder
