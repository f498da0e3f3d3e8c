"""Experiments: each makes one table and one figure from many runs, and can be resumed.

| file | experiment |
|---|---|
| ``learning_curve`` | how much a detector learns from how many notes |
| ``ablation`` | what each feature set, component or setting is worth; a network part by part |
| ``bias_sweep`` | precision against recall over the bias, with other systems beside |
| ``confidence`` | a detector's confidence in each note against the note's F |
| ``cross_corpus`` | train on one corpus, test on another; with and without notes of the tested corpus |
| ``portability`` | accuracy on several corpora, speed, load time and memory |
| ``fairness`` | recall of names by sex, ethnic group and region |

``systems`` names what can be trained and tested; ``bench`` trains, tests and remembers runs; ``results``
holds figures, tables and charts.
"""
