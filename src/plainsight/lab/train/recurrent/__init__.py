"""Recurrent networks: fitting, writing as ONNX, and importing NeuroNER's."""
