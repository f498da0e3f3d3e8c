"""Experiments: many remembered runs that make one table and one figure.

| file | experiment |
|---|---|
| ``learning_curve`` | how much a detector learns from how many notes |
| ``ablation`` | what each feature set, component or setting is worth |
| ``architecture`` | a network without each of its parts, and beside a CRF |
| ``bias_sweep`` | precision against recall over the bias, with other systems beside |
| ``cross_corpus`` | trained here, tested there; with and without notes from there |
| ``portability`` | accuracy on several corpora, speed, load time and memory |
| ``fairness`` | recall of names by sex, ethnic group and region |

``ledger`` remembers runs, so that an interrupted experiment goes on where it stopped; ``trainers`` names what
can be trained; ``bench`` trains and measures; ``outcome`` is what comes out.
"""
