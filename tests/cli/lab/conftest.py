"""The laboratory trains networks: without PyTorch its tests are left out, but for the attacks."""

from importlib.util import find_spec
from pathlib import Path

KEPT = ("conftest.py", "test_cli_attack.py")
collect_ignore = (
    []
    if find_spec("torch")
    else [path.name for path in Path(__file__).parent.iterdir() if path.name not in KEPT]
)
