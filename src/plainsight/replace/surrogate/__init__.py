"""Surrogates: fictional identifiers that a reader cannot tell from real ones. One file or folder per kind."""
