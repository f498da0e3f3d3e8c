"""Formats: each both reads and writes documents. One file per format."""
