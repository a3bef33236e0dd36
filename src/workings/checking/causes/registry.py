"""The one list of causes, in the order in which they are tried."""

from __future__ import annotations

from collections.abc import Mapping

from workings.checking.causes.cause import Cause
from workings.checking.causes.masks import MASKS
from workings.checking.causes.online import ONLINE
from workings.checking.causes.patterns import PATTERNS
from workings.checking.causes.positions import POSITIONS
from workings.checking.causes.scores import SCORES
from workings.checking.causes.softmaxes import SOFTMAXES
from workings.checking.causes.stages import STAGES

CAUSES: tuple[Cause, ...] = (*PATTERNS, *SCORES, *MASKS, *SOFTMAXES, *POSITIONS, *ONLINE, *STAGES)
BY_ID: Mapping[str, Cause] = {cause.id: cause for cause in CAUSES}
