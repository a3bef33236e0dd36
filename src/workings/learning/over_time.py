"""One number of a model through the snapshots of its training."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from workings.api.recorded import trace
from workings.api.recorded_number import RecordedNumber
from workings.api.shown import Shown
from workings.api.stories import folder_of
from workings.api.view import View
from workings.explaining.tree import Code, Document, Inline, Number, Paragraph, Table, Text
from workings.learning.plan import plan_from
from workings.learning.report import read_run, snapshots_of, weights_of
from workings.terms.address import Name, cell_address, parse_address, resolve
from workings.terms.errors import BadAddress, UnknownArray
from workings.terms.model_errors import TextNeeded

if TYPE_CHECKING:
    from workings.render.course import Moment

SCHEMA = "workings.over-time/1"
DIGITS = 4  # that people see
# what is read where nobody says another text; the pronoun is its last token
TEXTS = {
    "en": "the kitten chased the puppy today . over the garden the moon shone . then it",
    "zh": "在 小羊 旁边 小猫 睡 了 ， 然后 它",
}
WEIGHTS = {"W_Q": "q_proj", "W_K": "k_proj", "W_V": "v_proj", "W_O": "o_proj"}
AXES = {"W_O": ("concat", "d_model")}

Heard = Callable[[int, int], None]


class OverTime(Shown):
    """A number at each snapshot of a run.

    Args:
        run: the folder of a run, or a built-in model.
        address: as in ``cell``; ``L1.H0.W_Q[3,5]`` is a learned weight.
        text: what the model reads; for the built-in stories one of ours where it is not said.
        ids: the tokens that it reads, in place of a text.

    Raises ``NoRun``, ``TextNeeded``, and what ``trace`` and ``Recorded.number`` raise.
    """

    _figures = ("svg", "csv")

    def __init__(
        self,
        run: str | os.PathLike[str],
        address: str,
        text: str | None,
        view: View,
        heard: Heard = lambda done, of: None,
        ids: Sequence[int] = (),
    ) -> None:
        self._view, self._ids = view, list(ids)
        folder = os.fspath(folder_of(run))
        self._told = read_run(folder)
        name, _ = parse_address(address)
        if "[" not in address:
            raise BadAddress(text=address, position=len(address))
        steps = snapshots_of(folder, self._told)
        reads = name.name not in WEIGHTS and not self._ids
        self.text = (text or TEXTS.get(plan_from(self._told["plan"]).lang, "")) if reads else ""
        if reads and not self.text:
            raise TextNeeded()
        self.address, self.values = address, dict[int, Any]()
        for done, step in enumerate(steps):
            heard(done, len(steps))
            place = weights_of(folder, self._told, step)
            if name.name in WEIGHTS:
                self.address, self.values[step] = weight_of(place, address)
            else:
                self.address, self.values[step] = self._recorded(place, name, address)

    def _recorded(self, model: str, name: Name, address: str) -> tuple[str, dict[str, Any]]:
        """The number of one snapshot: its address by indices, its digits, and how far they are sure."""
        layers = None if name.layer is None else [name.layer]
        with TemporaryDirectory(prefix="workings-") as passing:
            folder, inputs = os.path.join(passing, "recording"), {"input_ids": [self._ids]} if self._ids else None
            run = trace(model, folder, text=self.text or None, inputs=inputs, layers=layers)
            number: RecordedNumber = run.number(address)
            return number.address, {
                "value": str(number),
                "printed": number.digits(DIGITS).replace("-", "−"),
                "float": float(number),
                "bound": number.bound,
            }

    # --- how it is told ---

    def moments(self) -> list[Moment]:
        """The snapshots as a figure takes them."""
        from workings.render.course import Moment

        return [Moment(step, one["float"], one["printed"]) for step, one in self.values.items()]

    def document(self) -> Document:
        """One line for each snapshot."""
        said: list[Inline] = [Text("learning.over_time.is", {"address": Code(self.address)})]
        if self.text:
            said.append(Text("learning.over_time.text", {"text": Code(self.text)}))
        rows = tuple(
            (Text("learning.step", {"step": step}), Number(one["printed"])) for step, one in self.values.items()
        )
        header = (Text("learning.over_time.when"), Code(self.address))
        return Document(self._title(), (Paragraph(tuple(said)), Table(header, rows)))

    def _title(self) -> Text:
        return Text("learning.over_time.title", {"address": Code(self.address)})

    def data(self) -> dict[str, Any]:
        """``workings.over-time/1``."""
        keep = ("value", "bound")
        values = [{"step": step, **{name: one[name] for name in keep}} for step, one in self.values.items()]
        source = self._told["plan"]["source"]
        return {"schema": SCHEMA, "source": source, "address": self.address, "text": self.text, "values": values}

    def draw(self, target: str, **style: Any) -> str | bytes:
        """As ``Shown`` draws it, or ``svg`` or ``csv``."""
        from workings.render import course
        from workings.render.words import Words

        if target == "svg":
            return course.svg(self._title(), self.address, self.moments(), Words(self._view.language))
        if target == "csv":
            return course.table(self.address, self.moments())
        return super().draw(target, **style)

    def __repr__(self) -> str:
        return f"<OverTime {self.address}: {len(self.values)} snapshots>"


# --- learned weights ---------------------------------------------------------------------------------------------


def weight_of(folder: str, address: str) -> tuple[str, dict[str, Any]]:
    """A learned weight by its address, ``L1.H0.W_Q[3,5]`` or ``L1.W_Q[3,5]`` with the columns of all heads.

    Raises ``UnknownArray`` and what reading an address does.
    """
    from workings.models.look import look

    looked = look(folder)
    name, items = parse_address(address)
    layers, heads = int(looked.config["num_hidden_layers"]), int(looked.config["num_attention_heads"])
    if name.layer is None or name.layer >= layers or (name.head or 0) >= heads or name.group is not None or name.part:
        known = list(_known(layers, heads))
        raise UnknownArray(name=str(name), known=known)
    from safetensors import safe_open

    tensor = f"model.layers.{name.layer}.self_attn.{WEIGHTS[name.name]}.weight"
    (state,) = looked.weights
    with safe_open(state.path, framework="pt") as file:
        matrix = file.get_tensor(tensor).float().T
    if name.head is not None:
        width = matrix.shape[name.name != "W_O"] // heads
        part = slice(name.head * width, (name.head + 1) * width)
        matrix = matrix[part] if name.name == "W_O" else matrix[:, part]
    axes = AXES.get(name.name, ("d_model", "d_k"))
    cell = cell_address(name, resolve(name, items, axes, tuple(matrix.shape), ((), ())))
    value = float(matrix[cell.index])
    return str(cell), {
        "value": repr(value),
        "printed": f"{value:.{DIGITS}f}".replace("-", "−"),
        "float": value,
        "bound": 0.0,
    }


def _known(layers: int, heads: int) -> Iterator[str]:
    for layer, head, name in product(range(layers), range(heads), WEIGHTS):
        yield f"L{layer}.H{head}.{name}"


def over_time(
    run: str | os.PathLike[str],
    address: str,
    *,
    text: str | None = None,
    lang: str | None = None,
    heard: Heard = lambda done, of: None,
) -> OverTime:
    """A number of a run at each of its snapshots; see ``OverTime``."""
    return OverTime(run, address, text, View().changed(lang=lang), heard)
