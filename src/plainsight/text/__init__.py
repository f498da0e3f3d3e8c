"""Text without loss: byte views, tokens, lines and tag sequences that keep every offset."""
