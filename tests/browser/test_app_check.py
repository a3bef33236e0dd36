"""The check page: a document pasted, opened or dropped, its verdicts, the way through them, and the fix."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.support.serving import Served
from tests.support.visiting import BOTH, DESK, Reader, Visit, visiting
from tools.generated import NOTES

CLOSE = NOTES.replace("[[0.5, 2], [1.5, 3.5]]", "[[0.7, 2.8], [2.1, 4.9]]").replace(
    "[[0.182, 0.818], [0.119, 0.881]]", "[[0.12, 0.88], [0.06, 0.94]]"
)
WRONG = ("0.5", "2", "1.5", "3.5")
DROP = """(element, [name, text]) => {
  const data = new DataTransfer();
  data.items.add(new File([text], name, { type: "text/markdown" }));
  for (const kind of ["dragover", "drop"])
    element.dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
}"""


def paste(visit: Visit, text: str) -> None:
    visit.page.get_by_label(visit.say("check.paste"), exact=True).fill(text)
    visit.act(visit.button("check.go"))
    expect(visit.find(".findings")).to_be_visible()


def chips(visit: Visit) -> list[str]:
    return visit.find(".counts .chip").all_text_contents()


@pytest.mark.parametrize("reader", BOTH, ids=str)
def test_a_pasted_document_is_judged_in_place(reader: Reader, browser: Browser, served: Served) -> None:
    with visiting(browser, served, reader, path="check") as visit:
        marks = {name: visit.words[f"target.mark.{name}"] for name in ("wrong", "follows", "exact")}
        expect(visit.button("check.go")).to_be_disabled()
        paste(visit, NOTES)
        assert chips(visit) == [f"4 {marks['wrong']}", f"4 {marks['follows']}", f"4 {marks['exact']}"]
        expect(visit.find("[aria-live=polite]")).to_have_text(visit.say("check.done"))
        wrong = visit.find(".text .mark.wrong")
        expect(wrong).to_have_count(4)
        expect(wrong.first).to_contain_text(marks["wrong"])
        expect(wrong.first).to_contain_text("0.7")
        colors = {
            visit.style(visit.find(f".text .mark.{name}").first, "backgroundColor") for name in ("wrong", "follows")
        }
        assert len(colors) == 2
        expect(visit.find(".said")).to_contain_text({"en": "divided by d_k instead of √d_k", "zh": "d_k"}[reader.lang])
        assert visit.fits()
        visit.act(visit.button("check.next"))
        expect(wrong.first).to_be_focused()
        expect(wrong.first).to_be_in_viewport()
        visit.act(visit.button("check.another"))
        expect(visit.page.get_by_label(visit.say("check.paste"), exact=True)).to_have_value(NOTES)


def test_keys_lead_from_finding_to_finding(browser: Browser, served: Served) -> None:
    with visiting(browser, served, DESK, path="check") as visit:
        paste(visit, NOTES)
        visit.blur()
        focus = visit.find(":focus")
        for number in WRONG:
            visit.press("n")
            expect(focus).to_have_class("mark wrong whole")
            assert (focus.text_content() or "").startswith(number)
        visit.press("n")
        expect(focus).to_have_class("mark follows whole")
        visit.press("p", "p")
        assert (focus.text_content() or "").startswith("1.5")
        visit.press("Enter")
        expect(visit.find(".said :focus")).to_have_count(1)
        visit.press("l")
        expect(visit.find("h1")).to_have_text("检查文档")
        expect(visit.find(".counts .chip").first).to_contain_text("错")


def test_the_fix_is_a_patch(browser: Browser, served: Served, tmp_path: Path) -> None:
    with visiting(browser, served, DESK, path="check") as visit:
        paste(visit, "# Sums\n\n2 × 0.46 + 0.03 = 0.96\n")
        visit.find(".fix summary").click()
        expect(visit.find(".diff")).to_contain_text("+2 × 0.46 + 0.03 = 0.95")
        expect(visit.find(".diff .removed")).to_have_text("-2 × 0.46 + 0.03 = 0.96\n")
        with visit.page.expect_download() as waited:
            visit.button("check.fix.save").click()
        waited.value.save_as(tmp_path / "fix.diff")
        lines = (tmp_path / "fix.diff").read_text(encoding="utf-8").splitlines()
        assert lines[:2] == ["--- a/notes.md", "+++ b/notes.md"]
        assert lines[-2:] == ["-2 × 0.46 + 0.03 = 0.96", "+2 × 0.46 + 0.03 = 0.95"]


@pytest.mark.parametrize("reader", BOTH, ids=str)
def test_a_file_is_opened_or_dropped(reader: Reader, browser: Browser, served: Served, tmp_path: Path) -> None:
    path = tmp_path / "<b>sums.md"
    path.write_text("2 + 2 = 5\n", encoding="utf-8")
    with visiting(browser, served, reader, path="check") as visit:
        if reader.touches:
            with visit.page.expect_file_chooser() as waited:
                visit.button("check.open").tap()
            waited.value.set_files(path)
        else:
            visit.find("main").evaluate(DROP, [path.name, path.read_text(encoding="utf-8")])
        expect(visit.find("strong.file")).to_have_text("<b>sums.md")
        expect(visit.find(".text .mark.wrong")).to_contain_text("4")
        visit.act(visit.button("check.another"))
        visit.find("input[type=file]").set_input_files(
            {"name": "x.md", "mimeType": "text/plain", "buffer": b"\xff\xfe"}
        )
        expect(visit.find(".failure")).to_have_text(visit.say("check.not-text", name="x.md"))


def test_earlier_numbers_are_given_half_a_unit(browser: Browser, served: Served) -> None:
    with visiting(browser, served, DESK, path="check") as visit:
        paste(visit, CLOSE)
        expect(visit.find(".text .mark.wrong")).to_have_count(2)
        visit.page.get_by_label(visit.say("check.lenient"), exact=True).check()
        expect(visit.find(".text .mark.wrong")).to_have_count(0)
        expect(visit.find(".text .mark.consistent")).to_have_count(2)


def test_hostile_text_stays_text(browser: Browser, served: Served) -> None:
    with visiting(browser, served, DESK, path="check") as visit:
        paste(visit, "<img src=x onerror=alert(1)> <script>alert(2)</script>\n\n[x](javascript:alert(3)) 2 + 2 = 5\n")
        expect(visit.find(".text")).to_contain_text("<script>alert(2)</script>")
        assert visit.find(".findings").locator("img, script, iframe, a:not([href^='#'])").count() == 0


@pytest.mark.parametrize("reader", BOTH, ids=str)
def test_the_working_of_any_number(reader: Reader, browser: Browser, served: Served) -> None:
    """Of a right number as of a wrong one, by hand and by keyboard, read out and put away again."""
    with visiting(browser, served, reader, path="check") as visit:
        paste(visit, NOTES)
        panel = visit.find(".working")
        expect(panel).to_have_count(0)
        right = visit.find(".text .mark.exact").first
        visit.act(right)
        expect(panel).to_contain_text(visit.words["target.mark.exact"])
        expect(visit.find("[aria-live=polite]")).to_contain_text(visit.words["target.mark.exact"])
        expect(panel.locator("math").first).to_be_visible()
        visit.act(panel.get_by_role("button", name=visit.say("close")))
        expect(panel).to_have_count(0)
        wrong = visit.find(".text .mark.wrong").first
        wrong.focus()
        visit.press("w")
        expect(panel).to_contain_text({"en": "Worked without rounding, it is", "zh": "不作舍入地算"}[reader.lang])
        assert visit.fits()
        visit.press("Escape")
        expect(panel).to_have_count(0)
        visit.blur()
        numbers = visit.find(".text .mark[id]").count()
        seen = set()
        for _ in range(numbers):
            visit.press(".")
            seen.add(visit.find(":focus").get_attribute("id"))
        assert len(seen) == numbers
