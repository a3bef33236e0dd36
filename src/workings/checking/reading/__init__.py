"""From a file to a ``Paper``: Markdown, LaTeX, text (source code too), Jupyter notebooks and HTML.

Markup is taken away and every character keeps its place; what the mathematics says is ``checking/grammar``'s matter.
"""

from workings.checking.reading.files import MAX_BYTES, PAPER_KINDS, paper_from_bytes, paper_from_text, read_paper

__all__ = ["MAX_BYTES", "PAPER_KINDS", "paper_from_bytes", "paper_from_text", "read_paper"]
