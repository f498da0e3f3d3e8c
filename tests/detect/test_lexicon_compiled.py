from plainsight.detect.lexicon.vocabulary import build_vocabulary, load_vocabulary


def test_the_compiled_vocabulary_is_what_lists_and_rules_say():
    """When this fails, run scripts/build_vocabulary.py."""
    built, loaded = build_vocabulary(), load_vocabulary()
    assert loaded.flags == built.flags
    assert loaded.phrases == built.phrases
    assert loaded.heads == built.heads
