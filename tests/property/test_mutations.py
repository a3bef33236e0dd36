"""Random examples printed as documents: none wrong as they are, every slip named, every wrong number located."""

from fractions import Fraction

from hypothesis import Phase, assume, given, settings
from hypothesis import strategies as st

from tests.support.mutations import altered, judged, steps, traces
from workings.checking.causes.cause import Cause
from workings.checking.causes.registry import CAUSES
from workings.checking.verdicts import Verdict
from workings.terms.address import Address
from workings.traces.trace import Trace

BAD = (Verdict.WRONG, Verdict.FOLLOWS, Verdict.UNSURE, Verdict.TRUNCATED)
SLIPS = [cause for cause in CAUSES if cause.pattern is None]


@given(traces())
def test_a_right_document_has_nothing_wrong(trace: Trace) -> None:
    report = judged(trace, steps(trace))
    assert [str(claim) for claim in report.claims if claim.verdict in BAD] == []
    assert len([claim for claim in report.claims if claim.address]) >= 12
    assert report.unread == []


@settings(phases=(Phase.explicit, Phase.reuse, Phase.generate))  # shrinking takes minutes, and the text says it all
@given(traces(), st.sampled_from(SLIPS))
def test_a_slip_that_makes_a_number_wrong_is_named(trace: Trace, cause: Cause) -> None:
    for printed in altered(trace, cause):
        first = judged(trace, printed).first_wrong
        assert first is None or cause.id in first.causes, printed


@given(traces(), st.data(), st.integers(-400, 400).filter(lambda tenths: abs(tenths) >= 2))
def test_a_wrong_number_is_located(trace: Trace, data: st.DataObject, tenths: int) -> None:
    printed = steps(trace)
    name, rows = data.draw(st.sampled_from(printed))
    i, j = data.draw(st.integers(0, len(rows) - 1)), data.draw(st.integers(0, len(rows[0]) - 1))
    assume("inf" not in rows[i][j])
    places = len(rows[i][j].partition(".")[2])
    new = Fraction(rows[i][j]) + Fraction(tenths, 10)
    rows[i][j] = f"{float(new):.{max(places, 1)}f}"
    first = judged(trace, printed).first_wrong
    assert first is not None
    assert (first.address, first.number.text) == (Address(name, (i, j)), rows[i][j])
