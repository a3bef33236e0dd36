"""Matrices drawn over several lines: side by side, rows under rows, box-drawing brackets, upright bars.

Finds them line by line and puts their tokens in the order in which one matrix after the other would be written;
every token keeps its own place.
"""

from __future__ import annotations

from dataclasses import replace

from workings.checking.grammar.tokens import Token

MAX_LINES = 100
MAX_BLOCKS = 12  # side by side
SIGNS = ("-", "+", "∞", "%")


def lines_of(items: list[Token]) -> list[list[Token]]:
    """The tokens line by line, each with the line end that closes it."""
    ends = [at + 1 for at, token in enumerate(items) if token.kind == "nl" and not token.maths]
    return [items[start:stop] for start, stop in zip([0, *ends], [*ends, len(items)], strict=True)]


def arranged(items: list[Token]) -> tuple[list[Token], bool]:
    """The tokens in writing order, and whether any was moved."""
    if not any(token.kind in ("open", "num") and not token.maths for token in items):
        return items, False
    lines, moved, i, depth = lines_of(items), False, 0, 0
    made: list[Token] = []
    signs = {token.text for token in items}
    if "|" in signs:
        _bars_to_boxes(lines)
    if not signs.isdisjoint(("|", "┌", "┐")):
        for line in lines:
            _alternate(line)
    while i < len(lines):
        block = None if depth else _block(lines, i)
        if block is None:
            made += lines[i]
            depth = max(0, depth + _balance(lines[i]))
            i += 1
        else:
            made += block[0]
            i, moved = block[1], True
    return made, moved


def _block(lines: list[list[Token]], i: int) -> tuple[list[Token], int] | None:
    """The lines from one on that belong together, in writing order, and where they end; None where it stands alone."""
    signs = {token.text for token in lines[i]}
    found = _boxes(lines, i) if "┌" in signs else None
    if found is None and i + 1 < len(lines):  # with rows below
        found = _side_by_side(lines, i) if _balance(lines[i]) > 1 else None
        found = found or (_stacked(lines, i) if "[" in signs else None)
    return found or _bare(lines, i)


def _sign(kind: str, text: str, near: Token) -> Token:
    """A token that stands for nothing printed, at the place of another."""
    return Token(kind, text, near.start, near.stop, True, near.maths)


def _end(line: list[Token], made: list[Token]) -> list[Token]:
    last = line[-1] if line and line[-1].kind == "nl" else None
    return [*made, last] if last is not None else made


# --- box-drawing brackets ---


def _alternate(line: list[Token]) -> None:
    """The sides of boxes open and close in turn: a vertical line alone does not say which it is."""
    pieces = [token for token in line if token.text in ("┌", "┐")]
    for number, token in enumerate(pieces):
        token.kind, token.text = ("close", "┐") if number % 2 else ("open", "┌")


def _bars_to_boxes(lines: list[list[Token]]) -> None:
    """Upright bars around numbers, the same count of them in lines under one another, are the sides of boxes."""
    counts = [_bars(line) for line in lines]
    for number, line in enumerate(lines):
        if counts[number] and counts[number] in (
            *counts[max(0, number - 1) : number],
            *counts[number + 1 : number + 2],
        ):
            for token in line:
                if token.text == "|":
                    token.text = "┌"


def _bars(line: list[Token]) -> int:
    """How many bars a line has where each pair of them holds numbers and no number stands outside alone; else 0."""
    if not any(token.text == "|" for token in line):
        return 0
    parts: list[list[Token]] = [[]]
    for token in line:
        if token.text == "|":
            parts.append([])
        elif token.kind != "nl":
            parts[-1].append(token)
    inside, outside = parts[1::2], parts[2:-1:2]
    if len(parts) % 2 == 0 or not inside or any(token.maths for token in line):
        return 0
    plain = all(part and all(token.kind == "num" or token.text in SIGNS for token in part) for part in inside)
    apart = not any(part and all(token.kind == "num" or token.text in SIGNS for token in part) for part in outside)
    return len(parts) - 1 if plain and apart else 0


