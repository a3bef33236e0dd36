"""Which mask a document works with, and from where on: by its numbers, or by what its sentences say of a mask.

Words in code and commands say nothing, nor does a sentence that denies a mask or speaks of another time or place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from workings.checking.notation import Mat, Span, Statement
from workings.checking.paper import Paper, Place
from workings.checking.setting import Setting, name_of, number_rows, pure
from workings.terms.records import record

NONE, CAUSAL = "none", "causal"
Where = tuple[int, int]  # cell and offset
BEGIN, END = (-1, 0), (2**31, 0)
Allowed = tuple[tuple[int, ...], ...]

# what may begin them is looked for first: to try every word at every place of a text takes three times as long
SPOKEN = re.compile(
    r"(?=[cflmsu上因屏掩未看遮])(?:causal|look[- ]?(?:ing[- ])?ahead|因果"
    r"|mask\w*[^.。]{0,40}\b(?:future|later|subsequent|upper)|\b(?:future|later|subsequent)\b[^.。]{0,40}\bmask"
    r"|masked (?:self-?\s?)?attention|上三角"
    r"|未来[^。]{0,12}(?:掩|遮|屏蔽|看不)|(?:掩码|遮|屏蔽|看不[到见])[^。]{0,12}未来)",
    re.IGNORECASE,
)
ABOUT = re.compile(r"mask|attention|\bheads?\b|decoder|掩|遮|屏蔽|注意力|看不", re.IGNORECASE)
DENIED = re.compile(
    r"(?:\b(?:no|not|non|without|never|cannot|unlike|un|isn't|isn’t|don't|don’t|doesn't|doesn’t|instead of|rather than"
    r"|skip|omit|ignore|drop)\b[-\s]+(?:[\w']+[-\s]+){0,3}|(?:不|没有|没|无|无需|非|未)[^，,。；;]{0,6})$",
    re.IGNORECASE,
)
DENIED_AFTER = re.compile(
    r"[\w\s-]{0,30}?\b(?:is|are|was|were)\s*(?:not|n['’]t|left out|omitted|ignored)\b|[^，,。；;]{0,6}(?:不|没有|没用)",
    re.IGNORECASE,
)
ELSEWHERE = re.compile(
    r"\b(?:would|could|might|if|unlike|usually|often|typically|whereas)\b|\bin practice\b"
    r"|\blater\b(?! (?:tokens?|words?|positions?|keys?|ones?)\b)"
    r"|\b(?:next|another|future|separate) (?:post|section|part|chapter|article|lesson|lecture|example)\b"
    r"|\b(?:GPT|Llama|language models?)\b|如果|若|以后|将来|下一|下篇|通常|一般来说|语言模型|的文章",
    re.IGNORECASE,
)
SENTENCE = re.compile(r"[^.!?。！？\n]+(?:\n(?!\s*\n)[^.!?。！？\n]+)*")
HINT = re.compile(r"(?=[cmt因屏掩未遮])(?:mask|causal|tri[lu]\b|掩|遮|因果|屏蔽|未来)", re.IGNORECASE)


@record
class Part:
    """A part of a document that is worked with one mask.

    Attributes:
        mask: ``none``, ``causal``, or who may look at whom.
        told: where the document tells of the mask; of none, None unless it speaks of masks at all.
        said: whether a sentence tells of it, not numbers.
    """

    mask: str | Allowed
    start: Where = BEGIN
    stop: Where = END
    told: Place | None = None
    said: bool = False

    @property
    def whole(self) -> bool:
        """Whether it is all of the document."""
        return (self.start, self.stop) == (BEGIN, END)

    def holds(self, span: Span) -> bool:
        """Whether something printed lies in it."""
        return self.start <= (span.cell or 0, span.start) < self.stop


def parts(statements: Sequence[Statement], paper: Paper, setting: Setting, after: Where = BEGIN) -> list[Part]:
    """The parts of an example that one mask holds in, in their order; at most two.

    Where unmasked weights come first, a mask begins with the sentence or the numbers that tell of it. What stands up to
    ``after`` is another example's.
    """
    spoken = next((place for place in _spoken(paper) if place >= after), None)
    hint = next(
        ((cell, found.start()) for cell, text in enumerate(paper.sources) if (found := HINT.search(text))), None
    )
    bare, masked = _seen(statements, setting, hinted=hint is not None)
    if not masked and spoken is None:
        return [Part(NONE, told=None if hint is None else _place(paper, hint))]
    mask = CAUSAL if spoken is not None or not masked else masked[0][1]
    sign = min(masked)[0] if masked else spoken or BEGIN
    before = [place for place in bare if place < sign]
    if spoken is not None and (not before or before[-1] < spoken < sign):
        sign = spoken
    told = Part(mask, told=_place(paper, sign), said=sign == spoken)
    return [replace(told, start=sign), Part(NONE, stop=sign)][::-1] if before else [told]


def _seen(
    statements: Sequence[Statement], setting: Setting, *, hinted: bool
) -> tuple[list[Where], list[tuple[Where, str | Allowed]]]:
    """Where weights look at later words too, and where matrices show a mask, and which.

    −∞ is one; zeros above the diagonal of weights are where the document has the word, unless it rounds them to 0.
    """
    bare: list[Where] = []
    masked: list[tuple[Where, str | Allowed]] = []
    shape = setting.shape()
    for statement in statements:
        value = statement.links[-1].node
        if not isinstance(value, Mat) or (len(value.rows), len(value.rows[0])) != shape or not pure(value):
            continue
        numbers = number_rows(value)
        if setting.is_input(numbers[0][0]):
            continue
        lower = tuple(tuple(int(j <= i) for j in range(shape[1])) for i in range(shape[0]))
        allowed = tuple(tuple(int(number.infinite >= 0) for number in row) for row in numbers)
        later = [number.value for i, row in enumerate(numbers) for number in row[i + 1 :]]
        if any(0 in row for row in allowed):
            masked.append((where(statement), CAUSAL if allowed == lower else allowed))
        elif name_of(statement)[0] == "weight" and shape[0] == shape[1] and later:
            if all(later):
                bare.append(where(statement))
            elif hinted and not setting.whole and not any(later):
                masked.append((where(statement), CAUSAL))
    return bare, masked


def where(statement: Statement) -> Where:
    """Where a statement begins."""
    return statement.span.cell or 0, statement.span.start


def _place(paper: Paper, at: Where) -> Place:
    return paper.place(at[0] if paper.kind == "notebook" else None, at[1])


def _spoken(paper: Paper) -> Iterator[Where]:
    """Where sentences or headings say that what may be looked at is masked."""
    for piece in paper.pieces:
        if piece.kind not in ("prose", "heading") or not SPOKEN.search(piece.run.text):
            continue
        for sentence in SENTENCE.finditer(piece.run.text):
            text = sentence[0]
            if ABOUT.search(text) is None or ELSEWHERE.search(text):
                continue
            for found in SPOKEN.finditer(text):
                if not DENIED.search(text[: found.start()]) and not DENIED_AFTER.match(text, found.end()):
                    yield piece.run.cell or 0, piece.run.offsets[sentence.start()]
