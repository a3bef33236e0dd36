"""BERT and RoBERTa: post-norm encoders with learned positions."""

from workings.models.family import Block, Family, Kept

_PRODUCTS = {
    "Q": "attention.self.query",
    "K": "attention.self.key",
    "V": "attention.self.value",
    "O": "attention.output.dense",
    "1": "intermediate.dense",
    "2": "output.dense",
}
_NORMS = {
    "embedding_norm": "embeddings.LayerNorm",
    "norm1": "encoder.layer.{n}.attention.output.LayerNorm",
    "norm2": "encoder.layer.{n}.output.LayerNorm",
}
TENSORS = {
    "embedding_table": Kept("embeddings.word_embeddings.weight"),
    "position_table": Kept("embeddings.position_embeddings.weight"),
    "type_table": Kept("embeddings.token_type_embeddings.weight"),
    **{f"{norm}_gain": Kept(f"{module}.weight") for norm, module in _NORMS.items()},
    **{f"{norm}_bias": Kept(f"{module}.bias") for norm, module in _NORMS.items()},
    **{f"W_{x}": Kept(f"encoder.layer.{{n}}.{module}.weight", turned=True) for x, module in _PRODUCTS.items()},
    **{f"b_{x}": Kept(f"encoder.layer.{{n}}.{module}.bias") for x, module in _PRODUCTS.items()},
}
FAMILY = Family(
    name="BERT",
    kinds=("bert", "roberta", "xlm-roberta"),
    projections=("query", "key", "value"),
    block=Block("encoder.layer.{n}", "post-layer", TENSORS, speaks=False),
)
