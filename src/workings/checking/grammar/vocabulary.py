"""What signs, commands and letters mean before any grammar: look-alikes, functions, LaTeX commands."""

from __future__ import annotations

OPEN, CLOSE = "\ue000", "\ue001"
FUNCTIONS = {
    **{
        name: name
        for name in [
            "exp",
            "ln",
            "log",
            "sqrt",
            "softmax",
            "sin",
            "cos",
            "tan",
            "tanh",
            "relu",
            "sigmoid",
            "max",
            "min",
            "sum",
            "concat",
            "erf",
            "mean",
        ]
    },
    **{"logsoftmax": "logsoftmax", "log_softmax": "logsoftmax", "gelu": "gelu", "layernorm": "layernorm", "abs": "abs"},
    **{"transpose": "transpose", "concatenate": "concat", "hstack": "concat", "lg": "log", "average": "mean"},
}
ALIGNED = frozenset(
    [
        "aligned",
        "align",
        "align*",
        "alignat",
        "alignat*",
        "split",
        "gather",
        "gather*",
        "gathered",
        "equation",
        "equation*",
        "eqnarray",
        "eqnarray*",
        "multline",
        "multline*",
        "flalign",
        "flalign*",
        "displaymath",
        "math",
        "dmath",
    ]
)
MATRICES = frozenset(
    ["array", "matrix", "bmatrix", "pmatrix", "vmatrix", "Bmatrix", "Vmatrix", "smallmatrix", "tabular"]
)

_SAME = {
    **{chr(c): chr(c - 0xFEE0) for c in range(0xFF01, 0xFF5F)},
    **dict.fromkeys(
        "\u3000\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u200b\u202f\u205f\u2061\u2062\u2063\t",
        " ",
    ),
    **dict.fromkeys("−﹣‐‑", "-"),
    **dict.fromkeys("∗⁎", "*"),
    **dict.fromkeys("⋅∙•・●", "·"),
    **dict.fromkeys("✕⨯✖", "×"),
    **dict.fromkeys("∕⁄", "/"),
    **dict.fromkeys("≃≅≒≐∼⩰", "≈"),
    **dict.fromkeys("⟶➜➔⇒⟹➡⟾↦", "→"),
    **dict.fromkeys("⟵⇐⟸", "←"),
    **dict.fromkeys("′’ʹ", "'"),
    **dict.fromkeys("⎡⎢⎣┌│└╭╰⎛⎜⎝┃┏┗", "┌"),
    **dict.fromkeys("⎤⎥⎦┐┘╮╯⎞⎟⎠┓┛", "┐"),
    "⊤": "ᵀ",
    "⋯": "…",
}
LEVEL = str.maketrans(_SAME)

SKIPPED = frozenset(
    [
        *("mathrm", "mathsf", "mathit", "mathtt"),  # over one letter without braces
        "left",
        "right",
        "big",
        "Big",
        "bigg",
        "Bigg",
        "bigl",
        "bigr",
        "Bigl",
        "Bigr",
        "biggl",
        "biggr",
        "middle",
        "displaystyle",
        "textstyle",
        "scriptstyle",
        "limits",
        "nolimits",
        "mathbf",
        "mathcal",
        "mathbb",
        "boldsymbol",
        "bm",
        "boxed",
        "mathstrut",
        "vphantom",
        "hphantom",
        "relax",
        "color",
        "nonumber",
        "allowbreak",
        "nobreak",
        "notag",
        "hline",
        "toprule",
        "midrule",
        "bottomrule",
        "dfracx",
        "large",
        "Large",
        "small",
        "tiny",
        "normalsize",
        "bf",
        "rm",
        "it",
        "centering",
        "noindent",
        "displaylimits",
        "phantom",
        "strut",
        "cdotp",
        "mathfrak",
        "mathop",
        "mathrel",
        "mathbin",
        "ensuremath",
    ]
)
SPACES = frozenset((",", ";", ":", "!", " ", ">", "quad", "qquad", "enspace", "thinspace", "hspace", "medspace", "\n"))
COMMANDS: dict[str, tuple[str, str]] = {
    **dict.fromkeys(("times",), ("op", "×")),
    **dict.fromkeys(("cdot", "bullet", "ast", "odot", "circ", "otimes", "star"), ("op", "·")),
    **dict.fromkeys(("div",), ("op", "÷")),
    **dict.fromkeys(("approx", "simeq", "cong", "sim", "approxeq", "doteq", "fallingdotseq"), ("rel", "≈")),
    **dict.fromkeys(
        ("to", "rightarrow", "Rightarrow", "longrightarrow", "Longrightarrow", "implies", "mapsto", "xrightarrow"),
        ("rel", "→"),
    ),
    **dict.fromkeys(("leftarrow", "Leftarrow", "longleftarrow", "gets", "xleftarrow"), ("larrow", "←")),
    **dict.fromkeys(("equiv", "triangleq", "eqdef"), ("rel", "=")),
    **dict.fromkeys(("coloneqq", "coloneq"), ("rel", ":=")),
    **dict.fromkeys(
        ("le", "leq", "ge", "geq", "ne", "neq", "in", "lt", "gt", "ll", "gg", "propto", "subset", "subseteq", "notin"),
        ("other", "<"),
    ),
    **dict.fromkeys(("ldots", "dots", "cdots", "vdots", "ddots", "dotsc", "dotsb"), ("ell", "…")),
    **dict.fromkeys(("top", "intercal"), ("sup", "ᵀ")),
    **dict.fromkeys(("lbrack", "["), ("open", "[")),
    **dict.fromkeys(("rbrack", "]"), ("close", "]")),
    **dict.fromkeys(("lbrace", "{"), ("open", "{")),
    **dict.fromkeys(("rbrace", "}"), ("close", "}")),
    **dict.fromkeys(("lparen",), ("open", "(")),
    **dict.fromkeys(("rparen",), ("close", ")")),
    "{": ("open", "{"),
    "}": ("close", "}"),
    "infty": ("op", "∞"),
    "%": ("op", "%"),
    "degree": ("op", "°"),
    "colon": ("punct", ":"),
    "prime": ("punct", "'"),
    "_": ("op", "_"),
    "&": ("punct", "&"),
    "Concat": ("name", "concat"),
}
KNOWN = frozenset(("PE", "LN", "FFN", "MHA", "Attn"))


WORDS = frozenset(
    ("pe", "it", "is", "in", "of", "to", "if", "or", "and", "the", "inf", "nan", "row", "col", "pos", "new")
)
