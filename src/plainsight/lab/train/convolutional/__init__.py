"""Fitting convolutional networks."""
