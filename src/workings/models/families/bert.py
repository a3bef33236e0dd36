"""BERT and RoBERTa: post-norm encoders with learned positions, with or without a head of masked words."""

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
_TRANSFORM = "cls.predictions.transform"
_LEGACY = {"weight": "gamma", "bias": "beta"}  # as BERT's first files name what a norm learns


def _norm(norm: str, module: str, *also: str) -> dict[str, Kept]:
    """The gain and the bias of a norm."""
    return {
        f"{norm}_{ours}": Kept(
            f"{module}.{theirs}", also=(f"{module}.{_LEGACY[theirs]}", *(f"{other}.{theirs}" for other in also))
        )
        for ours, theirs in (("gain", "weight"), ("bias", "bias"))
    }


_HEAD = {
    "W_transform": Kept(f"{_TRANSFORM}.dense.weight", turned=True, also=("lm_head.dense.weight",)),
    "b_transform": Kept(f"{_TRANSFORM}.dense.bias", also=("lm_head.dense.bias",)),
    **_norm("transform_norm", f"{_TRANSFORM}.LayerNorm", "lm_head.layer_norm"),
    "W_U": Kept("cls.predictions.decoder.weight", also=("lm_head.decoder.weight",)),
    "b_U": Kept("cls.predictions.decoder.bias", also=("lm_head.decoder.bias", "cls.predictions.bias", "lm_head.bias")),
}
TENSORS = {
    "embedding_table": Kept("embeddings.word_embeddings.weight"),
    "position_table": Kept("embeddings.position_embeddings.weight"),
    "type_table": Kept("embeddings.token_type_embeddings.weight"),
    **{name: kept for norm, module in _NORMS.items() for name, kept in _norm(norm, module).items()},
    **{f"W_{x}": Kept(f"encoder.layer.{{n}}.{module}.weight", turned=True) for x, module in _PRODUCTS.items()},
    **{f"b_{x}": Kept(f"encoder.layer.{{n}}.{module}.bias") for x, module in _PRODUCTS.items()},
    **_HEAD,
}
FAMILY = Family(
    name="BERT",
    kinds=("bert", "roberta", "xlm-roberta"),
    projections=("query", "key", "value"),
    block=Block("encoder.layer.{n}", "post-layer", TENSORS, transform_act={"roberta": "gelu", "xlm-roberta": "gelu"}),
)
