"""What a sheet says of itself in marks that readers do not see: which example it is, and which cell each blank.

Three kinds, each on a line of its own: ``workings: worksheet kitten`` (an example of the reader's own has no name),
``workings: blanks 1=score[0,1] 2=weight[2,0]`` and, for an example of the reader's own, ``workings: example`` with
its data, packed, on as many lines as it takes. ``workings: key`` stands before the answers.
"""

from __future__ import annotations

import base64
import binascii
import re
import zlib
from dataclasses import dataclass
from textwrap import wrap

from workings.checking.paper import Paper
from workings.examples.limits import MAX_FILE_BYTES
from workings.exercises.blanks import Blanks
from workings.terms.errors import WorkingsError, WorksheetMark
from workings.traces.trace import Trace

SHEET, BLANKS, EXAMPLE, KEY = "worksheet", "blanks", "example", "key"
LINE = 100  # characters of a mark before another one begins
_SETTINGS = re.compile(r"seed=(-?\d{1,40})\s+digits=(auto|exact|\d{1,4})")
_PAIR = re.compile(r"(\d{1,9})=(\S+)")


@dataclass(frozen=True)
class Identity:
    """Which sheet it is.

    Attributes:
        name: the built-in example; empty for one of the reader's own.
        data: the example of the reader's own, as JSON; empty for a built-in one.
        seed: what the blanks were drawn with.
        digits: the digits that the sheet shows: ``auto``, ``exact`` or a number of decimals.
        pairs: number and address of every blank.
    """

    name: str
    data: str
    seed: int
    digits: str
    pairs: tuple[tuple[int, str], ...]

    @classmethod
    def of(cls, blanks: Blanks, seed: int, digits: str, name: str, data: str) -> Identity:
        """The identity of a sheet that is being made."""
        return cls(
            name, data, seed, digits, tuple((number, str(address)) for address, number in blanks.numbers.items())
        )

    def marks(self) -> list[str]:
        """The marks, without the word ``workings:``."""
        said = f"{SHEET} {self.name or '-'} seed={self.seed} digits={self.digits}"
        pairs = wrap(" ".join(f"{number}={address}" for number, address in self.pairs), LINE)
        packed = base64.b64encode(zlib.compress(self.data.encode(), 9)).decode() if self.data else ""
        return [said, *(f"{BLANKS} {line}" for line in pairs), *(f"{EXAMPLE} {line}" for line in wrap(packed, LINE))]

    def blanks(self, trace: Trace, path: str) -> Blanks:
        """The blanks of the sheet in the example it was made from. Raises ``WorksheetMark``."""
        numbers = {}
        for number, text in self.pairs:
            try:
                numbers[trace.cell(text)] = number
            except WorkingsError:
                raise WorksheetMark(path=path, mark=f"{number}={text}") from None
        order = [address for op in trace.ops() for address in trace.cells(op.name) if address in numbers]
        if not order or len(order) < len(self.pairs):
            raise WorksheetMark(path=path, mark=BLANKS)
        return Blanks(trace, {address: numbers[address] for address in order})


def identity(paper: Paper) -> Identity | None:
    """Which sheet a document is; None where it is none. Raises ``WorksheetMark`` where its marks are damaged."""
    marks = [_words(piece.run.text) for piece in paper.pieces if piece.kind == "mark"]
    sheets = [rest for word, rest in marks if word == SHEET]
    if not sheets:
        return None
    name, _, rest = sheets[0].partition(" ")
    found = _SETTINGS.fullmatch(rest.strip())
    pairs = _PAIR.findall(" ".join(rest for word, rest in marks if word == BLANKS))
    if not name or not found or not pairs or len({number for number, _ in pairs}) < len(pairs):
        raise WorksheetMark(path=paper.name, mark=SHEET)
    data = _unpacked(paper, "".join(rest for word, rest in marks if word == EXAMPLE)) if name == "-" else ""
    return Identity(
        "" if name == "-" else name, data, int(found[1]), found[2], tuple((int(n), text) for n, text in pairs)
    )


def key_at(paper: Paper) -> int:
    """Where the answers begin; the end of the document where it has none."""
    keys = (piece.run.offsets[0] for piece in paper.pieces if piece.kind == "mark" and _words(piece.run.text)[0] == KEY)
    return next(keys, len(paper.sources[0]))


def _words(text: str) -> tuple[str, str]:
    word, _, rest = text.strip().partition(" ")
    return word.lower(), rest.strip()


def _unpacked(paper: Paper, packed: str) -> str:
    """The JSON of an example; never more than an example file may hold."""
    try:
        raw = base64.b64decode(packed, validate=True)
        unpacker = zlib.decompressobj()
        data = unpacker.decompress(raw, MAX_FILE_BYTES)
        if not unpacker.eof:
            raise WorksheetMark(path=paper.name, mark=EXAMPLE)
        return data.decode()
    except (binascii.Error, zlib.error, UnicodeDecodeError):
        raise WorksheetMark(path=paper.name, mark=EXAMPLE) from None
