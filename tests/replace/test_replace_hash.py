"""Hash: keyed codes, the same for one original of a patient."""

import hashlib
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainsight.document import Document, Span
from plainsight.errors import PluginError, UsageError
from plainsight.replace.base import Operation
from plainsight.replace.hash import Hash

KEY = bytes(range(32))


def code(text, patient="1", key=KEY, **options):
    note = Document("n", text, (Span(0, len(text), "MEDICALRECORD"),), patient_id=patient)
    return Hash(key=key, **options).replace([note])[0][0]


def test_it_is_an_operation():
    assert isinstance(Hash(), Operation)
    assert Hash().replace([]) == []


def test_form_and_length():
    assert re.fullmatch(r"MEDICALRECORD-[0-9a-f]{12}", code("0371-88-214"))
    assert re.fullmatch(r"<[0-9a-f]{20}>", code("0371-88-214", form="<{hash}>", length=20))


def test_case_and_punctuation_do_not_count():
    assert len({code(text) for text in ("URM-204417", "urm204417", "URM 204417")}) == 1
    assert code("---") != code("***")


@given(st.text("0123456789", min_size=1, max_size=9), st.text("0123456789", min_size=1, max_size=9))
def test_codes_agree_within_a_patient_alone(one, two):
    assert (code(one) == code(two)) == (one == two)
    assert code(one) != code(one, patient="2")
    assert code(one) != code(one, patient=None)
    assert code(one) != code(one, key=bytes(32))


def test_no_plain_hash_gives_the_code():
    plain = {hashlib.new(name, b"037188214").hexdigest()[:12] for name in ("md5", "sha1", "sha256", "sha512")}
    assert code("037188214", form="{hash}") not in plain


def test_without_a_key_or_with_a_short_one_nothing_is_done():
    with pytest.raises(UsageError):
        Hash().replace([Document("1", "")])
    with pytest.raises(UsageError):
        Hash(key=b"short").replace([Document("1", "")])
    assert "x01" not in repr(Hash(key=KEY))


@pytest.mark.parametrize(
    "options",
    [
        {"length": 7},
        {"length": 65},
        {"length": True},
        {"form": "{label}"},
        {"form": "{hash}{text}"},
        {"form": "{hash!r}"},
        {"form": "{hash:>20}"},
        {"form": "{hash"},
        {"form": 7},
    ],
)
def test_wrong_options(options):
    with pytest.raises(PluginError):
        Hash(**options)
