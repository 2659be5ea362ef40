"""Merging of models by a program that uses the default method."""

from nbmail.exchange import merging
from nbmail.method_spec import DEFAULT
from nbmail.worker.model.model_import import average_of


def merge(mine, other):
    return merging.merge(mine, other, DEFAULT, average_of)
