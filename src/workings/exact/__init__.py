"""The engine for hand-size examples: rationals while they last, balls after; no floats, no numpy, no torch."""
