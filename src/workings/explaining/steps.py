"""One step written out: what it does, its formula, the whole matrix, the arithmetic, and what the numbers say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from workings.explaining.focus import Focus
from workings.explaining.matrices import matrix, other_matrix
from workings.explaining.numbers import Numbers
from workings.explaining.reading import Reader
from workings.explaining.symbols import general_formula
from workings.explaining.tree import (
    Block,
    Code,
    Equation,
    Heading,
    Inline,
    Items,
    Named,
    Number,
    Paragraph,
    Text,
)
from workings.steps.attention import SCALED
from workings.steps.step import Op, Step
from workings.terms.address import Address, Name
from workings.terms.digits import AUTO, show
from workings.traces.trace import Trace


def does(numbers: Numbers, step: Step) -> Text:
    """What a step does, in a sentence."""
    about = step.about or step.name
    if about == "ffn_hidden":
        return Text(f"step.{about}.{_change(numbers.trace.recipe.sizes)}")
    if about.endswith("_rotated_part"):
        return Text(f"step.{about}", {"rotary_dim": numbers.trace.recipe.sizes["rotary_dim"]})
    if about != "scaled_by_given":
        return Text(f"step.{about}")
    args: dict[str, Inline] = {"divisor": Number(numbers.shown(Address(Name("divide_by"))).text)}
    d_k = numbers.trace.recipe.sizes.get("d_k")
    if d_k is None:
        return Text("step.scaled_by_any", args)
    return Text(f"step.{about}", {**args, "d_k": Code(str(d_k))})


def _change(sizes: Mapping[str, int]) -> str:
    """What the first matrix of a feed-forward makes of a vector's width."""
    d_ff, d_model = sizes["d_ff"], sizes["d_model"]
    return "wider" if d_ff > d_model else "narrower" if d_ff < d_model else "same"


class StepWriter:
    """Writes the steps of one trace."""

    def __init__(self, trace: Trace, numbers: Numbers, focus: Focus, truth: Trace | None) -> None:
        self.trace, self.numbers, self.focus, self.truth = trace, numbers, focus, truth
        self.reader = Reader(numbers)
        self._read_by: dict[Name, list[Name]] = {}
        self._told: list[Step | str] = []  # what a step does is said once, and so is
        self._shown: list[Equation] = []  # a formula, unless it reads other arrays or other places of them

    def step(self, op: Op, number: int) -> list[Block]:
        """All blocks of one step."""
        blocks = self.opening(op, number)
        blocks.append(matrix(self.numbers, op.name))
        blocks.extend(self._arithmetic(op))
        blocks.extend(self._extra(op))
        said = self._said(op)
        if said:
            blocks.append(Paragraph(tuple(said)))
        drift = self._drift(op)
        if drift is not None:
            blocks.append(Paragraph((drift,)))
        return blocks

    def opening(self, op: Op, number: int) -> list[Block]:
        """The heading of a step and, where they were not told before, what it does and its formula."""
        title = Text("heading.step", {"n": number, "title": Named(op.step.title), "address": Code(str(op.name))})
        heading = Heading(3, title, str(op.name))
        said: list[Inline] = []
        told = op.step.about if op.name.part else op.step
        if told not in self._told:
            self._told.append(told)
            said.append(does(self.numbers, op.step))
        return [heading, Paragraph((*said, self._traffic(op))), *self._formula(op)]

    def _formula(self, op: Op) -> list[Equation]:
        """The formula of a step; nothing where just this one was shown before, as for another head."""
        formula = general_formula(self.trace.recipe, op)
        plain = [replace(equation, address="") for equation in formula]
        if all(equation in self._shown for equation in plain):
            return []
        self._shown += plain
        return formula

    def _traffic(self, op: Op) -> Inline:
        """What the step is made from, and what is made from it."""
        sources, readers = self.trace.recipe.sources(op), self._readers().get(op.name, [])
        made = Items(tuple(Code(str(name)) for name in sources))
        goes = Items(tuple(Code(str(name)) for name in readers))
        if not sources:
            return Text("step.goes_into", {"readers": goes})
        if not readers:
            return Text("step.made_from", {"sources": made})
        return Text("step.traffic", {"sources": made, "readers": goes})

    def _readers(self) -> dict[Name, list[Name]]:
        """The steps that read each array, in order of computation."""
        if not self._read_by:
            for op in self.trace.ops():
                for source in self.trace.recipe.sources(op):
                    self._read_by.setdefault(source, []).append(op.name)
        return self._read_by

    def _arithmetic(self, op: Op) -> list[Equation]:
        whole = self.focus.show == "all"
        lines = (self.numbers.line(address, whole=whole) for address in self.focus.cells(op.array))
        return [line for line in lines if line is not None]

    # --- what the numbers say ---

    def _said(self, op: Op) -> list[Inline]:
        rows = list(self.focus.rows())
        name = op.step.name
        if name == "score":
            return [sentence for row in rows for sentence in self.reader.scores(op, row)]
        if name == "weight":
            return [sentence for row in rows for sentence in self.reader.shares(op.name, row)]
        if name == "head_output":
            followed = rows if self.focus.show == "all" else [self.focus.row]
            return [sentence for row in followed for sentence in self.reader.mixture(op, row)]
        if name == "exp_shifted":
            return [Text("softmax.agree")]
        if name == "lse" and self._empty_rows(op):
            return [Text("lse.nothing", {"queries": Items(tuple(self._empty_rows(op)))})]
        return []

    def _empty_rows(self, op: Op) -> list[Inline]:
        return [self.reader.word("query", row) for row in range(op.shape[0]) if self.reader.is_empty(op.name, row)]

    def _extra(self, op: Op) -> list[Block]:
        """Beside the author's own divisor: what the true root gives."""
        d_k = self.trace.recipe.sizes.get("d_k")
        if op.step.about != "scaled_by_given" or d_k is None:
            return []
        given = self.trace.value(Address(Name("divide_by")))
        if given.exact is not None and given.exact**2 == d_k:
            return []
        said = Text(
            "scaled.true_root", {"d_k": d_k, "divisor": Number(self.numbers.shown(Address(Name("divide_by"))).text)}
        )
        return [Paragraph((said,)), other_matrix(self.numbers, op, SCALED.formula)]

    def _drift(self, op: Op) -> Inline | None:
        """Hand mode: how far the carried numbers are from the true ones in this step."""
        if self.truth is None or op.step.is_view:
            return None
        furthest, where = None, None
        for address in self.trace.cells(op.name):
            carried, true = self.trace.value(address), self.truth.value(address)
            if carried.exact is None or true.infinite:
                continue
            low, high = true.bounds(128)
            distance = abs(carried.exact - (low + high) / 2)
            if furthest is None or distance > furthest:
                furthest, where = distance, address
        if where is None:
            return None
        carried, true = self.trace.value(where), self.truth.value(where)
        if furthest == 0:
            return Text("carry.none")
        args: dict[str, Inline] = {
            "cell": Code(str(where)),
            "carried": Number(self.numbers.shown(where).text),
            "true": Number(show(true, AUTO, extra=2).text),
        }
        return Text("carry.drift", args)
