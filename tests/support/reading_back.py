"""Reads a drawn document back as plain text, by a reader for each target that does not know how it was drawn."""

from __future__ import annotations

import re
from collections.abc import Callable
from html.parser import HTMLParser

SMALL = {**dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-", strict=True)), **dict(zip("₀₁₂₃₄₅₆₇₈₉", "0123456789", strict=True))}
RAISED, LOWERED = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+"), re.compile("[₀₁₂₃₄₅₆₇₈₉]+")
NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:/\d+)?(?:×\s?10\^-?\d+)?(?:\s%)?|\d+(?:\.\d+)?")


def numbers(text: str) -> list[str]:
    """Every number in a text that was read back, as its characters."""
    text = RAISED.sub(lambda found: "^" + "".join(SMALL[c] for c in found[0]), text)
    text = LOWERED.sub(lambda found: "_" + "".join(SMALL[c] for c in found[0]), text)
    text = text.replace("−", "-").replace("\u00a0", " ")
    return [re.sub(r"\s+", "", found) for found in NUMBER.findall(text)]


def read_text(drawn: str) -> str:
    return drawn


def read_markdown(drawn: str) -> str:
    return re.sub(r"^\|[-: |]+\|$", "", drawn, flags=re.MULTILINE).replace("\\", "").replace("`", "")


# --- HTML --------------------------------------------------------------------------------------------------------

BLOCKS = {"p", "h1", "h2", "h3", "h4", "tr", "table", "div", "caption", "main", "li", "br"}
SKIPPED = {"style", "title", "nav"}
VOID = {"meta", "br"}
BETWEEN = {"msup": ["", "^"], "msub": ["", "_"], "munder": ["", "_"], "mfrac": ["", " ÷ "]}


