"""Measure what plainsight does, and attack it: a promise that nobody checks is only a hope."""
