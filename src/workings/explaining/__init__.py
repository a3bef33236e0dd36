"""From traces to a display tree: frozen data and message keys, no markup, no widths."""
