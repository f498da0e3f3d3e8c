"""Detectors that no shipped policy uses: trained on your own notes, or combined from others."""
