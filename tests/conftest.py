"""What all tests share."""

import gc
import hashlib
import itertools
import os
from pathlib import Path

# One thread for each test process: several with two threads each wait for one another.
os.environ |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")

import pytest
from hypothesis import settings

# A busy machine may pause a test for longer than hypothesis allows an example to take.
# Each run tries the same examples; `pytest --hypothesis-profile=explore` tries new ones, and more.
settings.register_profile("plainsight", deadline=None, derandomize=True, max_examples=50)
settings.register_profile("explore", deadline=None, max_examples=200)
settings.load_profile("plainsight")


@pytest.fixture(autouse=True)
def _the_same_keys_in_each_run(request, monkeypatch):
    """Draw forgotten keys, salts and nonces from the test's name.

    A shared name becomes itself at chance rate, so a test under new keys in each run would fail at times.
    """
    drawn = itertools.count()

    def urandom(size):
        return hashlib.shake_256(f"{request.node.nodeid} {next(drawn)}".encode()).digest(size)

    monkeypatch.setattr(os, "urandom", urandom)


def pytest_collection_finish() -> None:
    """Spare the garbage collector thousands of tests and all modules, which stay to the end anyway."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


@pytest.fixture(autouse=True)
def _commands_work_in_this_process(monkeypatch):
    """Spare commands a worker that loads everything anew, unless a test asks for limits or processes."""
    from plainsight.cli import options
    from plainsight.run.processes import Limits, spread

    def here(pipeline, method, items, *, processes, limits):
        limits = None if limits == Limits() else limits
        return spread(pipeline, method, items, processes=processes, limits=limits)

    monkeypatch.setattr(options, "spread", here)


@pytest.fixture(scope="session", autouse=True)
def _bundled_models_are_read_once():
    """Read and check each bundled model once, not once for each of hundreds of pipelines."""
    from plainsight import model
    from plainsight.detect.convolution import network as convolutional
    from plainsight.detect.transformer import network as transforming

    bundled = Path(model.__file__).parent / "data" / "models"

    def once(function):
        made = {}

        def known(what, how):
            folder = getattr(what, "folder", what)
            if bundled not in folder.parents:
                return function(what, how)
            if (folder, how) not in made:
                made[folder, how] = function(what, how)
            return made[folder, how]

        return known

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(model, "_load", once(model._load))
        for module in (convolutional, transforming):
            patch.setattr(module, "session_of", once(module.session_of))
        yield
