"""The folder of a site: made once, opened with its key only, and nothing in it readable by others."""

from __future__ import annotations

import stat

import pytest

import plainsight
from plainsight.config import load_policy
from plainsight.errors import DataError, UsageError
from plainsight.site.folder import new_site, open_site, read_sealed, write_sealed
from plainsight.site.learned import model_in_use
from plainsight.site.policy import with_site

KEY = bytes(range(32))


def test_only_its_owner_can_read_it(site):
    assert stat.S_IMODE(site.folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((site.folder / "site.toml").stat().st_mode) == 0o600
    assert KEY.hex() not in (site.folder / "site.toml").read_text()


def test_opens_with_its_key_only(site):
    assert open_site(site.folder, KEY).key("lists") == site.key("lists") != site.key("corrections")
    with pytest.raises(UsageError, match="fingerprint"):
        open_site(site.folder, bytes(32))
    with pytest.raises(UsageError, match="--key-file"):
        open_site(site.folder, None)


def test_never_made_over_another_one(site, tmp_path):
    before = (site.folder / "site.toml").read_bytes()
    with pytest.raises(UsageError, match="site already"):
        new_site(site.folder, policy="fast", secret=KEY)
    assert (site.folder / "site.toml").read_bytes() == before
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "file").touch()
    with pytest.raises(UsageError, match="not empty"):
        new_site(tmp_path / "other", policy="fast", secret=KEY)


@pytest.mark.parametrize(
    "content", [b"\xff", b"[site", b"[site]\nformat = 2\n", b"site = 1\n", b"[site]\nformat = 1\n"]
)
def test_damaged_settings_are_refused(site, content):
    (site.folder / "site.toml").write_bytes(content)
    with pytest.raises(DataError, match=r"site\.toml"):
        open_site(site.folder, KEY)


def test_sealed_files_are_bound_to_site_part_and_name(site, tmp_path):
    path = site.corrections / "1.sealed"
    write_sealed(site, path, b"Okafor", part="corrections")
    assert b"Okafor" not in path.read_bytes()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert read_sealed(site, path, part="corrections") == b"Okafor"
    other = new_site(tmp_path / "other", policy="fast", secret=KEY)
    for opened, part in ((site, "lists"), (other, "corrections")):
        with pytest.raises(DataError, match="another site"):
            read_sealed(opened, path, part=part)
    moved = path.rename(site.corrections / "2.sealed")
    with pytest.raises(DataError, match="damaged"):
        read_sealed(site, moved, part="corrections")
    moved.write_bytes(b"short")
    with pytest.raises(DataError, match="damaged"):
        read_sealed(site, moved, part="corrections")


@pytest.mark.parametrize("content", [b"", b"002", b"\xff\xfe", b"../elsewhere"])
def test_a_pointer_to_no_model_is_refused(site, content):
    site.models.mkdir(exist_ok=True)
    (site.models / "current").write_bytes(content)
    with pytest.raises(DataError, match="not there"):
        model_in_use(site)


def test_a_policy_file_is_copied(tmp_path):
    file = tmp_path / "ours.toml"
    file.write_text('extends = "fast"\nlabels = ["PATIENT"]\n')
    site = new_site(tmp_path / "ward", policy=str(file), secret=KEY)
    file.unlink()
    assert load_policy(site.policy).labels == {"PATIENT"}


def test_an_empty_site_changes_no_span(site):
    policy = with_site(load_policy("fast"), site)
    assert policy.detectors == load_policy("fast").detectors
    again = site.folder / "again.toml"
    again.write_text(policy.to_toml())
    assert load_policy(again) == policy
    text = "Seen by Dr. Okafor on 3/4/2019."
    note = plainsight.Document("1", text)
    [found] = plainsight.load(site=site.folder, key=KEY).detect([note])
    assert found.spans == plainsight.detect(text, policy="fast")
    with pytest.raises(UsageError, match="--key-file"):
        plainsight.load(again)
