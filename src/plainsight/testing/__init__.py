"""The contract suite: check that a detector, an operation, a format or a trainer keeps its promises.

Plugin authors call it in their own tests; every built-in is checked, too::

    from plainsight.testing import check_detector

    def test_contract():
        check_detector(BadgeDetector())

A broken promise is an `AssertionError` that says which one, without repeating note text.
"""

from plainsight.testing.formats import check_format
from plainsight.testing.samples import sample_documents
from plainsight.testing.stages import check_detector, check_operation
from plainsight.testing.trainers import check_trainer

__all__ = ["check_detector", "check_format", "check_operation", "check_trainer", "sample_documents"]
