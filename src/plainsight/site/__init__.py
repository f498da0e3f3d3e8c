"""What one hospital's own notes teach: its folder, and the loop of reading, correcting and learning."""
