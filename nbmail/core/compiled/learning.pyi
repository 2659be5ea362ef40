from collections.abc import Sequence
from typing import Any

VERSION: int

def learn(*tables: Any) -> Sequence[int]: ...
