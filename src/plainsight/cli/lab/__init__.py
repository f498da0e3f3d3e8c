"""The commands of the laboratory: `train`, `experiment`, `attack`, `synth` and `corpus`."""
