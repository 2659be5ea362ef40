from collections.abc import Mapping
from typing import TypeVar

VERSION: int

Tag = TypeVar("Tag")

def split_headers(text: str, names: Mapping[str, str], most: int, /) -> list[tuple[str, str]] | None: ...
def strip_tags(
    source: str, tags: Mapping[str, Tag], most: int, /
) -> tuple[str, dict[str, Tag], int, list[tuple[Tag, str]]] | None: ...
def weigh_text(text: str, /) -> tuple[int, int, int, int, int] | None: ...
