"""Attacks on released notes: what somebody learns who has plainsight, all its lists, and not the key.

Every attack is seeded and runs offline on notes with gold spans: it de-identifies them, plays the attacker,
and reports what he gained beside what guessing would have given him.
"""
