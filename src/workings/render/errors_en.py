"""English sentences of errors, and the words that targets need; ``errors_zh.py`` holds the same keys and fields.

``error.<code>`` is said with the error's values; ``….without-<field>`` where that field is empty. A value that is a
key itself is said by ``error.<field>.<value>``.
"""

from __future__ import annotations

WORDS: dict[str, str] = {
    # what targets need
    "target.list.comma": ", ",
    "target.list.and": " and ",
    "target.list.more": "{parts}, … ({count} in all)",
    "target.quote": "“{text}”",
    "target.where": "{where}: {said}",
    "target.line": "line {line}",
    "target.label": "{label}: ",
    "target.label.comma": ", ",
    "target.sentences": " ",
    "target.caption": "{symbol} ({address}):",
    "target.caption.plain": "{address}:",
    "target.column-note": "({note})",
    "target.notes": "meaning",
    # addresses
    "error.bad-address": "{text} is not an address: it stops making sense at character {position} (counted from 0). "
    'Addresses look like weight[2,0], L3.H7.score[5,2] or weight["it","cat"].',
    "error.unknown-array": "There is no array {name} here. Choose one of {known}.",
    "error.unknown-array.without-known": "There is no array {name} here.",
    "error.wrong-index-count": "{address} has the axes {axes} and needs one index for each; {seen} were given.",
    "error.wrong-index-count.without-axes": "{address} is a single number and takes no index; {seen} were given.",
    "error.index-outside": "{seen} is outside {address}: its axis {axis} has {size} places, counted from 0.",
    "error.unknown-token": "There is no token “{token}” along this axis. Choose one of {known}.",
    "error.unknown-token.without-known": "“{token}” cannot stand for an index here: this axis has no tokens. "
    "Write a number, counted from 0.",
    "error.token-not-unique": "The token “{token}” stands at the positions {positions} (counted from 0). "
    "Say which one is meant with #1, #2 … after its quotation marks, or write the position.",
    "error.whole-row-not-cell": "{address} names a whole row and not one number. Write an index in place of the colon.",
    # examples
    "error.unknown-example": "There is no built-in example {name}, and no file of that name. Choose one of {known}, or "
    "give the path of a TOML or JSON file.",
    "error.unknown-example.without-known": "There is no built-in example {name}, and no file of that name. Give the path "
    "of a TOML or JSON file.",
    "error.unknown-field": "The field {field} is not known here. Did you mean one of {known}?",
    "error.unknown-field.without-known": "The field {field} is not known here. Take it out.",
    "error.misplaced-field": "{field} stands in the wrong table: it belongs {home}.",
    "error.home.top": "at the top of the example, before the first table",
    "error.home.inputs": "in [inputs]",
    "error.home.attention": "in [attention]",
    "error.home.block": "in [block]",
    "error.missing-field": "{field} is missing: {why}.",
    "error.why.given-or-made": "give it as it is, or give X (or an embedding) and the weights that make it",
    "error.why.cross": "with key_tokens the keys and values come from other tokens; give key_tokens and context, their "
    "vectors",
    "error.why.size": "its length does not follow from the arrays that are given; give it, or one more array that has it",
    "error.why.feed-forward": "the feed-forward asked for in [block] needs this matrix; give it, or set ffn to none",
    "error.why.next-layer": "without values a layer hands nothing on, so there can be no next one; give V or W_V, or set "
    "layers to 1",
    "error.why.pre-norm": "a norm before attention needs the vectors that enter the block",
    "error.why.sinusoidal": "a sinusoidal position is added to the embedding; give an embedding, or set position to none",
    "error.why.residual": "a residual adds what entered the block; give X or an embedding, or set residual to false",
    "error.why.tokens": 'every example needs its words, e.g. tokens = ["the", "cat"]',
    "error.why.past": "a cache holds the keys and the values of earlier tokens, both K and V",
    "error.why.seed": "an array drawn from a seed needs its size, and nothing that is given says it; write it in "
    "[attention]",
    "error.wrong-type": "{seen} stands where {expected} should stand.",
    "error.wrong-type.without-seen": "Here should stand {expected}.",
    "error.expected.table": "a table",
    "error.expected.text": "a text between quotation marks",
    "error.expected.number": "a number",
    "error.expected.list-of-texts": "a list of texts",
    "error.expected.list-of-tables": "a list of tables ([[layer]] for each layer)",
    "error.expected.list-of-numbers": "a list of numbers",
    "error.expected.matrix": "a matrix (a list of rows, none of them empty)",
    "error.expected.row": "a row (a list of numbers, not empty)",
    "error.expected.true-or-false": "true or false",
    "error.expected.whole-number": "a whole number, 0 or more",
    "error.expected.positive-whole-number": "a whole number, 1 or more",
    "error.expected.seed": "a whole number from 1 to 2147483646",
    "error.expected.embedding": "an embedding table (a vector for each word), a matrix or a list of vectors",
    "error.expected.zero-or-one": "0 (may not look) or 1 (may look)",
    "error.unknown-choice": "{seen} is not one of the choices here: {choices}.",
    "error.bad-number": "{seen} cannot be read as a number that fits here. Write 0.5, -2, 1/3, 1e-5, sqrt(2) or ln(2).",
    "error.not-finite": "{seen} cannot stand here: infinities and NaN are no numbers to reckon with. -inf may stand in "
    "score and bias only.",
    "error.not-positive": "{seen} cannot stand here: it must be {least}. Write 0.5 or 1e-5, for example.",
    "error.least.above-zero": "above 0",
    "error.least.zero": "0 or above",
    "error.ragged-matrix": "Row {row} (counted from 0) holds {seen}, but the rows before it hold {expected}. "
    "All rows of a matrix are equally long.",
    "error.shape-mismatch": "{name} is {shape}, so {axis} would be {size}; it is {expected} by {because}. "
    "Change one of the two.",
    "error.shape-mismatch.without-shape": "By {name}, {axis} would be {size}; it is {expected} by {because}. "
    "Change one of the two.",
    "error.because.recipe": "the recipe",
    "error.wrong-rank": "{name} is {shape}, but its axes are {axes}: one level of lists for each axis.",
    "error.wrong-rank.without-shape": "{name} is a single number, but its axes are {axes}: one level of lists for each "
    "axis.",
    "error.wrong-rank.without-axes": "{name} is {shape}, but should be a single number.",
    "error.wrong-rank.without-shape.without-axes": "{name} should be a single number.",
    "error.word-not-in-table": "The word “{word}” is not in the embedding table, which holds {known}. Add its vector, or "
    "spell it as there.",
    "error.word-not-in-table.without-known": "The word “{word}” is not in the embedding table, which is empty. Add its "
    "vector.",
    "error.empty-sequence": "There is not one token. Write at least one.",
    "error.heads-not-grouped": "{heads} heads cannot share {n_kv_heads} key/value heads equally. "
    "heads must be a multiple of n_kv_heads.",
    "error.odd-rotary-width": "Rotary position turns dimensions in pairs, but d_k is {d_k}, an odd number. "
    "Make d_k even, or set position to none.",
    "error.too-large": "{what}: {seen} are asked for, {limit} are the most here. They would take about {needed} of memory. "
    "Make the example smaller.",
    "error.too-large.without-needed": "{what}: {seen}, but {limit} is the most here. Make it smaller.",
    "error.what.cells": "Numbers in all arrays together",
    "error.what.number": "Digits of a number",
    "error.what.tokens": "Tokens",
    "error.what.heads": "Heads",
    "error.what.layers": "Layers",
    "error.what.window": "Tokens in the window",
    "error.what.position": "Position",
    "error.too-deep": "Lists or tables stand inside each other more than {limit} levels deep. An example needs no more "
    "than three.",
    "error.divide-by-zero": "{address} would divide by 0. Look at the number it divides by.",
    "error.divide-by-zero.without-address": "A cell would divide by 0. Look at the number it divides by.",
    "error.outside-domain": "{address} would take {operation}, which has no value. Look at the numbers it is made from.",
    "error.outside-domain.without-address": "A cell would take {operation}, which has no value. Look at the numbers that "
    "are given.",
    "error.outside-domain.without-operation": "{address} has no value that could be worked out. Look at the numbers it is "
    "made from.",
    "error.outside-domain.without-address.without-operation": "A cell has no value that could be worked out. Look at the "
    "numbers that are given.",
    "error.exponent-too-large": "{address} would raise e to a power above {limit}. Make the scores smaller, or set softmax "
    "to shifted.",
    "error.exponent-too-large.without-address": "A cell would raise e to a power above {limit}. Make the numbers smaller.",
    "error.operation.ln": "the logarithm of a negative number",
    "error.operation.√": "the square root of a negative number",
    "error.operation.sin": "the sine of an infinity",
    "error.operation.cos": "the cosine of an infinity",
    "error.field-conflict": "{field} and {other} cannot both stand: {why}.",
    "error.why.both": "each of them says what enters the block; keep one",
    "error.why.rope-cross": "rotary position counts along one sequence, and cross-attention has two; leave one out",
    "error.why.given-before": "{field} is given as it enters the dot product, where nothing is turned or put behind a "
    "cache any more; give the weights instead, or leave {other} out",
    "error.why.given-per-layer": "with several layers each makes its own {field}; give the weights instead, or set layers "
    "to 1",
    "error.why.not-rope": "the position is not rope; set position to rope, or leave the table out",
    "error.why.count": "their numbers differ; write one [[layer]] for each layer",
    "error.unused-field": "{field} is given, but no step reads it. Take it out, or ask in [attention] or [block] for "
    "what needs it.",
    "error.not-unicode": "{seen} holds half a character (a lone surrogate), which no text can hold. Write the whole "
    "character.",
    # files
    "error.file-missing": "There is no file {path}. Check its name and folder.",
    "error.file-unreadable": "{path} cannot be read: {reason}.",
    "error.file-unwritable": "{path} cannot be written: {reason}. Choose another place with -o.",
    "error.reason.Permission denied": "permission denied",
    "error.reason.Is a directory": "it is a folder",
    "error.reason.Not a directory": "a part of its path is not a folder",
    "error.reason.No such file or directory": "its folder does not exist",
    "error.reason.No space left on device": "the disk is full",
    "error.reason.closed": "nobody reads it any more",
    "error.not-text": "{path} is not UTF-8 text: the byte at offset {offset} (counted from 0) does not fit. Save it as "
    "UTF-8.",
    "error.not-text.without-path": "The input is not UTF-8 text: the byte at offset {offset} (counted from 0) does not "
    "fit. Save it as UTF-8.",
    "error.not-parsed": "{path}, line {line}, is neither TOML nor JSON that can be read: {reason}.",
    "error.not-parsed.without-path": "Line {line} is neither TOML nor JSON that can be read: {reason}.",
    "error.duplicate-key": "{path}, line {line}: {key} stands twice in one table. Keep one of the two.",
    "error.duplicate-key.without-path": "Line {line}: {key} stands twice in one table. Keep one of the two.",
    "error.file-too-large": "{path} holds {size}; {limit} is the most for an example.",
    "error.file-too-large.without-path": "The input holds {size}; {limit} is the most for an example.",
    "error.missing-extra": "{feature} needs packages that are not installed. Get them with: "
    "pip install 'workings[{extra}]'",
    # dumps of tensors
    "error.unsafe-file": "{path} is {kind} and was not opened. Write the tensors as .safetensors or .npz.",
    "error.kind.pickle": "a Python pickle, which can run any code when it is read,",
    "error.kind.torch": "a PyTorch archive, which holds a pickle and can run any code when it is read,",
    "error.kind.gguf": "a GGUF model",
    "error.kind.hdf5": "an HDF5 file",
    "error.kind.npy": "a single .npy array, which does not say what it is,",
    "error.kind.archive": "a zip archive without arrays",
    "error.kind.objects": "an array of Python objects, which can run any code when it is read,",
    "error.not-tensors": "{path} is neither .safetensors nor .npz: its first bytes fit neither.",
    "error.bad-tensor-file": "{path} is damaged or forged at byte {offset}: {flaw}.",
    "error.flaw.short": "the file ends too early",
    "error.flaw.header-length": "the length of its header does not fit into the file",
    "error.flaw.header-utf8": "its header is not UTF-8",
    "error.flaw.header-json": "its header is not JSON that can be read",
    "error.flaw.header-deep": "its header has lists inside lists without end",
    "error.flaw.header-table": "its header is not a table of tensors",
    "error.flaw.duplicate": "a name stands twice",
    "error.flaw.metadata": "its metadata holds something other than texts",
    "error.flaw.dtype": "a tensor is of a type that is not known here",
    "error.flaw.shape": "a shape holds something other than whole numbers from 0 to 2^63 − 1",
    "error.flaw.offsets": "a tensor lies outside the data, or ends before it begins",
    "error.flaw.size": "the size of a tensor is not that of its type and shape",
    "error.flaw.overlap": "two tensors lie on the same bytes",
    "error.flaw.hole": "bytes between two tensors belong to none",
    "error.flaw.trailing": "bytes after the last tensor belong to none",
    "error.flaw.zip": "its directory cannot be read",
    "error.flaw.member-name": "a member has a name that is no plain name of an array",
    "error.flaw.encrypted": "a member is encrypted",
    "error.flaw.compression": "a member is compressed in a way that is not known here",
    "error.flaw.checksum": "a member's checksum does not fit its bytes",
    "error.flaw.npy-header": "the header of an array cannot be read",
    "error.flaw.options": "the options are not JSON that can be read",
    "error.tensor-file-too-large": "{path}: {counted}: {seen}, but {limit} is the most here.",
    "error.counted.header": "Bytes of its header",
    "error.counted.tensors": "Tensors",
    "error.counted.unpacked": "Bytes after unpacking",
    "error.counted.ratio": "Bytes unpacked for each one stored",
    "error.counted.options": "Bytes of the options",
    "error.missing-tensor": "{name} is missing. A dump holds Q, K and V, or score, and what a kernel made of them.",
    "error.nothing-to-compare": "There is nothing to compare: besides its inputs a dump holds at least one of {known}.",
    "error.tensor-type": "{name} is {seen}, and should hold floating-point numbers (a mask: true or false).",
    "error.tensor-shape": "{name} is {shape}, so {axis} would be {size}; it is {expected} by {other}.",
    "error.tensor-rank": "{name} is {shape}, but its axes are {axes}.",
    "error.tensor-rank.without-shape": "{name} is a single number, but its axes are {axes}.",
    "error.tensor-rank.without-axes": "{name} is {shape}, but should be a single number.",
    "error.unknown-option": "There is no option {option} in a dump. Choose one of {known}.",
    "error.unknown-option.without-known": "There is no option {option} in a dump.",
    "error.bad-option": "The option {option} cannot be {seen}. It is one of {choices}.",
    "error.options-not-read": "The options cannot be read: {flaw}.",
}
