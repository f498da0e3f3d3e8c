from __future__ import annotations

from pathlib import Path

import pytest

from plainsight.formats import staging
from plainsight.formats.staging import remove_leftovers, staged, temporary


def test_what_a_dead_process_left_is_removed_and_what_a_living_one_holds_is_not(tmp_path: Path) -> None:
    (tmp_path / ".plainsight-dead.tmp").write_text("half")
    (tmp_path / ".plainsight-folder.tmp").mkdir()
    with temporary(tmp_path) as held, temporary(tmp_path, is_folder=True) as held_folder:
        assert remove_leftovers(tmp_path) == 2
        assert {*tmp_path.iterdir()} == {held, held_folder}
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize("exchanges", [True, False])
def test_a_folder_is_replaced_in_one_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, exchanges: bool
) -> None:
    if not exchanges:
        monkeypatch.setattr(staging, "_exchanged", lambda one, other: False)
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "old.txt").touch()
    with staged(tmp_path / "out") as made:
        (made.path / "new.txt").touch()
        made.place()
    assert [path.name for path in tmp_path.rglob("*")] == ["out", "new.txt"]
