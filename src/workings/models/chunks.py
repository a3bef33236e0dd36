"""A long text in chunks: what earlier chunks leave to look at, keys and values, waits on the disk, layer by layer.

Each chunk of queries looks at all keys up to its own, as in one pass; what is in memory is one chunk, and the keys and
values of one layer.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import IO, Any

from workings.models.store import Store
from workings.terms.files import writing

LONG = 2048  # tokens from which on a text is run in chunks, where the model can
CHUNK = 1024


def chunked(model: Any) -> bool:
    """Whether queries of a model look at earlier keys alone, and those are all it keeps of earlier tokens."""
    attending = [module.is_causal for module in model.modules() if hasattr(module, "is_causal")]
    own = not model.config.is_encoder_decoder and getattr(model.config, "text_config", None) is None
    return own and bool(attending) and all(attending)


def chunk_of(asked: int | None, tokens: int, *, possible: bool) -> int | None:
    """How many tokens are run at once; None for all of them.

    Args:
        asked: by the user: 0 for all at once, None where nothing was said. The choice depends on the text's length
            alone, so that the same command writes the same bytes.
    """
    size = (CHUNK if possible and tokens > LONG else 0) if asked is None else asked
    return size if 0 < size < tokens else None


@contextmanager
def kept_on_disk(store: Store, tokens: int) -> Iterator[Any]:
    """A cache for a model of transformers that holds no keys or values in memory.

    Args:
        store: beside whose files its own stand; these have no names there, and are gone with the process.
        tokens: how many there will be at the most.

    The model raises ``FileUnwritable`` where there is no room for them.
    """
    import torch
    from transformers.cache_utils import Cache, DynamicLayer

    with ExitStack() as files:

        class OnDisk(DynamicLayer):  # type: ignore[no-untyped-call]
            """The keys and values of one layer: heads × tokens × width each, in a file."""

            def __init__(self, **how: Any) -> None:
                super().__init__(**how)  # type: ignore[no-untyped-call]
                self.seen, self.files = 0, list[IO[bytes]]()

            def lazy_initialization(self, key_states: Any, value_states: Any) -> None:
                with writing(store.folder):
                    self.files = [tempfile.TemporaryFile(dir=store.partial) for _ in range(2)]  # noqa: SIM115
                for file in self.files:
                    files.callback(_close, file)
                self.is_initialized = True

            def update(self, key_states: Any, value_states: Any, *more: Any, **how: Any) -> tuple[Any, Any]:
                if not self.is_initialized:
                    self.lazy_initialization(key_states, value_states)
                start, self.seen = self.seen, self.seen + key_states.shape[2]
                pairs = zip(self.files, (key_states, value_states), strict=True)
                keys, values = (self._grown(file, states, start) for file, states in pairs)
                return keys, values

            def _grown(self, file: IO[bytes], states: Any, start: int) -> Any:
                _, heads, _, width = states.shape
                whole = torch.empty((1, heads, self.seen, width), dtype=states.dtype)
                whole[:, :, start:] = states
                each = width * states.element_size()
                with writing(store.folder):
                    for head, part in enumerate(whole[0].view(torch.uint8).numpy()):
                        file.seek(head * tokens * each)
                        file.readinto(part[:start].data)  # type: ignore[attr-defined]
                        file.write(part[start:].data)
                    file.flush()
                return whole

            def get_seq_length(self) -> int:
                return self.seen

            def get_mask_sizes(self, query_length: int) -> tuple[int, int]:
                return self.seen + query_length, 0

        yield Cache(layer_class_to_replicate=OnDisk)


def _close(file: IO[bytes]) -> None:
    """What could not be written is needed no more."""
    with suppress(OSError):
        file.close()
