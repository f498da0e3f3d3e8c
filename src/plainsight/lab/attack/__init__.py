"""Attacks on released notes: what an attacker learns who has plainsight and its lists, but not the key.

Every attack is seeded and runs offline on notes with gold spans: it de-identifies them, plays the attacker,
and reports what he gained beside what guessing would have given him.
"""
