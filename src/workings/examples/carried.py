"""An example carried inside a document: what its numbers are made from, and nothing else, as one line of JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from workings.examples.files import bytes_within
from workings.examples.limits import MAX_FILE_BYTES
from workings.examples.parse import Written, decode, kind_of, parse
from workings.examples.place import Source, inert

LEFT_OUT = ("claims", "comment", "notes")  # said about the numbers, and claims would give results away
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")


def data_of_file(path: str) -> Any:
    """The nested data of an example file; raises as ``examples.read.read_file`` does."""
    return data_of_bytes(bytes_within(path, MAX_FILE_BYTES), path)


def data_of_bytes(data: bytes, path: str = "") -> Any:
    """The nested data of the bytes of an example file."""
    text = decode(data, inert(path))
    return parse(Source(path, text, kind_of(path, text)))


def carried(data: Mapping[str, Any]) -> str:
    """An example's data as JSON that is read back as the same example; numbers stay as they were written."""
    return as_json({key: value for key, value in data.items() if key not in LEFT_OUT})


def as_json(item: Any) -> str:
    """The data of an example as one line of JSON; numbers stay as they were written."""
    if isinstance(item, Mapping):
        return f"{{{','.join(f'{json.dumps(str(key))}:{as_json(value)}' for key, value in item.items())}}}"
    if isinstance(item, (list, tuple)):
        return f"[{','.join(map(as_json, item))}]"
    if hasattr(item, "tolist"):
        return as_json(item.tolist())
    if isinstance(item, Written) or (isinstance(item, (int, float)) and not isinstance(item, bool)):
        text = str(item) if isinstance(item, Written) else repr(item)
        return text if _NUMBER.fullmatch(text) else json.dumps(text)
    if item is None or isinstance(item, (bool, str)):
        return json.dumps(item)
    return json.dumps(str(item))  # a fraction or a decimal, which examples read as a text too
