"""Exercises made from a trace: cells left blank, and what somebody wrote into them, marked."""