def _boxes(lines: list[list[Token]], i: int) -> tuple[list[Token], int] | None:
    """Consecutive lines with the same number of bracket pieces: one matrix for each pair."""
    count = _pairs(lines[i])
    if not count:
        return None
    last = i
    while last < len(lines) and last - i < MAX_LINES and _pairs(lines[last]) == count:
        last += 1
    made: list[Token] = []
    for number in range(count):
        prefix: list[Token] = []
        rows: list[list[Token]] = []
        for line in lines[i:last]:
            before, inside = _box(line, number)
            prefix += [replace(token, gap=True) for token in before]
            if any(token.kind != "punct" or token.text not in "─ " for token in inside):
                rows.append(inside)
        if not rows:
            return None
        made += prefix
        made.append(_sign("open", "[", rows[0][0]))
        for number_of_row, row in enumerate(rows):
            made += ([_sign("semi", ";", row[0])] if number_of_row else []) + row
        made.append(_sign("close", "]", rows[-1][-1]))
    tail = [token for line in lines[i:last] for token in _behind(line)]
    return _end(lines[last - 1], made + tail), last


def _pairs(line: list[Token]) -> int:
    opened = sum(token.text == "┌" for token in line)
    closed = sum(token.text == "┐" for token in line)
    return opened if opened == closed and opened <= MAX_BLOCKS else 0


def _box(line: list[Token], number: int) -> tuple[list[Token], list[Token]]:
    """What stands before and in the box of that number on a line."""
    before: list[Token] = []
    inside: list[Token] = []
    seen, within = -1, False
    for token in line:
        if token.text == "┌":
            seen, within = seen + 1, True
        elif token.text == "┐":
            within = False
            if seen == number:
                break
        elif within and seen == number:
            inside.append(token)
        elif not within and seen == number - 1 and token.kind != "nl":
            before.append(token)
    return before, inside


def _behind(line: list[Token]) -> list[Token]:
    last = max((at for at, token in enumerate(line) if token.text == "┐"), default=len(line))
    return [token for token in line[last + 1 :] if token.kind != "nl"]


# --- brackets that stay open to the end of the line, two or more of them ---


def _side_by_side(lines: list[list[Token]], i: int) -> tuple[list[Token], int] | None:
    """``Q = [[1, 0],  K = [[1, 1],`` with the other rows below."""
    parts = _openers(lines[i])
    if not 2 <= len(parts) <= MAX_BLOCKS:
        return None
    last, closed = i + 1, [False] * len(parts)
    while last < len(lines) and last - i < MAX_LINES and not all(closed):
        pieces = _pieces(lines[last])
        if pieces is None or len(pieces) != closed.count(False):
            return None
        still = iter(pieces)
        for number, part in enumerate(parts):
            if closed[number]:
                continue
            piece = next(still)
            part += piece
            closed[number] = _balance(piece) < 0
        last += 1
    if not all(closed):
        return None
    return _end(lines[last - 1], [token for part in parts for token in part]), last


def _openers(line: list[Token]) -> list[list[Token]]:
    """The parts of a line that each leave one bracket open; none if the line holds anything else."""
    parts: list[list[Token]] = []
    current: list[Token] = []
    depth = 0
    for at, token in enumerate(line):
        if token.kind == "nl":
            continue
        if token.kind == "rel" and depth == 1 and len(current) > 1:  # the name before it begins the next part
            back = 1
            while (
                back < len(current)
                and current[-back - 1].kind in ("name", "sub", "sup", "op")
                and not current[-back].gap
            ):
                back += 1
            parts.append(current[:-back])
            current = current[-back:]
            depth = 0
        current.append(token)
        depth += (token.kind == "open") - (token.kind == "close")
        if depth < 0 or at > 2000:
            return []
    parts.append(current)
    return parts if all(_balance(part) == 1 for part in parts) else []


def _balance(items: list[Token]) -> int:
    kinds = [token.kind for token in items]
    return kinds.count("open") - kinds.count("close")


def _pieces(line: list[Token]) -> list[list[Token]] | None:
    """The bracketed rows of a line that holds nothing else, each with what closes behind it."""
    pieces: list[list[Token]] = []
    depth = 0
    for token in line:
        if token.kind == "nl":
            continue
        if token.kind == "open" and depth <= 0:
            pieces.append([])
            depth = 0
        if not pieces or (depth <= 0 and token.kind not in ("open", "close", "comma")):
            return None
        pieces[-1].append(token)
        depth += (token.kind == "open") - (token.kind == "close")
    return pieces or None


# --- closed rows under closed rows ---


