"""How an explanation opens: what the example is, its sizes, and the numbers it is given."""

from __future__ import annotations

from workings.explaining.matrices import matrix
from workings.explaining.numbers import Numbers
from workings.explaining.tree import Block, Code, Heading, Inline, Items, Named, Number, Paragraph, Text, Token
from workings.steps.inputs import GIVEN
from workings.steps.recipe import Recipe
from workings.terms.address import Address, Name
from workings.traces.trace import Trace

SAID = ("Q", "K", "V", "X", "embedding_table")


def opening(trace: Trace, numbers: Numbers) -> list[Block]:
    """Comments, setting and given arrays."""
    blocks: list[Block] = []
    comments = tuple(Named(comment) for comment in trace.source.comments)
    if comments:
        blocks.append(Paragraph(comments))
    said = setting(trace, numbers)
    if numbers.precision.places == 0:
        said.append(Text("setting.whole"))  # a whole number alone says nothing of being rounded
    blocks.append(Paragraph(tuple(said)))
    shared = given(numbers, None)
    if shared:
        blocks.append(Heading(2, Text("part.given")))
    return blocks + shared


def given(numbers: Numbers, layer: int | None) -> list[Block]:
    """The arrays that a layer is given, or those that all share."""
    blocks: list[Block] = []
    for name in numbers.trace.recipe.given:
        if name.layer != layer or not numbers.trace.array(name).axes:
            continue
        title = Text("heading.given", {"title": Named(GIVEN[name.name].title), "address": Code(str(name))})
        blocks.append(Heading(3, title, str(name)))
        if name.name in SAID:
            blocks.append(Paragraph((Text(f"given.{name.name}"),)))
        blocks.append(matrix(numbers, name))
        blocks.extend(numbers.roots(name))
    return blocks


def setting(trace: Trace, numbers: Numbers) -> list[Inline]:
    """Tokens, sizes and every option that is not the plain one."""
    recipe = trace.recipe
    spec, block, sizes = recipe.spec, recipe.block, recipe.sizes
    tokens = Items(tuple(Token(word) for word in trace.labels("token")))
    out: list[Inline] = [Text("setting.tokens", {"n": sizes["token"], "tokens": tokens})]
    if trace.labels("key") != trace.labels("token"):
        keys = Items(tuple(Token(word) for word in trace.labels("key")))
        out.append(Text("setting.past" if sizes["past"] else "setting.keys", {"n": sizes["key"], "keys": keys}))
    named = [axis for axis in ("d_model", "d_k", "d_v", "d_ff") if axis in sizes]
    dims = Items(tuple(Text("setting.size", {"axis": Code(axis), "size": sizes[axis]}) for axis in named))
    out.append(Text("setting.sizes", {"sizes": dims}))
    if spec.heads > 1:
        key = "setting.grouped" if spec.kv_heads != spec.heads else "setting.heads"
        out.append(Text(key, {"heads": spec.heads, "kv_heads": spec.kv_heads}))
    if block.layers > 1:
        out.append(Text("setting.layers", {"layers": block.layers}))
    if spec.mask.kind != "none":
        out.append(Text(f"setting.mask.{spec.mask.kind}", {"n": spec.mask.window}))
    if spec.position != "none":
        turned = {axis: sizes[axis] for axis in ("d_k", "rotary_dim") if "rotary_dim" in sizes}
        out.append(Text(f"setting.position.{spec.position}{'-part' if turned else ''}", turned))
        out.extend(_positions(recipe))
    if "normed" in spec.stages:
        order = "alone" if len(spec.stages) == 1 else spec.qk_norm
        out.append(Text(f"setting.qk_norm.{order}"))
    if spec.bias:
        out.append(Text("setting.bias"))
    if spec.sink:
        out.append(Text("setting.sink"))
    out.extend(_block(recipe))
    out.extend(_learning(trace, numbers))
    for name in ("divide_by", "softcap", "position_base", "eps"):
        if recipe.has(Name(name)):
            value = Number(numbers.shown(Address(Name(name))).text)
            out.append(Text("setting.scalar", {"title": Named(GIVEN[name].title), "value": value}))
    blocks = {"n": spec.block_size} if spec.block_size else {}
    out.append(Text(f"setting.softmax.{spec.softmax}", blocks))
    return out


def _learning(trace: Trace, numbers: Numbers) -> list[Inline]:
    """Which word should come next where, and how large a step is."""
    tokens, words = trace.words("token"), trace.labels("word")
    out: list[Inline] = [
        Text("setting.learn", {"token": Token(token), "word": Token(words[place])})
        for token, place in zip(tokens, trace.recipe.tables.get("target", ()), strict=False)
        if place >= 0
    ]
    if out:
        out.append(Text("setting.rate", {"rate": Number(numbers.shown(Address(Name("rate"))).text)}))
    return out


def _positions(recipe: Recipe) -> list[Inline]:
    """Which positions the words have, where they are not counted from 0."""
    places = list(recipe.tables.get("position", ()))
    start = places[0] if places else 0
    if places == list(range(len(places))):
        return []
    if places == list(range(start, start + len(places))):
        return [Text("setting.position.from", {"start": start})]
    return [Text("setting.position.stated", {"positions": Items(tuple(places))})]


def _block(recipe: Recipe) -> list[Inline]:
    """Where there are norms, and which feed-forward."""
    out: list[Inline] = []
    steps = {op.name.name: op.step for op in recipe.ops}
    if "norm1" in steps:
        twice = "norm2" in steps
        if recipe.block.norm.startswith("pre"):
            key = "pre-both" if twice else "pre"
        elif recipe.block.residual:
            key = "post-residuals" if twice else "post-residual"
        else:
            key = "post-both" if twice else "post"
        out.append(Text(f"setting.norm.{key}", {"norm": Named(steps["norm1"].title)}))
    if "ffn_act" in steps:
        out.append(Text(f"setting.ffn.{recipe.block.feed_forward}"))
    return out
