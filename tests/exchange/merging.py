"""Merging of models by a program that uses the default method."""

from nbmail.exchange import conversion
from nbmail.method_spec import DEFAULT
from nbmail.worker.model.import_export import average_of


def merge(mine, other):
    return conversion.merge(mine, other, DEFAULT, average_of)
