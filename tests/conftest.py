"""What all tests share."""

from hypothesis import settings

# A busy machine may pause a test for longer than hypothesis allows an example to take.
settings.register_profile("plainsight", deadline=None)
settings.load_profile("plainsight")
