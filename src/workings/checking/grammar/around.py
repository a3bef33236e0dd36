"""What the words around a value are to it: the label of a row, an aside in brackets, a definition told behind."""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import replace

from workings.checking.grammar.labels import plain
from workings.checking.grammar.scan import Found
from workings.checking.notation import Call, Link, Mat, Node, Num, Op, Statement, Sym
from workings.checking.paper import Run
from workings.checking.vocabulary import GIVEN, STEPS, array_of, array_of_words, ends_with_name

LONGEST_ROW = 40  # characters of a row's label
SHORTEST_WORD = 3  # letters, where no colon says that it is a label
_COLON = re.compile(r"[:：][\s*_\ue000]*$")
_NAMES = re.compile(r"[^\s:：=→\ue000\ue001]+")
_LEADING = re.compile(r"^(?:for|of|the|tokens?|words?)\s+(?=\S)", re.IGNORECASE)
_ANOTHER = re.compile(
    r"(?:(?:and|but|while)\s+)?for\s+(?!example|instance|which|this|that)(?:the\s+)?(?:(?:word|token)\s+)?\S{1,20}"
    r"(?:\s+(?:it is|they are))?|[而和]?\s*对于?\s*\S{1,8}?(?:则?[是为])?",
    re.IGNORECASE,
)
_COUNTING = "abcdefgh"  # letters that rows are counted by
_NEAR = 120  # characters around a row's label in which the next one stands
_CLOSES = re.compile(r"[\s\ue000\ue001]*[)）][\s\ue000\ue001:：=≈*_]*$")
_SENTENCE_END = re.compile(r"[。！？；!?;]|(?<![0-9])\.(?=\s|$)|(?<=[0-9])\.\s")
_NEW_LINE = re.compile(r"\n\s*(?:[-*+•>#|]|[0-9]+[.)]|\n)")  # that begins something else
_LISTED = re.compile(r"[\s,，、;；$*`]*(?:\b(?:and|和|以及)\b)?[\s$*`]*")
_LAST_WORD = re.compile(r"(?:^|\s+|[:：]\s*)([^\W\d_]{1,20})$")
_OF_ROW = re.compile(r"\b(?:for|of)\s+(?:the\s+)?(?:(?:token|word)\s+)?[\"“'`*]*$", re.IGNORECASE)
_PRODUCT = re.compile(r"[=≈]\s*([^\W\d]\w*)[ \t]+$")
_DEFINING = frozenset(("where", "with", "其中"))
_OPERATES = re.compile(r"(?:(?:divid|scal)\w+(?:\s[\w']+){0,4}\s+by|除以|÷)[\s\ue000\ue001:：]*$", re.IGNORECASE)


def row_of(run: Run, start: int, found: Found, lead: str, tokens: Container[str] = ()) -> tuple[Found, str]:
    """What a line says of one row, and what it calls that row: ``- cat: [0.2, 0.8]`` under a lead that names an array.

    The word is a label even where it could be a name; one that names an array itself stays what it is, unless the
    document lists it among its tokens.
    """
    told, head = array_of_words(lead), run.text[start : found.at]
    if told is None or len(head) > 2 * LONGEST_ROW:
        return found, ""
    word, links = plain(head), found.links
    if isinstance(links[0].node, Sym) and len(links) == 2 and not word and (name := _NAMES.match(run.text, found.at)):
        word, links = name[0], (Link("", links[1].node),)
    if word in tokens and is_list(links[0].node):
        return replace(found, links=links), word
    first, before = found.links[0].node, plain(head)
    if isinstance(first, Sym):
        named = len(found.links) == 2 and is_list(found.links[1].node) and _is_label(run, found, told)
        if not named or _COLON.search(head) or (before and array_of_words(before) is not None):
            return found, ""
        name = _NAMES.match(run.text, found.at)
        word = _LEADING.sub("", plain(f"{before} {name[0] if name else first.name}"))
        return (
            (replace(found, links=(Link("", found.links[1].node),)), word) if len(word) <= LONGEST_ROW else (found, "")
        )
    word = _LEADING.sub("", before) if _COLON.search(head) and array_of_words(before) is None else ""
    return found, word if len(word) <= LONGEST_ROW and is_list(first) else ""


def _is_label(run: Run, found: Found, told: str) -> bool:
    """Whether a name before a list is the word of a row and no array's: that of no array, a letter that counts, or an
    input's with a number under the name of a step: ``x1: [0.2, 0.8]`` of the weights.
    """
    symbol = found.links[0].node
    if not isinstance(symbol, Sym):
        return False
    if found.links[1].relation != ":=" and not (symbol.name.isalpha() and len(symbol.name) >= SHORTEST_WORD):
        return False
    array = array_of(symbol.name, symbol.index)[0]
    if array is None:
        return True
    if symbol.index:
        return array in GIVEN and array not in STEPS and told in STEPS
    return len(symbol.name) == 1 and symbol.name.lower() in _COUNTING and _is_counted_on(run, found.at, symbol.name)


def _is_counted_on(run: Run, at: int, letter: str) -> bool:
    """Whether the letter after one, or before it, labels another line beside its own."""
    around = run.text[max(0, at - _NEAR) : at + _NEAR]
    others = [chr(ord(letter) + step) for step in (-1, 1)]
    return any(re.search(rf"^\W*{re.escape(other)}\s*[:：]", around, re.MULTILINE) for other in others)


def names_rows(lead: str) -> bool:
    """Whether a line without a colon names what follows, and is no sentence."""
    return 0 < len(lead) <= LONGEST_ROW and ends_with_name(lead)


