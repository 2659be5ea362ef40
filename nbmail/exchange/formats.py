"""All formats behind one door: found by content or by name, read, and written."""

from collections.abc import Generator, Iterable
from pathlib import Path
from typing import BinaryIO

from nbmail.errors import KnownError, Trouble
from nbmail.exchange.bogofilter import Bogofilter
from nbmail.exchange.files import open_file, writing_file
from nbmail.exchange.format_names import OWN
from nbmail.exchange.model_tables import ModelTables
from nbmail.exchange.nbmodel import UNSOUND, reading_model, writing_model
from nbmail.exchange.popfile import Popfile
from nbmail.exchange.refused import reason_against
from nbmail.exchange.spamassassin import SpamAssassin
from nbmail.exchange.spambayes import SpamBayes
from nbmail.exchange.thunderbird import Thunderbird, ThunderbirdTraits
from nbmail.exchange.token_counts import FileFormat, ModelFile, TokenCounts, giving_out, taking_up

_LAYOUTS = {
    layout.name: layout
    for layout in (Bogofilter(), SpamAssassin(), SpamBayes(), Thunderbird(), ThunderbirdTraits(), Popfile())
}
_START = 4096


def reading_file(path: Path, name: str = "", own: Iterable[str] = ()) -> Generator[None, None, ModelFile]:
    """Read a model file of this format, by its content where none is named, in pieces. `own` are all words known here.

    Whatever can't be read is refused with the reason, and nothing of it is taken.
    """
    with open_file(path) as file:
        try:
            start = file.read(_START)
            file.seek(0)
            return (yield from _reading(file, name or _recognised(path, start), own))
        except UnicodeDecodeError as error:
            raise KnownError(Trouble.BAD_MODEL_FILE, f"{path}: its words are not UTF-8") from error
        except OSError as error:
            raise KnownError(Trouble.BAD_INPUT, f"{path}: {error.strerror or error}") from error
        except UNSOUND as error:
            raise KnownError(Trouble.BAD_MODEL_FILE, f"{path}: {error}") from error


def _recognised(path: Path, start: bytes) -> str:
    """The name of the format that a file which begins like this has."""
    if start.startswith(b"PK"):
        return OWN
    if reason := reason_against(path, start):
        raise ValueError(reason)
    found = [name for name, layout in _LAYOUTS.items() if layout.recognises(start)]
    if not found:
        raise ValueError("nothing in it tells which filter it is from")
    return found[0]


def _reading(file: BinaryIO, name: str, own: Iterable[str]) -> Generator[None, None, ModelFile]:
    if name == OWN:
        tables = yield from reading_model(file)
        return ModelFile(OWN, tables, len(tables.words), len(tables.words))
    layout = _LAYOUTS[name]
    counts = yield from layout.reading(file)
    return (yield from taking_up(layout, counts, own))


def writing_model_file(
    path: Path, tables: ModelTables, name: str = "", now: float = 0.0
) -> Generator[None, None, ModelTables]:
    """Write a model in this format, ours where none is named; what of it stands in the file, as it is read there."""
    if name in ("", OWN):
        yield from writing_model(path, tables)
        return tables
    layout = _LAYOUTS[name]
    classes = layout.classes or tables.classes
    counts = yield from giving_out(layout, tables, classes)
    yield from writing_file(path, lambda file: _writing(layout, file, counts, now))
    return (yield from reading_file(path, name, tables.words)).tables


def _writing(layout: FileFormat, file: BinaryIO, counts: TokenCounts, now: float) -> Generator[None, None, None]:
    for piece in layout.writing(counts, now):
        file.write(piece)
        yield
