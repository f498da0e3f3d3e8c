"""Training: fit each trainable detector on annotated notes."""
