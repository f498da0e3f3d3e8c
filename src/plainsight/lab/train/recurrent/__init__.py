"""Recurrent networks: their measures, fitting them, writing them for use, and reading those of others."""
