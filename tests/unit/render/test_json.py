"""The JSON target: its exact shape."""

import pytest

from workings.render.json import draw

DATA = {
    "schema": "workings.trace/1",
    "tokens": ["小猫", "\ud800", "\x1b\x9b\u202e"],
    "steps": [{"name": "score", "values": [["1", "0.1"], ["-inf", "2"]], "exact": [["1", None]], "shape": [2, 2]}],
    "empty": {},
    "none": [],
}
DRAWN = """\
{
  "schema": "workings.trace/1",
  "tokens": ["小猫", "\\ud800", "\\u001b\\u009b\\u202e"],
  "steps": [
    {
      "name": "score",
      "values": [
        ["1", "0.1"],
        ["-inf", "2"]
      ],
      "exact": [
        ["1", null]
      ],
      "shape": [2, 2]
    }
  ],
  "empty": {},
  "none": []
}
"""


def test_shape() -> None:
    assert draw(DATA) == DRAWN


def test_no_numbers_that_are_none() -> None:
    with pytest.raises(ValueError, match="JSON"):
        draw({"value": float("nan")})
