"""Suites and oracles that nobody here wrote, and how many of their cases agree within derived bounds."""
