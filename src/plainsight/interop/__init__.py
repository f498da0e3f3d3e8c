"""Neighbours: pandas, Hugging Face datasets, spaCy and Presidio. Each is imported when it is used."""
