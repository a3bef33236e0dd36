"""BERT and RoBERTa: post-norm encoders with learned positions."""

from workings.models.family import Family

FAMILY = Family(
    name="BERT",
    kinds=("bert", "roberta", "xlm-roberta"),
    projections=("query", "key", "value"),
)
