"""The training loop of all networks: steps, a rate schedule, averaged weights, early stopping, resuming."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, TypeVar

import torch
from torch import Tensor, nn

from plainsight.lab.train.checkpoint import Checkpoint

Batch = TypeVar("Batch")
State = dict[str, Tensor]

_NAME = "fit"


class Reached(NamedTuple):
    """How a training ended; ``best`` is the score of the best epoch, if there was anything to evaluate on."""

    epochs: int
    best_epoch: int
    best: float


def device() -> torch.device:
    """Return the GPU if there is one."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def set_seed(seed: int) -> None:
    """Seed PyTorch."""
    torch.manual_seed(seed)


def half_precision(where: torch.device) -> Any:
    """Return a context that computes in bfloat16 on a GPU."""
    return torch.autocast(where.type, torch.bfloat16, enabled=where.type == "cuda")


def warm_then_cool(done: float, warm_up: float) -> float:
    """Return the share of the full rate when a share of the training is done: it rises, then falls.

    >>> [round(warm_then_cool(done, 0.1), 2) for done in (0.0, 0.05, 0.1, 0.55, 1.0)]
    [0.01, 0.51, 1.0, 0.5, 0.0]
    """
    rise = min(1.0, done / warm_up + 0.01)
    return rise * 0.5 * (1 + math.cos(math.pi * max(0.0, done - warm_up) / (1 - warm_up)))


def train_network(
    network: nn.Module,
    optimiser: torch.optim.Optimizer,
    batches_of: Callable[[int], tuple[int, Iterable[Batch]]],
    loss_of: Callable[[Batch], Tensor],
    *,
    epochs: int = 1,
    warm_up: float = 0.05,
    averaged: float = 0.0,
    clip_norm: float = 1.0,
    clip_value: float = 0.0,
    evaluate: Callable[[], float] | None = None,
    patience: int = 0,
    checkpoint: Checkpoint | None = None,
    every: int = 0,
    progress: Callable[[int, float], None] = lambda number, loss: None,
) -> Reached:
    """Fit a network; leave its best weights in place.

    ``batches_of`` returns the number of batches of an epoch, counted from 1, and the batches. The rate of the
    optimiser warms up for a share of the training and then cools; 0 leaves it constant. ``averaged`` weights
    lag behind by about 1 / (1 - averaged) steps, and replace the last ones.

    ``evaluate`` scores the network after each epoch: the best epoch counts, and ``patience`` epochs without a
    better one end the training. A ``checkpoint`` is saved after an epoch if it is due, and at the end; an
    interrupted training continues from there. ``progress`` is called after each epoch, or after the first and
    ``every`` so many steps.
    """
    network.to(device())
    rates = [group["lr"] for group in optimiser.param_groups]
    average = _copied(network.state_dict())
    best, figures = average, {"epoch": 0, "steps": 0, "best_epoch": 0, "best": -1.0}
    if checkpoint and (stored := checkpoint.load(_NAME)):
        average, best, figures = _resumed(network, optimiser, stored)
    for epoch in range(int(figures["epoch"]) + 1, epochs + 1):
        if evaluate and patience and epoch - figures["best_epoch"] > patience:
            break
        count, batches = batches_of(epoch)
        losses = []
        network.train()
        for place, batch in enumerate(batches):
            if warm_up:
                share = warm_then_cool((epoch - 1 + place / count) / epochs, warm_up)
                for group, rate in zip(optimiser.param_groups, rates, strict=True):
                    group["lr"] = rate * share
            loss = loss_of(batch)
            optimiser.zero_grad(set_to_none=True)
            torch.autograd.backward(loss)
            if clip_value:
                nn.utils.clip_grad_value_(network.parameters(), clip_value)
            if clip_norm:
                nn.utils.clip_grad_norm_(network.parameters(), clip_norm)
            optimiser.step()
            figures["steps"] += 1
            if averaged:
                _lag(average, network.state_dict(), min(averaged, _share(figures["steps"])))
            losses.append(loss.detach())
            if every and (figures["steps"] == 1 or figures["steps"] % every == 0):
                progress(int(figures["steps"]), float(losses[-1]))
        if not every and losses:
            progress(epoch, float(torch.stack(losses).mean()))
        figures["epoch"] = epoch
        now = average if averaged else _copied(network.state_dict())
        reached = _evaluated(network, now, evaluate) if evaluate else float(epoch)
        if reached > figures["best"] or not reached:  # patience begins once anything is found
            figures["best"], figures["best_epoch"] = reached, epoch
            best = _copied(now)
        if checkpoint and (checkpoint.due() or epoch == epochs):
            states = {"now": network.state_dict(), "average": average, "best": best}
            checkpoint.save(_NAME, _flat({**states, "optimiser": _optimiser_state(optimiser)}, figures))
    network.load_state_dict(best)
    network.eval()
    return Reached(int(figures["epoch"]), int(figures["best_epoch"]), figures["best"])


def _copied(state: Mapping[str, Tensor]) -> State:
    return {name: value.detach().clone() for name, value in state.items()}


def _share(steps: float) -> float:
    return (1 + steps) / (10 + steps)


def _lag(average: State, now: Mapping[str, Tensor], share: float) -> None:
    with torch.no_grad():
        torch._foreach_lerp_(list(average.values()), [now[name] for name in average], 1 - share)


def _evaluated(network: nn.Module, state: State, evaluate: Callable[[], float]) -> float:
    """Score the network with other weights than its present ones."""
    present = _copied(network.state_dict())
    network.load_state_dict(state)
    network.eval()
    reached = evaluate()
    network.load_state_dict(present)
    return reached


# --- checkpoints ------------------------------------------------------------------------------------------


def _optimiser_state(optimiser: Any) -> State:
    return {
        f"{number}.{name}": value if torch.is_tensor(value) else torch.tensor(float(value))
        for number, state in optimiser.state_dict()["state"].items()
        for name, value in state.items()
        if value is not None
    }


def _flat(states: Mapping[str, Mapping[str, Tensor]], figures: Mapping[str, float]) -> dict[str, Any]:
    arrays: dict[str, Any] = {f"figure/{name}": value for name, value in figures.items()}
    for name, state in states.items():
        arrays |= {f"{name}/{key}": value.detach().cpu().float().numpy() for key, value in state.items()}
    return arrays


def _resumed(
    network: nn.Module, optimiser: Any, arrays: Mapping[str, Any]
) -> tuple[State, State, dict[str, float]]:
    """Restore network and optimiser; return the averaged and the best weights, and the figures."""
    parts: dict[str, dict[str, Any]] = {"figure": {}, "optimiser": {}}
    for full, array in arrays.items():
        part, _, name = full.partition("/")
        parts.setdefault(part, {})[name] = float(array) if part == "figure" else torch.from_numpy(array)
    network.load_state_dict(parts["now"])
    whole = optimiser.state_dict()
    whole["state"] = {}
    for full, value in parts["optimiser"].items():
        number, _, name = full.partition(".")
        whole["state"].setdefault(int(number), {})[name] = value
    optimiser.load_state_dict(whole)
    where = device()
    average, best = ({name: value.to(where) for name, value in parts[p].items()} for p in ("average", "best"))
    return average, best, parts["figure"]
