"""Builds a recipe: which steps a specification needs, in which order, and what each reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from workings.steps import attention, block, loss, of_models, online, position, projection, qk_norm, softmax
from workings.steps.gradient import one_step
from workings.steps.recipe import Recipe
from workings.steps.sizes import Sizes, axes_of, check_rotary, gather, shape_of
from workings.steps.spec import GATED, AttentionSpec, BlockSpec
from workings.steps.step import Array, Op, Step
from workings.terms.address import Name
from workings.terms.errors import FieldConflict, MissingField

STAGES = {"normed": "qk_norm", "rotated": "rope"}  # stage of queries and keys -> the option that asks for it


def build(
    spec: AttentionSpec,
    around: BlockSpec,
    given: Mapping[Name, Sequence[int]],
    known: Mapping[str, int],
    tables: Mapping[str, Sequence[Any]],
    cross: bool = False,
) -> Recipe:
    """The recipe for a specification and the shapes of the given arrays.

    Args:
        given: shape of each given array, by name.
        known: axis lengths that are known beforehand: ``token``, ``key``, ``past``, and any of ``d_k`` ….
        tables: ``token_id``, ``position``, ``allowed``, as far as they are needed.
        cross: keys and values come from a context, not from X.

    Raises:
        ShapeMismatch, WrongRank, HeadsNotGrouped, OddRotaryWidth, BadRotaryDim: shapes that do not fit together.
        MissingField, FieldConflict: an array that is needed is missing, or two that exclude each other are given.
    """
    counts = {"heads": spec.heads, "kv_heads": spec.kv_heads, "layers": around.layers, "head": spec.heads}
    counts["alibi_heads"] = 1 << (spec.heads.bit_length() - 1)
    sizes = gather({**known, **counts, "query": known["token"]}, given, not cross)
    return Builder(spec, around, given, sizes, tables, cross).build()


class Builder:
    """Collects ops; one method per stretch of the way a number travels."""

    def __init__(
        self,
        spec: AttentionSpec,
        around: BlockSpec,
        given: Mapping[Name, Sequence[int]],
        sizes: Sizes,
        tables: Mapping[str, Sequence[Any]],
        cross: bool,
    ) -> None:
        self.spec, self.around, self.sizes, self.tables, self.cross = spec, around, sizes, tables, cross
        self.given = {name: Array(name, axes_of(name.name, not cross), tuple(shape)) for name, shape in given.items()}
        self.plain_names = {name.name for name in given}
        self.ops: list[Op] = []
        self.made: set[Name] = set()
        self.layer: int | None = None

    # --- small helpers ---

    def layer_place(self, layer: int) -> int | None:
        return layer if self.around.layers > 1 else None

    def here(self, name: str) -> Name:
        return Name(name, self.layer)

    def has(self, name: str, head: int | None = None, group: int | None = None) -> bool:
        """Whether an array of that name is given at this layer (or for all layers)."""
        if name not in self.plain_names:
            return False
        places = {
            Name(name, at, h, g) for at in (self.layer, None) for h, g in ((head, None), (None, group), (None, None))
        }
        return any(place in self.given for place in places)

    def need(self, name: str, why: str) -> None:
        if not self.has(name):
            raise MissingField(field=name, why=why)

    def add(self, step: Step, name: Name, arrays: Mapping[str, Name] | None = None, **rename: str) -> Name:
        axes = tuple(rename.get(axis, axis) for axis in step.axes)
        self.made.add(name)
        self.ops.append(Op(name, step, axes, shape_of(axes, self.sizes), arrays or {}, rename))
        return name

    def biased(self, plain: Step, with_bias: Step, bias: str) -> Step:
        return with_bias if self.has(bias) else plain

    # --- the way of a number ---

    def build(self) -> Recipe:
        self.sizes.fix("pair", self._pairs(), "pair", ())
        previous = self._input()
        for layer in range(self.around.layers):
            self.layer = self.layer_place(layer)
            if layer > 0 and previous is not None:
                if previous.name in ("weight", "lse"):
                    raise MissingField(field="V", why="next-layer")
                previous = self.add(projection.PREVIOUS, self.here("X"), {"previous": previous})
            previous = self._layer(previous)
        if self.around.learn:
            self._loss(previous)
        recipe = self.made_so_far()
        return one_step(recipe) if self.around.learn else recipe

    def made_so_far(self) -> Recipe:
        """The recipe of the steps that were added."""
        sizes = self.sizes.as_dict()
        return Recipe(tuple(self.ops), self.given, sizes, self.tables, self.spec, self.around, self.cross)

    def _loss(self, output: Name | None) -> None:
        """From the last array of the last layer to the loss."""
        self.layer = None
        self.need("W_U", "learn")
        if output is None or output.name in ("weight", "lse"):
            raise MissingField(field="V", why="learn-values")
        self.sizes.fix("d_model", self.sizes["d_model" if self.has("W_O") else "concat"], "output", (), "output")
        self.add(loss.LOGITS, Name("logits"), {"input": output})
        for step in loss.STEPS[1:]:
            self.add(step, Name(step.name))

    def _pairs(self) -> int:
        if self.spec.position == "rope":
            turned = check_rotary(self.sizes["d_k"], self.spec.rope.rotary_dim)
            if turned < self.sizes["d_k"]:
                self.sizes.fix("rotary_dim", turned, "rotary_dim", ())
            return turned // 2
        if self.spec.position == "sinusoidal":
            return (self.sizes["d_model"] + 1) // 2
        return 0

    def _input(self) -> Name | None:
        """The embedding, its position, and X; None where Q, K, V are given outright."""
        x: Name | None = Name("X") if Name("X") in self.given else None
        embedded = Name("embedding") if Name("embedding") in self.given else None
        if Name("embedding_table") in self.given:
            embedded = self.add(projection.EMBEDDING, Name("embedding"))
        if x is not None and embedded is not None:
            raise FieldConflict(field="X", other="embedding", why="both")
        if self.spec.position == "sinusoidal":
            if embedded is None:
                raise MissingField(field="embedding", why="sinusoidal")
            self.add(position.SINUSOIDAL_ANGLE, Name("angle"))
            self.add(position.SINUSOIDAL, Name("position_encoding"))
            return self.add(position.POSITIONED, Name("X"))
        if self.spec.position == "rope":
            if self.cross:
                raise FieldConflict(field="rope", other="key_tokens", why="rope-cross")
            by_base = position.ROPE_ANGLE_PART if "rotary_dim" in self.sizes else position.ROPE_ANGLE
            self.add(of_models.ROPE_ANGLE_GIVEN if self.has("frequency") else by_base, Name("angle"))
            self.add(self.biased(position.COS, of_models.COS_SCALED, "attention_factor"), Name("cos"))
            self.add(self.biased(position.SIN, of_models.SIN_SCALED, "attention_factor"), Name("sin"))
        if self.spec.position == "alibi" and Name("alibi_slope") not in self.given:
            self.add(position.ALIBI_SLOPE, Name("alibi_slope"))
        return x or embedded

    def _layer(self, x: Name | None) -> Name:
        norm, residual = self.around.norm, self.around.residual
        sandwich = norm.startswith("sandwich")
        first = sandwich or norm.startswith("pre")
        if first and x is None:
            raise MissingField(field="X", why="pre-norm")
        before = self.norm("norm1", x) if first and x is not None else x
        out = self._attention(before)
        if out.name == "weight":
            return out
        if residual or norm != "none" or self.around.feed_forward != "none" or self.around.layers > 1:
            self.sizes.fix("d_model", self.sizes["d_model" if self.has("W_O") else "concat"], "output", (), "output")
        if self.around.parallel and x is not None:
            change = self._feed_forward(self.norm("norm2", x))
            reads = {"before": x, "change": out, "beside": change}
            return self.add(of_models.RESIDUAL_PARALLEL, self.here("residual1"), reads)
        if sandwich:
            out = self.norm("norm2", out)
        if residual:
            out = self._residual(1, x, out)
        if norm.startswith("post"):
            out = self.norm("norm1", out)
        if self.around.feed_forward == "none":
            return out
        inner = self.norm("norm3" if sandwich else "norm2", out) if first else out
        change = self._feed_forward(inner)
        if sandwich:
            change = self.norm("norm4", change)
        out = self._residual(2, out, change) if residual else change
        return self.norm("norm2", out) if norm.startswith("post") else out

    def _attention(self, x: Name | None) -> Name:
        if self._shares():
            for group in range(self.spec.kv_heads):
                self._keys_and_values(group, x)
        if self._score_given() and "normed" in self.spec.stages:
            raise FieldConflict(field="score", other=STAGES["normed"], why="score-given")
        outputs = [self._head(head, x) for head in range(self.spec.heads)]
        if outputs[-1].name == "weight":
            return outputs[-1]
        heads_out = outputs[0]
        if self.spec.heads > 1:
            heads_out = self.add(block.CONCAT, self.here("concat"))
        arrays = {"heads_out": heads_out}
        if not self.has("W_O"):
            renamed = {"concat": "d_v"} if self.spec.heads == 1 else {}
            return self.add(block.OUTPUT_SAME, self.here("output"), arrays, **renamed)
        return self.add(self.biased(block.OUTPUT, block.OUTPUT_BIASED, "b_O"), self.here("output"), arrays)

    def _shares(self) -> bool:
        """Whether several heads share one key and one value head."""
        return self.spec.kv_heads != self.spec.heads

    def _score_given(self) -> bool:
        return self.has("score", head=self._head_place(0))

    def _head_place(self, head: int) -> int | None:
        return head if self.spec.heads > 1 else None

    def _kv(self, name: str, group: int) -> Name:
        if not self._shares():
            return Name(name, self.layer, head=self._head_place(group))
        return Name(name, self.layer, group=group if self.spec.kv_heads > 1 else None)

    def _keys_and_values(self, group: int, x: Name | None) -> None:
        if not self._score_given():
            self._keys_or_values("K", x, group)
        self._keys_or_values("V", x, group)

    def _keys_or_values(self, letter: str, x: Name | None, group: int) -> None:
        """K or V of one group: given, or projected, put through the stages of the keys, then behind the cache."""
        name = self._kv(letter, group)
        cached = self.sizes["past"] > 0
        if self._is_given(letter, name, "past" if cached else ""):
            return
        fresh = name.called(f"{letter.lower()}_new") if cached else name
        projected = self._projected(letter, fresh)
        if projected != name and self.has(projected.name, name.head, name.group):
            self._once(letter)
        else:
            if x is None and not self.cross:
                if letter == "V":
                    return
                raise MissingField(field=letter, why="given-or-made")
            if letter == "V" and not self.has("W_V"):
                return
            self._project(letter, projected, x)
        self._through_stages(letter, projected, fresh)
        if cached:
            step = projection.KEY_CACHED if letter == "K" else projection.VALUE_CACHED
            self.add(step, name)

    def _is_given(self, letter: str, name: Name, behind: str = "") -> bool:
        """Whether Q, K or V are given outright, as they enter the dot product; nothing may be done to them then."""
        if not self.has(letter, name.head, name.group):
            return False
        options = [*(STAGES[stage] for stage in self._stages(letter)), *([behind] if behind else [])]
        if options:
            raise FieldConflict(field=letter, other=options[0], why="given-before")
        self._once(letter)
        return True

    def _stages(self, letter: str) -> tuple[str, ...]:
        return () if letter == "V" else self.spec.stages

    def _projected(self, letter: str, last: Name) -> Name:
        """What the projection makes: the array itself, where nothing stands between."""
        return last.called(f"{letter.lower()}_proj") if self._stages(letter) else last

    def _through_stages(self, letter: str, source: Name, last: Name) -> None:
        """From the projection on: each stage makes an array named after it, and the last one ``last``."""
        stages = self._stages(letter)
        for stage in stages:
            name = last if stage == stages[-1] else last.called(f"{letter.lower()}_{stage}")
            source = self._stage(letter, stage, source, name)

    def _stage(self, letter: str, stage: str, source: Name, name: Name) -> Name:
        if stage == "rotated":
            step = position.rotation(letter, self.spec.rope.pairs, self.sizes)
            return self.add(step, name, {f"{letter.lower()}_proj": source})
        renamed = {"token": "key"} if self.cross and letter == "K" else {}
        reads, squares = {"input": source}, qk_norm.MEAN_SQUARE[letter]
        self.add(squares, name.called(squares.name), reads, **renamed)
        gain = self._gain(f"{letter.lower()}_norm", "d_k")
        if gain is not None:
            reads[gain.name] = gain
        return self.add(qk_norm.NORMED[letter, gain is not None], name, reads, **renamed)

    def _once(self, letter: str) -> None:
        """Q, K or V given outright belong to one layer; with several, each layer makes its own."""
        if self.around.layers > 1:
            raise FieldConflict(field=letter, other="layers", why="given-per-layer")

    def _project(self, letter: str, name: Name, x: Name | None) -> None:
        self.need(f"W_{letter}", "given-or-made")
        plain, with_bias = {
            "Q": (projection.QUERY, projection.QUERY_BIASED),
            "K": (projection.KEY, projection.KEY_BIASED),
            "V": (projection.VALUE, projection.VALUE_BIASED),
        }[letter]
        step = self.biased(plain, with_bias, f"b_{letter}")
        if self.cross and letter != "Q":
            if not self.has("context"):
                raise MissingField(field="context", why="cross")
            self.add(step, name, {"X": Name("context")}, token="key", d_model="d_context")
        elif x is None:
            raise MissingField(field=letter, why="given-or-made")
        else:
            self.add(step, name, {"X": x})

    def _head(self, head: int, x: Name | None) -> Name:
        place = Name("", self.layer, head=self._head_place(head))
        if not self._score_given():
            self._queries(place, x)
        if not self._shares():
            self._keys_and_values(head, x)
        if not self._score_given():
            self.add(attention.SCORE, place.called("score"))
        if self.spec.divide_by is None and "d_k" not in self.sizes:
            raise MissingField(field="d_k", why="size")  # scores given alone do not tell it
        scaled = attention.SCALED if self.spec.divide_by is None else attention.SCALED_BY_GIVEN
        logit = self.add(scaled, place.called("scaled"))
        if self.spec.softcap is not None:
            logit = self.add(attention.CAPPED, place.called("capped"))
        masked = attention.masked(self.spec)
        if masked is not None:
            logit = self.add(masked, place.called("masked"), {"logit": logit})
        if self.spec.softmax == "online":
            return self._online(place, logit, self._has_values(head))
        weight = self._softmax(place, logit)
        if not self._has_values(head):
            return weight
        return self.add(attention.HEAD_OUTPUT, place.called("head_output"))

    def _has_values(self, head: int) -> bool:
        name = self._kv("V", head * self.spec.kv_heads // self.spec.heads)
        return name in self.made or self.has("V", name.head, name.group)

    def _queries(self, place: Name, x: Name | None) -> None:
        name = place.called("Q")
        if self._is_given("Q", name):
            return
        projected = self._projected("Q", name)
        if projected != name and self.has(projected.name, name.head):
            self._once("Q")
        else:
            self._project("Q", projected, x)
        self._through_stages("Q", projected, name)

    def _softmax(self, place: Name, logit: Name) -> Name:
        """The visible parts of one softmax, from the logits to the weights and the log-sum-exp."""
        reads = {"logit": logit}
        sink, convention, base = self.spec.sink, self.spec.fully_masked, self.spec.lse_base
        if self.spec.softmax == "plain":
            self.add(softmax.EXP, place.called("exp"), reads)
            self.add(softmax.EXP_SUM_SINK if sink else softmax.EXP_SUM, place.called("exp_sum"))
            weight = self.add(softmax.fully_masked(softmax.WEIGHT, convention), place.called("weight"))
            self.add(softmax.to_base(softmax.LSE, base), place.called("lse"))
            return weight
        self.add(softmax.ROW_MAX_SINK if sink else softmax.ROW_MAX, place.called("row_max"), reads)
        self.add(softmax.EXP_SHIFTED, place.called("exp_shifted"), reads)
        self.add(softmax.EXP_SHIFTED_SUM_SINK if sink else softmax.EXP_SHIFTED_SUM, place.called("exp_shifted_sum"))
        weight = self.add(softmax.fully_masked(softmax.WEIGHT_SHIFTED, convention), place.called("weight"))
        self.add(softmax.to_base(softmax.LSE_SHIFTED, base), place.called("lse"))
        return weight

    def _online(self, place: Name, logit: Name, values: bool) -> Name:
        """Softmax block by block: running maximum, sum and (where there are values) output, then what they give."""
        size, keys, left = self.spec.block_size, self.sizes["key"], dict[str, Name]()
        for number, before in enumerate(range(0, keys, size), start=1):
            axes = {"block": f"block{number}", "before": f"before{number}"}
            self.sizes.fix(axes["block"], min(size, keys - before), axes["block"], ())
            self.sizes.fix(axes["before"], before, axes["before"], ())
            left = self._block(place, number, logit, left, axes, values)
        weight = self.add(online.WEIGHT_ONLINE, place.called("weight"), {"logit": logit, **left})
        totals = {"row_max": left["running_max"], "exp_shifted_sum": left["running_sum"]}
        self.add(softmax.to_base(softmax.LSE_SHIFTED, self.spec.lse_base), place.called("lse"), totals)
        return self.add(online.HEAD_OUTPUT_ONLINE, place.called("head_output"), left) if values else weight

    def _block(
        self, place: Name, number: int, logit: Name, left: Mapping[str, Name], axes: Mapping[str, str], values: bool
    ) -> dict[str, Name]:
        """One block of keys: its running arrays, made from those that the block before has ``left``."""
        reads = {"logit": logit, **{f"{name.removeprefix('running_')}_before": made for name, made in left.items()}}
        made: dict[str, Name] = {}
        for step in online.steps(first=not left, sink=self.spec.sink, values=values):
            name = place.called(f"{step.name}{number}")
            made[step.name] = self.add(step, name, {**reads, **made}, **axes)
        return {name: array for name, array in made.items() if name.startswith("running_")}

    def _residual(self, number: int, before: Name | None, change: Name) -> Name:
        if before is None:
            raise MissingField(field="X", why="residual")
        return self.add(block.RESIDUAL, self.here(f"residual{number}"), {"before": before, "change": change})

    def norm(self, name: str, source: Name) -> Name:
        """A norm and what it is made with."""
        reads = {"input": source}
        if self.around.norm.endswith("rms"):
            mean_square = self.add(block.NORM_MEAN_SQUARE, self.here(f"{name}_mean_square"), reads)
            reads["norm_mean_square"] = mean_square
            made = block.rms_norm
        else:
            reads["norm_mean"] = self.add(block.NORM_MEAN, self.here(f"{name}_mean"), reads)
            reads["norm_variance"] = self.add(block.NORM_VARIANCE, self.here(f"{name}_variance"), dict(reads))
            made = block.layer_norm
        gain, bias = self._gain(name, "d_model"), self.has(f"{name}_bias")
        if gain is not None:
            reads["norm_gain"] = gain
        if bias:
            reads["norm_bias"] = self._given_name(f"{name}_bias")
        return self.add(made(gain is not None, bias), self.here(name), reads)

    def _gain(self, norm: str, axis: str) -> Name | None:
        """The gain of a norm, if it has one: given, or 1 plus what is given."""
        name, less_1 = f"{norm}_gain", f"{norm}_gain_less_1"
        if not self.has(less_1):
            return self._given_name(name) if self.has(name) else None
        if self.here(name) not in self.made:
            self.add(of_models.GAIN, self.here(name), {"less_1": self._given_name(less_1)}, d_model=axis)
        return self.here(name)

    def _given_name(self, name: str) -> Name:
        return self.here(name) if self.here(name) in self.given else Name(name)

    def _feed_forward(self, source: Name) -> Name:
        kind = self.around.feed_forward
        for name in ("W_1", "W_2", *(["W_gate"] if kind in GATED else [])):
            self.need(name, "feed-forward")
        reads = {"input": source}
        if kind in GATED:
            self.add(self.biased(block.FFN_GATE, of_models.FFN_GATE_BIASED, "b_gate"), self.here("ffn_gate"), reads)
        self.add(self.biased(block.FFN_HIDDEN, block.FFN_HIDDEN_BIASED, "b_1"), self.here("ffn_hidden"), reads)
        self.add(block.ACTIVATION[kind], self.here("ffn_act"))
        return self.add(self.biased(block.FFN_OUTPUT, block.FFN_OUTPUT_BIASED, "b_2"), self.here("ffn_output"))
