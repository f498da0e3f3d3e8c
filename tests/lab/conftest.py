"""The laboratory trains networks: without PyTorch its tests are left out."""

from importlib.util import find_spec

collect_ignore_glob = [] if find_spec("torch") else ["*"]
