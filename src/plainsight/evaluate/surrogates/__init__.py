"""Measure surrogates on gold notes: how they agree with each other and the text, and what originals stay.

Every rule here is simple and strict and knows nothing of the engine that made the surrogates, so that the
engine is not judged by its own opinion of who is who.
"""
