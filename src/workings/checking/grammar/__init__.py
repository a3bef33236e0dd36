"""From a ``Paper`` to what its mathematics says: ``statements(paper)``.

A ``Statement`` holds a chain of equalities or a value that stands for itself. Where the words before it are its left
side (``sum ≈ 6.8``, ``row 1 = [1, 0]``), its first link has that relation. A name that a colon parts from its value
gives the relation ``:=``. ``heading`` is the nearest heading, a step's line or a line that ends in a colon counting as
one; ``above`` holds the headings over it, the nearest first. ``Call`` may also be ``deg`` (degrees), and any function
under the name that the document gives it.

What holds numbers and was not understood is ``Unread`` with one of the reasons in ``REASONS``:

``not-parsed``       no expression of this grammar
``no-equality``      a comparison or a membership (``<``, ``∈``)
``ragged``           rows of unequal length
``ellipsis-matrix``  a matrix with cells left out
``ellipsis``         an ellipsis where an operand should stand
``too-deep``         nested too deep, or a sum of too many terms
``too-long``         a stretch or a number longer than anybody prints
``aligned-inside``   aligned rows inside an expression
``range``            two numbers with a dash between them
``bare-integer``     a whole number in running text that nothing names
"""

from workings.checking.grammar.document import statements

REASONS = (
    *("not-parsed", "no-equality", "ragged", "ellipsis-matrix", "ellipsis"),
    *("too-deep", "too-long", "aligned-inside", "range", "bare-integer"),
)

__all__ = ["REASONS", "statements"]