def is_list(node: Node) -> bool:
    """Whether a node is one row of numbers."""
    return isinstance(node, Mat) and len(node.rows) == 1 and node.numbers is not None


def tells_another_row(before: Statement, made: Statement) -> bool:
    """Whether a list is that of another row in a line: "the weights of cat are [0.2, 0.8] and for dog [0.9, 0.1]"."""
    lists = is_list(before.links[-1].node) and is_list(made.links[0].node)
    return lists and _ANOTHER.fullmatch(made.label) is not None and array_of_words(made.label) is None


def as_rows(before: Statement, made: Statement, source: str) -> tuple[Statement, Statement] | None:
    """Two lists with words for names, one behind the other, that are rows: "the keys are cat = [1, 0], dog = [0, 1]".

    None where they are no such rows: one name alone is what the words introduce.
    """
    told, first = before.heading, before
    if not before.row:
        named = _named_list(before)
        if named is None:
            return None
        word, told = named
        first = _as_row(before, word, told)
    between = source[before.span.stop : made.span.start]
    if not _LISTED.match(between) or _NEW_LINE.search(between) or not ends_with_name(told):
        return None
    named = _named_list(made)
    if named is None or named[0] == first.row or not _LISTED.fullmatch(between.rstrip().removesuffix(named[0])):
        return None
    return first, _as_row(made, named[0], told)


def _named_list(statement: Statement) -> tuple[str, str] | None:
    """The word for a name that stands before a list, and the words before that: "the keys are cat = [1, 0]"."""
    links, before = statement.links, statement.label
    if not is_list(links[-1].node) or len(links) > 2:
        return None
    symbol = links[0].node
    if len(links) == 2 and isinstance(symbol, Sym) and all(map(str.isdecimal, symbol.index)):
        word = "".join((symbol.name, *symbol.index))
        known = array_of(symbol.name, symbol.index)[0]
    elif len(links) == 1 and links[0].relation == "=" and (last := _LAST_WORD.search(before)):
        word, before = last[1], before[: last.start()]  # the chain begins with the sign of equality
        known = array_of(word, ())[0]
    else:
        return None
    return None if known is not None or (len(word) < 2 and word.isascii()) else (word, before)


def _as_row(statement: Statement, word: str, told: str) -> Statement:
    """A list as a row of what words tell."""
    return replace(statement, label=word, heading=told, links=(Link("", statement.links[-1].node),), row=word)


def without_name(run: Run, found: Found, label: str) -> tuple[Found, str]:
    """A chain without the name that belongs to the words before it.

    It ends a product written with words, ``output = weights V = [[…]]``, or a row's word, ``weights for key: …``.
    """
    words = run.text[found.before[0] : found.at]
    first = found.links[0].node
    if len(found.links) < 2 or not isinstance(first, Sym) or first.index:
        return found, label
    product, of_row = _PRODUCT.search(words), _OF_ROW.search(words)
    factor = product is not None and array_of_words(product[1]) is not None
    if not factor and (of_row is None or not is_list(found.links[1].node) or array_of_words(words) is None):
        return found, label
    return replace(found, links=(Link("", found.links[1].node), *found.links[2:])), f"{label} {first.name}"


def words_before(run: Run, found: Found, before: Found | None) -> str:
    """The words before a value; a bracket before it that holds another expression is part of them.

    So is what they say that something is divided by: "divided by √2 they are [0.71, 1.41]".
    """
    words = run.text[slice(*found.before)]
    told = None if before is None else divided_by(run, before, found)
    if told is not None:
        return plain(told)
    if before is not None and _CLOSES.match(words):
        opened = run.text[slice(*before.before)]
        if max(opened.count("("), opened.count("（")) > max(opened.count(")"), opened.count("）")):
            words = run.text[before.before[0] : found.before[1]]
    return plain(words)


def divided_by(run: Run, before: Found, found: Found) -> str | None:
    """The words before a value in a sentence that says of it, right before it, what something is divided by."""
    node, *rest = (link.node for link in before.links)
    alone = (isinstance(node, Num) and not rest) or (isinstance(node, Call) and node.name == "sqrt")
    if not alone or not all(isinstance(other, Num) for other in rest):
        return None
    begin = sentence_begin(run, before.before[0], before.at)
    between = run.text[before.at : found.at]
    if not _OPERATES.search(run.text[begin : before.at]) or _SENTENCE_END.search(between) or _NEW_LINE.search(between):
        return None
    return run.text[begin : found.at]


def sentence_begin(run: Run, start: int, stop: int) -> int:
    """Where the last sentence between two offsets begins; a number may end the one before it."""
    return max((found.end() for found in _SENTENCE_END.finditer(run.text, start, stop)), default=start)


def without_where(links: tuple[Link, ...], label: str) -> tuple[tuple[Link, ...], bool]:
    """The members of a chain without the word "where" before them, and whether they stand behind one."""
    first = links[0].node
    if isinstance(first, Op) and first.op == "*" and isinstance(first.left, Sym) and first.left.name in _DEFINING:
        return (links[0]._replace(node=first.right), *links[1:]), True
    return links, label.strip().lower() in _DEFINING


def is_defined_behind(before: Statement, links: tuple[Link, ...]) -> bool:
    """Whether a chain without a value says what the name is whose value stands right before it."""
    name, again = before.links[0].node, links[0].node
    if not isinstance(name, Sym) or not isinstance(again, Sym) or (name.name, name.index) != (again.name, again.index):
        return False
    valued = [isinstance(link.node, Mat) and link.node.numbers is not None for link in (*before.links[1:], *links)]
    return any(valued[: len(before.links) - 1]) and len(links) > 1 and not any(valued[len(before.links) - 1 :])
