"""Detectors: each finds some identifiers in a batch of documents. One file or folder per detector."""
