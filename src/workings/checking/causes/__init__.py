"""Known slips, each declared once: an altered recipe, or a pattern of printed numbers; named only where they fit."""
