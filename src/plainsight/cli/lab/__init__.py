"""The verbs of the laboratory: `train`, `experiment`, `attack`, `synth` and `corpus`."""