class _Page(HTMLParser):
    """The text of a page; in formulas, what stands above or below comes after a sign that says so."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[tuple[str, list[str]]] = [("", [])]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in VOID:
            self.open[-1][1].append("\n")
        else:
            self.open.append((tag, []))

    def handle_endtag(self, tag: str) -> None:
        found, parts = self.open.pop()
        assert found == tag, (found, tag)
        self.open[-1][1].append(self._joined(tag, parts))

    def handle_data(self, data: str) -> None:
        self.open[-1][1].append(data)

    def _joined(self, tag: str, parts: list[str]) -> str:
        if tag in SKIPPED:
            return ""
        if tag == "msubsup":
            base, below, above = parts
            return f"{base}^{above}_{below}"
        if tag in BETWEEN:
            return "".join(mark + part for mark, part in zip(BETWEEN[tag], parts, strict=True))
        inner = "".join(parts)
        if tag == "msqrt":
            return f"√{inner}"
        if tag == "mo":
            return inner if inner in ("×", "(", ")", "[", "]", "\u2061") else f" {inner} "
        if tag in ("td", "th"):
            return f"{inner}  "
        return f"{inner}\n" if tag in BLOCKS else inner


def read_html(drawn: str) -> str:
    page = _Page()
    page.feed(drawn)
    page.close()
    assert len(page.open) == 1
    return "".join(page.open[0][1])


# --- TeX ---------------------------------------------------------------------------------------------------------

TOKEN = re.compile(r"\\[A-Za-z]+\*?[ \n]*|\\.|\\\n|%[^\n]*\n|[{}$&^_~]|[^\\{}$&^_~%]+", re.DOTALL)
PRINTED = {
    **{
        "times": "×",
        "div": "÷",
        "surd": "√",
        "approx": "≈",
        "ne": "≠",
        "le": "≤",
        "ge": "≥",
        "cdot": "·",
        "infty": "∞",
    },
    **{
        "infty": "∞",
        "nabla": "∇",
        "ell": "ℓ",
        "leftarrow": "←",
        "rightarrow": "→",
        "mid": "∣",
        "langle": "⟨",
        "rangle": "⟩",
        "circ": "◌",
        "pm": "±",
    },
    **{"sum": "Σ", "max": "max", "ln": "ln", "sin": "sin", "cos": "cos", "tanh": "tanh", "varepsilon": "ε"},
    **{"theta": "θ", "mu": "μ", "sigma": "σ", "Sigma": "Σ", "lambda": "λ", "varphi": "φ", "alpha": "α", "beta": "β"},
    **{"gamma": "γ", "delta": "δ", "pi": "π", "rho": "ρ", "tau": "τ", "omega": "ω", "Delta": "Δ"},
    **{"eta": "η", "kappa": "κ"},
    **{"textbackslash": "\\", "textasciicircum": "^", "textasciitilde": "~", "textless": "<", "textgreater": ">"},
    **{"textbar": "|", "textquotesingle": "'", "textasciigrave": "`", "textvisiblespace": "␣", "ldots": "…"},
    **{"textendash": "–", "textemdash": "—", "textquotedblleft": "“", "textquotedblright": "”"},
    **{"textquoteleft": "‘", "textquoteright": "’", "quad": "  ", "tabularnewline": "\n"},
    **dict.fromkeys(
        ["allowbreak", "hline", "noindent", "nopagebreak", "raggedright", "small", "footnotesize", "scriptsize"], ""
    ),
    **dict.fromkeys(["left", "right", "ttfamily", "begingroup", "endgroup", "allowdisplaybreaks", "strut"], ""),
    **dict.fromkeys(["maketitle", "tableofcontents"], "\n"),
}
TRANSPARENT = {"text", "mathrm", "operatorname", "texttt", "title"}
HEADINGS = {"section", "subsection", "subsubsection"}
DROPPED = {"hphantom": 1, "setlength": 2, "parbox": 1, "author": 1, "date": 1}


class _Tex:
    """A small reader of TeX: it knows what the target may write, and raises where it meets anything else."""

    def __init__(self, source: str) -> None:
        self.tokens: list[str] = [token for token in TOKEN.findall(source) if not token.startswith("%")]
        self.at = 0

    def until(self, end: str) -> str:
        out: list[str] = []
        while self.at < len(self.tokens):
            token = self.tokens[self.at]
            self.at += 1
            if token == end:
                return "".join(out)
            out.append(self.one(token))
        assert end == "", f"{end} is missing"
        return "".join(out)

    def one(self, token: str) -> str:
        if token == "{":
            return self.until("}")
        if token in ("^", "_"):
            return token + self.argument()
        if token in ("$", "&"):
            return "" if token == "$" else "  "
        assert token not in ("}", "~"), token
        if not token.startswith("\\"):
            return token
        return self.command(token[1:].rstrip(" \n")) if token[1:2].isalpha() else self.sign(token[1])

    def sign(self, character: str) -> str:
        if character == "\\":
            if self.tokens[self.at].startswith("["):
                self.tokens[self.at] = self.tokens[self.at].partition("]")[2]
            return "\n"
        return {",": " ", " ": " ", "!": ""}.get(character, character)

    def command(self, name: str) -> str:
        if name in PRINTED:
            return PRINTED[name]
        if name in TRANSPARENT:
            return self.argument() + ("\n" if name == "title" else "")
        if name in HEADINGS:
            return f"{self.argument()}\n"
        if name in DROPPED:
            if name == "parbox":
                self.tokens[self.at] = self.tokens[self.at].removeprefix("[t]")
            for _ in range(DROPPED[name]):
                self.argument()
            return ""
        if name in ("begin", "end"):
            kind = self.argument()
            if name == "begin" and kind in ("tabular", "alignat*"):
                self.argument()
            return "\n"
        if name == "frac":
            return f"{self.argument()} ÷ {self.argument()}"
        if name == "sqrt":
            return f"√{self.argument()}"
        if name == "char":
            number, self.tokens[self.at] = self.tokens[self.at][:2], self.tokens[self.at][2:]
            return chr(int(number))
        if name == "workingsglyph":
            return chr(int(self.argument(), 16))
        if name in ("tabcolsep", "arraystretch", "parskip"):
            return ""
        raise AssertionError(f"a command that no target should write: {name}")

    def argument(self) -> str:
        token = self.tokens[self.at]
        while token == "":
            self.at += 1
            token = self.tokens[self.at]
        if token == "{":
            self.at += 1
            return self.until("}")
        if token.startswith("\\") or len(token) == 1:
            self.at += 1
            return self.one(token)
        self.tokens[self.at] = token[1:]
        return token[0]


def read_tex(drawn: str) -> str:
    preamble, found, body = drawn.partition("\\begin{document}")
    if found:
        title = next(line for line in preamble.splitlines() if line.startswith("\\title"))
        drawn = f"{title}\n{body}"
    shown = re.sub(r"\\providecommand.*\n.*\n", "", drawn)
    return _Tex(shown).until("")


READERS: dict[str, Callable[[str], str]] = {
    "text": read_text,
    "md": read_markdown,
    "tex": read_tex,
    "html": read_html,
}
