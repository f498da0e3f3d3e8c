"""Convolutional networks in PyTorch; importing them says how to install what is missing."""

from plainsight.lab.train.extra import require_network_libraries

require_network_libraries()
