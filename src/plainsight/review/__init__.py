"""A review project: notes with marks that people check, correct and release. No HTTP in here."""
