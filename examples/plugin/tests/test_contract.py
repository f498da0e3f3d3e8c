"""The plugin keeps the promises that plainsight relies on."""

from plainsight_badge.detector import Badge
from plainsight_badge.format import WardBook
from plainsight_badge.operation import Stars
from plainsight_badge.shapes import Shapes, train_shapes

from plainsight import Document
from plainsight.testing import check_detector, check_format, check_operation, check_trainer


def test_badges_are_found():
    note = Document("1", "Handover from BDG-20988.")
    check_detector(Badge())
    check_detector(Badge(), [note])
    assert [(span.start, span.end) for span in Badge().detect([note])[0]] == [(14, 23)]


def test_stars():
    check_operation(Stars(keep=3))


def test_ward_books():
    check_format(WardBook())


def test_shapes_are_learnt():
    check_trainer(train_shapes, Shapes)
