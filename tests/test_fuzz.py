"""The fuzzer finds no traceback, hang, loss or half-written output in a part of its cases."""

import subprocess
import sys
from pathlib import Path

import pytest

FUZZER = Path(__file__).parent.parent / "benchmarks" / "fuzz.py"


def fuzz(*arguments):
    command = [sys.executable, FUZZER, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=540, check=False)


def test_the_first_cases_do_no_harm():
    result = fuzz("--cases", "40", "--processes", "1")
    assert "40 cases, 0 failures" in result.stdout, result.stdout + result.stderr
    assert result.returncode == 0


@pytest.mark.server
def test_a_tenth_of_the_cases_does_no_harm():
    result = fuzz("--cases", "1000")
    assert "1000 cases, 0 failures" in result.stdout, result.stdout + result.stderr
