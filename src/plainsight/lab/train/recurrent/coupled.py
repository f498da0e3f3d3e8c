"""An LSTM whose input and forget gate are coupled, with peepholes, as published in 2016 (S77).

What the input gate lets in, the forget gate lets out: ``c' = (1 - i) c + i tanh(...)``. The input gate also
sees the cell before, the output gate the cell after. The paper prints the state where the output gate's
peephole must be; each unit sees its own cell only, as usual for peepholes and in ONNX.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as f


class CoupledLstm(nn.Module):
    """Both directions over padded sequences; gates come in the order input, output, cell."""

    def __init__(self, inputs: int, units: int) -> None:
        super().__init__()
        self.hidden_size = units
        reach = units**-0.5
        for way in ("forward", "backward"):
            for name, shape in (
                ("inputs", (3 * units, inputs)),
                ("states", (3 * units, units)),
                ("bias", (3 * units,)),
                ("peepholes", (2, units)),
            ):
                value = torch.empty(shape).uniform_(-reach, reach)
                self.register_parameter(f"{name}_{way}", nn.Parameter(value))

    def forward(self, inputs: Tensor, lengths: Tensor, state_dropout: float) -> tuple[Tensor, Tensor]:
        """Return the states at each place, and the last ones: directions by sequences by units."""
        steps = torch.arange(len(inputs))[:, None]
        inside = (steps < lengths).to(inputs.device)
        # the place that is as far from the end of its sequence as this one from its start
        mirrored = torch.where(steps < lengths, lengths - 1 - steps, steps).to(inputs.device)
        turned = inputs.gather(0, mirrored[..., None].expand_as(inputs))
        ahead, last_ahead = self._run("forward", inputs, inside, state_dropout)
        back, last_back = self._run("backward", turned, inside, state_dropout)
        back = back.gather(0, mirrored[..., None].expand_as(back))
        return torch.cat((ahead, back), -1), torch.stack((last_ahead, last_back))

    def _run(self, way: str, inputs: Tensor, inside: Tensor, state_dropout: float) -> tuple[Tensor, Tensor]:
        given, states, bias, (peep_in, peep_out) = (
            getattr(self, f"{name}_{way}") for name in ("inputs", "states", "bias", "peepholes")
        )
        states = f.dropout(states, state_dropout, self.training)
        driven = f.linear(inputs, given, bias)
        hidden = cell = inputs.new_zeros(inputs.shape[1], self.hidden_size)
        made = []
        for drive, here in zip(driven, inside[..., None], strict=True):
            into, out, new = (drive + hidden @ states.T).chunk(3, -1)
            into = torch.sigmoid(into + peep_in * cell)
            after = (1 - into) * cell + into * torch.tanh(new)
            shown = torch.sigmoid(out + peep_out * after) * torch.tanh(after)
            hidden, cell = torch.where(here, shown, hidden), torch.where(here, after, cell)
            made.append(torch.where(here, shown, 0.0))
        return torch.stack(made), hidden
