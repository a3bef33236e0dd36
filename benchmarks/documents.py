"""Documents checked: against an independent recomputation of the same documents, and against themselves grown long."""

from __future__ import annotations

import gc
import math
import random
from collections.abc import Callable

from benchmarks.figure import Figure, compared, ratios
from workings.checking.check import check
from workings.checking.claims import Report
from workings.checking.grammar import statements
from workings.checking.paper import Paper
from workings.cli.main import FEW_COLLECTIONS

PAIRS = 7
SHORT, LONG, WIDTH = 24, 80, 4  # tokens: about 1,800 and 20,000 printed numbers
LIMIT, LIMIT_OF_GROWTH = 3.0, 1.5


def _checked(paper: Paper) -> Report:
    """A document read, judged, searched for causes and reported, as ``workings check`` does it."""
    from workings.explaining.verdicts import explain_report
    from workings.render.targets import draw

    report = check(paper, statements(paper))
    draw(explain_report(report), "text", "en")
    return report


def _published() -> Figure:
    """Every published document; the yardstick recomputes each printed number of them from formulas written by hand."""
    from tests.documents.agreement import document, numbers
    from tests.documents.expected import verdicts
    from workings.checking.reading import read_paper

    documents = [document(number) for number in numbers()]

    def ours() -> int:
        return sum(len(_checked(read_paper(path)).claims) for path in documents)

    def yardstick() -> int:
        worked = (verdicts(number) for number in numbers())
        return sum(cell is not None for steps in worked for rows in steps.values() for row in rows for cell in row)

    mine, theirs = ours(), yardstick()
    per_number = [ratio * theirs / mine for ratio in ratios(ours, yardstick, PAIRS, warm_up=1)]
    name = "`workings check` of the published documents, a claim / mpmath at 50 digits by formulas given, a number"
    return compared(name, per_number, limit=LIMIT)


def _document(tokens: int) -> str:
    """A document that works attention for so many tokens, every number of it right."""
    draw = random.Random(1)  # noqa: S311
    q, k = ([[draw.randint(-9, 9) / 10 for _ in range(WIDTH)] for _ in range(tokens)] for _ in range(2))
    v = [[float(draw.randint(-9, 9)) for _ in range(WIDTH)] for _ in range(tokens)]
    score = [[sum(a * b for a, b in zip(row, key, strict=True)) for key in k] for row in q]
    power = [[math.exp(cell / 2) for cell in row] for row in score]
    weight = [[cell / sum(row) for cell in row] for row in power]
    output = [[sum(a * row[j] for a, row in zip(cells, v, strict=True)) for j in range(WIDTH)] for cells in weight]

    def shown(name: str, rows: list[list[float]], places: int) -> str:
        lines = (", ".join(f"{cell:.{places}f}" for cell in row) for row in rows)
        return f"{name} = [[" + "],\n [".join(lines) + "]]\n"

    scaled = [[cell / 2 for cell in row] for row in score]
    parts = [shown("Q", q, 1), shown("K", k, 1), shown("V", v, 0), shown("Scores: S = QK^T", score, 2)]
    parts += [shown("Scaled: S/sqrt(4)", scaled, 3), shown("Attention weights A = softmax(S/2)", weight, 5)]
    return "\n".join([*parts, shown("Output O = AV", output, 3)])


def _growth() -> Figure:
    """Time for each number of a long document by that of a short one: 1 where the work grows with the numbers."""
    from workings.checking.reading import paper_from_text

    def check_of(tokens: int) -> tuple[Callable[[], Report], int]:
        text = _document(tokens)
        report = _checked(paper_from_text(text, "text", "long.txt"))
        return lambda: _checked(paper_from_text(text, "text", "long.txt")), len(report.claims)

    (long, many), (short, few) = check_of(LONG), check_of(SHORT)
    measured = [ratio * few / many for ratio in ratios(long, short, 3, warm_up=0)]
    return compared(f"a document with {many:,} claims / one with {few:,}, a claim", measured, limit=LIMIT_OF_GROWTH)


def run() -> list[Figure]:
    """The cost of a claim, and how it grows, with the memory looked after as the command does it."""
    before = gc.get_threshold()
    gc.set_threshold(*FEW_COLLECTIONS)
    try:
        return [_published(), _growth()]
    finally:
        gc.set_threshold(*before)
