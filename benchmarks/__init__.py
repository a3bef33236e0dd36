"""Ratios, each measured side by side in one run; never an absolute time."""
