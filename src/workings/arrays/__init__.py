"""The declared steps in numpy, generated from their formulas, a block of rows at a time."""