def _stacked(lines: list[list[Token]], i: int) -> tuple[list[Token], int] | None:
    """``Q = [1, 1], K = [1, 0]`` with lines below that hold as many bracketed rows and nothing else."""
    parts = _closed(lines[i])
    if not parts:
        return None
    last = i + 1
    named = any(token.kind == "rel" for token in lines[i])
    while last < len(lines) and last - i < MAX_LINES:
        rows = _pieces(lines[last])
        if rows is None or len(rows) != len(parts) or any(_balance(row) for row in rows):
            break
        if not named and len(parts) == 1 and _commas(rows[0]) and lines[last][0].gap != lines[i][0].gap:
            break
        if any(_size(row) != _size(part[_first_open(part) :]) for row, part in zip(rows, parts, strict=True)):
            break
        last += 1
    if last == i + 1:
        return None
    made: list[Token] = []
    for number, part in enumerate(parts):
        at = _first_open(part)
        made += [*part[:at], _sign("open", "[", part[at]), *_uncommaed(part[at:])]
        for line in lines[i + 1 : last]:
            row = (_pieces(line) or [])[number]
            made += [_sign("comma", ",", row[0]), *_uncommaed(row)]
        made.append(_sign("close", "]", row[-1]))
        if number + 1 < len(parts):
            made.append(_sign("comma", ",", row[-1]))
    return _end(lines[last - 1], made), last


def _closed(line: list[Token]) -> list[list[Token]]:
    """The parts of a line that each end in one bracketed row."""
    parts: list[list[Token]] = [[]]
    depth = 0
    for token in line:
        if token.kind == "nl":
            continue
        if depth == 0 and parts[-1] and parts[-1][-1].kind == "close":
            if token.kind in ("comma", "semi"):
                continue
            parts.append([])
        if token.kind in ("mopen", "mclose", "begin"):
            return []
        parts[-1].append(token)
        depth += (token.kind == "open") - (token.kind == "close")
    whole = depth == 0 and all(
        part and part[-1].text == "]" and sum(t.text == "[" for t in part) == 1 for part in parts
    )
    return parts if whole and len(parts) <= MAX_BLOCKS else []


def _first_open(part: list[Token]) -> int:
    return next(at for at, token in enumerate(part) if token.text == "[")


def _uncommaed(row: list[Token]) -> list[Token]:
    """A row without a comma behind it."""
    while row and row[-1].kind == "comma":
        row = row[:-1]
    return row


def _commas(row: list[Token]) -> int:
    return sum(token.kind == "comma" for token in _uncommaed(row))


def _size(row: list[Token]) -> int:
    """How many cells a flat row holds: by its commas, else by its numbers."""
    return _commas(row) + 1 if _commas(row) else sum(token.kind == "num" for token in row)


# --- rows of numbers without brackets ---


def _bare(lines: list[list[Token]], i: int) -> tuple[list[Token], int] | None:
    """Numbers with only spaces between them: a row with the words before it, or a matrix of rows without words."""
    first = _row(lines[i])
    if first is None:
        return None
    before, row = first
    rows, last = [row], i + 1
    while not before and last < len(lines) and last - i < MAX_LINES:
        found = _row(lines[last])
        if found is None or found[0] or _count(found[1]) != _count(row):
            break
        rows.append(found[1])
        last += 1
    made = [*before, _sign("open", "[", row[0])]
    for number, inside in enumerate(rows):
        made += ([_sign("semi", ";", inside[0])] if number else []) + inside
    made.append(_sign("close", "]", rows[-1][-1]))
    return _end(lines[last - 1], made), last


def _row(line: list[Token]) -> tuple[list[Token], list[Token]] | None:
    """The words and the numbers of a line that ends in two numbers or more, apart by spaces only."""
    items = [token for token in line if token.kind != "nl"]
    if items and items[-1].text == "|" and sum(token.text == "|" for token in items) == 2:
        items = [token for token in items if token.text != "|"]
    at, count = len(items), 0
    while at > 0 and (found := _number_before(items, at)) is not None:
        at, count = found, count + 1
        if not items[at].gap:
            break
    before, row = items[:at], items[at:]
    if count < 2 or any(token.maths for token in items):
        return None
    if not before:
        return before, row
    decimals = any("." in token.text for token in row)
    joined = before[-1].kind in ("op", "num", "open", "comma", "rel", "other") or before[-1].text in ("/", "(", "、")
    if joined or not decimals or len(before) > 3 or any(token.kind in ("num", "rel", "open") for token in before):
        return None
    return before, row


def _number_before(items: list[Token], at: int) -> int | None:
    """Where the number that ends before a token begins, its sign, percent sign and ellipsis counted in."""
    at -= 1
    if at > 0 and (items[at].kind == "ell" or items[at].text == "%"):
        at -= 1
    if items[at].kind != "num":
        return None
    if at > 0 and items[at - 1].text in ("-", "+") and not items[at].gap and items[at - 1].gap | (at == 1):
        return at - 1
    return at


def _count(row: list[Token]) -> int:
    return sum(token.kind == "num" for token in row)
