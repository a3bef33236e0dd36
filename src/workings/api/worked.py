"""What results made of arrays have besides: SVG, CSV and a workbook with live formulas."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any

from workings.api.shown import Shown

if TYPE_CHECKING:
    from workings.explaining.worked import Arrays


class WorkedArrays(Shown):
    """A result that is a trace or an array of one."""

    @property
    def formats(self) -> tuple[str, ...]:
        """What ``draw`` takes."""
        from workings.render.targets import ARRAYS, TARGETS

        return (*TARGETS, *ARRAYS, "json")

    @abstractmethod
    def arrays(self) -> Arrays:
        """The matrices of ``document()``, with what stands behind their numbers."""

    def draw(self, target: str, **style: Any) -> str | bytes:
        """The result in a target: one of ``render.targets.ARRAYS`` besides what ``Shown`` has."""
        from workings.render.targets import ARRAYS, draw_arrays

        if str(target) in ARRAYS:
            return draw_arrays(self.arrays(), target, self._view.language, **style)
        return super().draw(target, **style)

    def to_svg(self) -> str:
        """One figure of all matrices, their numbers as text on the colour of their value."""
        return self._text("svg")

    def to_csv(self) -> str:
        """One record for each number: its address, the words it stands at, as printed, as float64, exactly."""
        return self._text("csv")

    def to_xlsx(self) -> bytes:
        """A workbook in which every worked number is a formula."""
        drawn = self.draw("xlsx")
        if isinstance(drawn, str):
            raise TypeError("xlsx is no bytes")
        return drawn
