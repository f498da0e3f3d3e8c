"""Measure detection and surrogates: scorers, statistics, error tables, reports."""
