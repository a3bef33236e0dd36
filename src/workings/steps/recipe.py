"""A recipe: the ordered steps of one computation, bound to their places, with the sizes of every axis."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from typing import Any

from workings.steps.spec import AttentionSpec, BlockSpec
from workings.steps.step import Array, Op
from workings.terms.address import Name
from workings.terms.errors import UnknownArray
from workings.terms.records import keeping

DERIVED = ("grad", "updated")  # arrays made of others of the same name


@keeping
class Recipe:
    """Everything needed to compute, but no numbers.

    Attributes:
        ops: steps in order of computation.
        given: arrays whose values come from outside.
        sizes: axis -> length (``heads``, ``kv_heads`` and ``layers`` among them).
        tables: integer tables of the index language.
        spec, block: what the recipe was built from.
        cross: whether keys and values come from other words than the queries.
        asked: the steps that matter to whoever alters the recipe; None for all.
    """

    ops: tuple[Op, ...]
    given: Mapping[Name, Array]
    sizes: Mapping[str, int]
    tables: Mapping[str, Sequence[Any]]
    spec: AttentionSpec
    block: BlockSpec
    cross: bool = False
    asked: Container[Name] | None = None
    _sources: dict[tuple[Name, str, int | None], Name] = field(
        init=False, default_factory=dict, repr=False, compare=False
    )
    _reads: dict[Name, tuple[Name, ...]] = field(init=False, default_factory=dict, repr=False, compare=False)

    @cached_property
    def _by_name(self) -> dict[Name, Op]:
        """The steps by name; of an altered recipe nobody may ever ask for one."""
        return {op.name: op for op in self.ops}

    @cached_property
    def places(self) -> Mapping[str, Sequence[int]]:
        """Where in ``ops`` the steps of each name stand."""
        found: dict[str, list[int]] = {}
        for place, op in enumerate(self.ops):
            found.setdefault(op.step.name, []).append(place)
        return found

    def with_ops(self, ops: tuple[Op, ...]) -> Recipe:
        """The recipe with other steps, written out for the reason that ``Op.otherwise`` gives."""
        return Recipe(ops, self.given, self.sizes, self.tables, self.spec, self.block, self.cross, self.asked)

    def op(self, name: Name) -> Op | None:
        """The step that makes an array, or None where it is given."""
        return self._by_name.get(name)

    def array(self, name: Name) -> Array:
        """Name, axes and shape; raises ``UnknownArray`` with the names that exist."""
        found = self._by_name.get(name)
        if found is not None:
            return found.array
        if name in self.given:
            return self.given[name]
        raise UnknownArray(name=str(name), known=[str(n) for n in self.names()])

    def names(self) -> Iterator[Name]:
        """All arrays, given ones first, then in order of computation."""
        yield from self.given
        yield from self._by_name

    def has(self, name: Name) -> bool:
        return name in self._by_name or name in self.given

    def head_place(self, head: int) -> int | None:
        """The head part of a name: None where there is only one."""
        return head if self.sizes["heads"] > 1 else None

    def layer_place(self, layer: int) -> int | None:
        return layer if self.sizes["layers"] > 1 else None

    def kv_name(self, name: str, layer: int | None, group: int) -> Name:
        """Keys and values stand per head, or per group of heads that share them."""
        heads, kv_heads = self.sizes["heads"], self.sizes["kv_heads"]
        if kv_heads == heads:
            return Name(name, layer, head=self.head_place(group))
        return Name(name, layer, group=group if kv_heads > 1 else None)

    def nearest(self, name: str, layer: int | None, head: int | None, group: int | None = None) -> Name:
        """The array meant by a plain name at a place: the head's own, its group's, the layer's, the model's.

        Raises ``UnknownArray``.
        """
        if group is None and head is not None:
            group = head * self.sizes["kv_heads"] // self.sizes["heads"]
        for at_layer in (layer, None) if layer is not None else (None,):
            for at_head, at_group in ((head, None), (None, group), (None, None)):
                candidate = Name(name, at_layer, at_head, at_group)
                if self.has(candidate):
                    return candidate
        raise UnknownArray(name=str(Name(name, layer, head, group)), known=[str(n) for n in self.names()])

    def source(self, op: Op, name: str, head: int | None = None) -> Name:
        """The array that ``name`` means in the formula of ``op``; ``head`` where the formula names another head."""
        bound = op.arrays.get(name)
        if bound is not None:
            return bound
        key = op.name, name, head
        known = self._sources.get(key)
        if known is None:
            known = self._sources[key] = self._nearest_to(op, name, head)
        return known

    def _nearest_to(self, op: Op, name: str, head: int | None) -> Name:
        if head is not None:
            return self.nearest(name, op.name.layer, self.head_place(head))
        return self.nearest(name, op.name.layer, op.name.head, op.name.group)

    def sources(self, op: Op) -> Sequence[Name]:
        """The arrays that a step reads, in the order of its formula."""
        if self._by_name.get(op.name) is not op:
            return self._sources_of(op)
        known = self._reads.get(op.name)
        if known is None:
            known = self._reads[op.name] = self._sources_of(op)
        return known

    def _sources_of(self, op: Op) -> tuple[Name, ...]:
        out: dict[Name, None] = {}
        for node in op.step.reads:
            heads = range(self.sizes["heads"]) if node.head is not None else (None,)
            out.update((self.source(op, node.name, head), None) for head in heads)
        return tuple(out)

    def sizes_of(self, op: Op) -> Mapping[str, int]:
        """Axis lengths as the formula of ``op`` means them: a renamed axis has the length of the actual one."""
        return {**self.sizes, **{formal: self.sizes[actual] for formal, actual in op.rename.items()}}

    def scope(self, op: Op) -> dict[str, int]:
        """The part of the index scope that an op's place fixes."""
        heads, kv_heads = self.sizes["heads"], self.sizes["kv_heads"]
        head, group = op.name.head, op.name.group
        if group is not None:
            return {"head": group * heads // kv_heads, "group": group}
        return {"head": head or 0, "group": (head or 0) * kv_heads // heads}

    def find(self, name: Name) -> Name:
        """The array that a written name means; prefixes that are not needed may be written all the same.

        Raises ``UnknownArray``.
        """
        if self.has(name):
            return name
        if name.part in DERIVED:
            return self._derived(name)
        if (name.layer or 0) >= self.sizes["layers"] or (name.head or 0) >= self.sizes["heads"]:
            raise UnknownArray(name=str(name), known=[str(n) for n in self.names()])
        layer = self.layer_place(name.layer) if name.layer is not None else None
        head = self.head_place(name.head) if name.head is not None else None
        return self.nearest(name.name, layer, head, name.group)

    def _derived(self, name: Name) -> Name:
        """The gradients of the array that a written name means."""
        found = self.find(name._replace(part=""))._replace(part=name.part)
        if not self.has(found):
            raise UnknownArray(name=str(name), known=[str(n) for n in self.names()])
        return found
