"""The laboratory: what is needed to study and train, and nothing that is needed to de-identify.

`train` fits models, `synth` writes labelled notes, `experiments` compares them, `attack` tries to undo a
release, and `detect` holds the detectors that no shipped policy uses. The rest of plainsight never imports
this package: the verbs in `cli.lab` do, and the registry names its detectors.
"""
