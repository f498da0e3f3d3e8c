"""The version of plainsight."""

__version__ = "0.1.0"
