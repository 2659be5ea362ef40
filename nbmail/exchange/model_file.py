"""Content of a model file of any format."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from nbmail.exchange.model_tables import ModelTables


@dataclass(frozen=True, slots=True, eq=False)
class ModelFile:
    """Tables of a model file, and what its format keeps of it.

    - `words`: number of its words. `ours` of them affect scores, `kept` are only stored for exports
      to the same filter.
    - `left_out`: words that the format can't store, if the file was written.
    - `parts`: class of each category of the filter, if they differ.
    - `is_estimated`: True if the numbers of messages are not in the file.
    """

    format: str
    tables: ModelTables
    words: int
    ours: int
    kept: int = 0
    left_out: int = 0
    parts: Mapping[str, str] = field(default_factory=dict)
    is_estimated: bool = False
