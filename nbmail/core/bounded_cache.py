"""A dictionary that computes missing values."""

from collections.abc import Callable
from typing import TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class BoundedCache(dict[Key, Value]):
    """Dictionary that computes missing values.

    It stores at most `most`, and only those that `stores` accepts.
    """

    def __init__(
        self,
        compute: Callable[[Key], Value],
        most: int,
        stores: Callable[[Key, Value], bool] = lambda key, value: True,
    ) -> None:
        super().__init__()
        self._compute = compute
        self._most = most
        self._stores = stores

    def __missing__(self, key: Key) -> Value:
        value = self._compute(key)
        if len(self) < self._most and self._stores(key, value):
            self[key] = value
        return value
