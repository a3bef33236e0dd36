"""English words of exercises; ``worksheet_zh.py`` holds the same keys with the same fields."""

from __future__ import annotations

WORDS: dict[str, str] = {
    "worksheet.title": "Exercise: {title}",
    "worksheet.name": "Name: ______________________________",
    "worksheet.task": "Work out the {n} numbers that are left blank. Write each one behind its number in brackets, and leave that number as it is.",
    "worksheet.decimals": "Give {places} decimals where a number does not end sooner.",
    "worksheet.exact": "Every number ends; give all its decimals.",
    "worksheet.forms": "Fractions, roots and percentages count as well.",
    "worksheet.key": "Answers: {title}",
    "worksheet.cell": "{address} ({label})",
    "worksheet.answer": "({n}) {cell}: {answer}",
    # a sheet that came back
    "worksheet.marked": "Blanks: {n}; answered: {answered} ({parts}).",
    "worksheet.marked.none": "Blanks: {n}; none of them is answered yet.",
    "worksheet.all_right": "Everything is right.",
    "worksheet.so_far": "What is answered is right.",
    "worksheet.answers": "Answer by answer",
    "worksheet.blank": "blank",
    "worksheet.what": "what",
    "worksheet.written": "answer",
    "worksheet.verdict": "verdict",
    "worksheet.right": "right",
    "worksheet.nothing": "",
    "worksheet.empty": "Still empty ({n}): {blanks}.",
    "worksheet.number": "({n})",
    "worksheet.is.exact": "exactly right",
    "worksheet.is.correctly_rounded": "right, rounded",
    "worksheet.is.consistent": "right for rounded numbers on the way",
    "worksheet.is.follows": "right arithmetic on an earlier wrong answer",
    "worksheet.is.truncated": "cut off, not rounded",
    "worksheet.is.wrong": "wrong",
}
