"""Names in canonical letters: which subscripts and superscripts belong to a name, and which are an index."""

from __future__ import annotations

import re

from workings.checking.notation import Span, Sym

_SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉₊₋ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", "0123456789+-aehijklmnoprstuvx")
_SIZE = re.compile(r"d[kqvm]")
_NUMBERED = re.compile(r"([A-Za-zα-ωΑ-Ω])_?([0-9]+)")
_LOWERED = re.compile(r"([A-Za-zα-ωΑ-Ω])_(\w+)")
_GREEK = {"alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "varepsilon": "ε", "theta": "θ"}
_GREEK |= {"lambda": "λ", "mu": "μ", "sigma": "σ", "pi": "π", "omega": "ω", "phi": "φ", "varphi": "φ", "tau": "τ"}
_GREEK |= {"rho": "ρ", "eta": "η", "ell": "ℓ", "Sigma": "Σ", "Delta": "Δ", "Theta": "Θ", "Omega": "Ω", "kappa": "κ"}
GREEK = _GREEK
HEAD = re.compile(r"\(?\s*(?:head|h)?[ _]*([0-9]{1,3}|[a-z])\s*\)?$")


def subscript(text: str) -> str:
    """Unicode subscripts as usual signs."""
    return text.translate(_SUBSCRIPTS)


def written(name: str, span: Span) -> Sym:
    """A name as one token holds it: ``Q1``, ``W_q``, ``Wq``, ``d_k``, ``q_cat``, ``attention_weights``."""
    if name.lower() in ("wq", "wk", "wv", "wo"):
        return Sym(f"W_{name[1].upper()}", (), span)
    if len(name) == 1:
        return Sym(name, (), span)
    if _SIZE.fullmatch(name):
        return Sym(f"d_{name[1]}", (), span)
    if found := _NUMBERED.fullmatch(name):
        return joined(found[1], (found[2],), (), span)
    if found := _LOWERED.fullmatch(name):
        return joined(found[1], tuple(found[2].split("_")), (), span)
    return Sym(name, (), span)


def joined(base: str, below: tuple[str, ...], above: tuple[str, ...], span: Span) -> Sym:
    """A base with what stands below and above it."""
    heads = tuple(f"^{found[1]}" if (found := HEAD.match(text)) else f"^{text}" for text in above)
    if base in ("W", "w"):
        letters = [text for text in (*below, *above) if re.fullmatch(r"[QKVOqkvo]", text)]
        if letters:
            rest = tuple(text for text in below if text not in letters)
            heads = tuple(head for head, text in zip(heads, above, strict=True) if text not in letters)
            return Sym(f"W_{letters[0].upper()}", rest + heads, span)
    if base == "d" and below:
        return Sym("d_" + "".join(below), heads, span)
    return Sym(base, tuple(text for text in below if text) + heads, span)
