"""What a network's session keeps."""

import pytest

from plainsight.detect.session import session_of
from plainsight.model import load_model


def test_no_plan_of_memory_is_kept_for_each_length_of_a_note():
    pytest.importorskip("onnxruntime")
    options = session_of(load_model("conv-en", kind="convolution"), 1).get_session_options()
    assert not options.enable_mem_pattern
