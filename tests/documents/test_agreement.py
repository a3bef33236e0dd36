"""The checker against the published documents: the table of agreement, no false alarm, and patches that hold."""

import subprocess
from pathlib import Path

import pytest

import workings as w
from tests.documents.agreement import compared, document, expected, found, numbers, table
from workings.checking.verdicts import Verdict

TABLE = Path(__file__).parent / "agreement.txt"
BAD = ("wrong", "follows")


def test_the_table_is_as_it_was() -> None:
    assert table() == TABLE.read_text(encoding="utf-8"), "python -m tests.documents.agreement > its file, and look"


@pytest.mark.parametrize("number", numbers())
def test_no_number_is_called_wrong_that_is_not(number: str) -> None:
    wanted, (claims, _) = expected(number), found(number)
    for place, claim in claims.items():
        if claim.verdict is Verdict.WRONG:
            assert place in wanted, (place, claim.number.text)
            assert wanted[place][1] in (*BAD, "truncated"), (place, claim.number.text, wanted[place])


@pytest.mark.parametrize("number", [n for n in numbers() if not any(v in BAD for _, v in expected(n).values())])
def test_clean_documents_raise_no_alarm(number: str) -> None:
    claims, _ = found(number)
    assert [str(claim.place) for claim in claims.values() if claim.verdict.value in BAD] == []


@pytest.mark.parametrize("number", numbers())
def test_a_patched_document_has_nothing_wrong(number: str, tmp_path: Path) -> None:
    source = document(number)
    copy = tmp_path / source.name
    copy.write_bytes(source.read_bytes())
    patch = w.check(copy).fix()
    if patch:
        name = str(copy)
        done = subprocess.run(["patch", "-s", name], input=patch, text=True, capture_output=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    counts = w.check(copy).counts
    assert (counts["wrong"], counts["follows"]) == (0, 0)


def test_the_documents_seven_wrong_rows() -> None:
    report = w.check(document("02"))
    wrong = [str(claim.address) for claim in report.claims if claim.verdict is Verdict.WRONG]
    assert wrong == [f"weight[{row},{column}]" for row in (0, 1) for column in (0, 1, 2)]
    assert report.counts["follows"] == 0
    cut = {claim.number.text for claim in report.claims if claim.verdict is Verdict.TRUNCATED}
    assert cut == {"0.650"}


def test_the_first_wrong_number_and_its_followers() -> None:
    report = w.check(document("01"))
    first = report.first_wrong
    assert first is not None
    assert (str(first.address), first.number.text) == ("Q[1,0]", "1")
    assert report.counts["wrong"] == 1
    assert report.counts["follows"] >= 5
    assert report.data()["declared"] == "1.7"
    assert all(compared("01")[0][kind] == 0 for kind in ("unread",))
