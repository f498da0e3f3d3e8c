"""Write a fold of the corpus, and policies whose networks have not learnt from it.

    python scripts/held_out_policies.py --out aside --models conv-en=f-{}/96 wide-en=f-{}/192
    python benchmarks/fast.py aside/notes --policies aside/balanced.toml

Networks doubt less about notes that they have learnt from, so speed must be measured on others. Writes the
fold's notes (``notes``), all others (``train``) and a file for each policy; ``--models`` are as in
``cross_validate.py``.
"""

from __future__ import annotations

import argparse
import json
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from cross_validate import with_models
from network_figures import FOLDS, ROOT, read_corpus, split_fold
from plainsight.config import Policy, load_policy
from plainsight.models import sources_of

POLICIES = ("fast", "balanced", "best")


def policy_file(policy: Policy, models: Mapping[str, str]) -> str:
    """Return a policy as a file that changes nothing but the models of another one."""
    lines = [f'name = "{policy.name}, aside"', f'extends = "{policy.name}"']
    for choice in with_models(policy, models).detectors:
        if sources_of(choice):
            lines += ["", f"[detector.{choice.name}]", f"model = {json.dumps(choice.options['model'])}"]
    return "\n".join(lines) + "\n"


def main(given: Sequence[str] | None = None) -> None:
    """Write notes and policies."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--models", nargs="+", required=True, metavar="NAME=FOLDER-{}")
    parser.add_argument("--corpus", type=Path, default=ROOT / "corpus", help="notes with inline marks")
    parser.add_argument("--fold", type=int, choices=range(FOLDS), default=0, help="the fifth to lay aside")
    parser.add_argument("--policies", nargs="+", choices=POLICIES, default=POLICIES)
    parser.add_argument("--out", type=Path, required=True, help="new folder for notes and policies")
    asked = parser.parse_args(given)
    if asked.out.exists():
        parser.error(f"{asked.out} is there already: notes of two folds must not meet")
    pairs = (model.split("=", 1) for model in asked.models)
    models = {bundled: str(Path(place.format(asked.fold)).resolve()) for bundled, place in pairs}
    others, apart = split_fold(read_corpus(asked.corpus), asked.fold)
    for folder, notes in (("train", others), ("notes", apart)):
        for note in notes:
            target = asked.out / folder / f"{note.id}.txt"
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(asked.corpus / f"{note.id}.txt", target)
    for name in asked.policies:
        content = policy_file(load_policy(name), models)
        (asked.out / f"{name}.toml").write_text(content, encoding="utf-8")
    print(f"{len(apart)} notes and {len(asked.policies)} policies are in {asked.out}")


if __name__ == "__main__":
    main()
