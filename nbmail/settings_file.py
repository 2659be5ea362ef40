"""Settings as a JSON file, written atomically."""

from __future__ import annotations

import json
import types
import typing
from dataclasses import asdict, fields, is_dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from nbmail.errors import ErrorCode, KnownError
from nbmail.method_spec import is_method
from nbmail.private_files import replacing
from nbmail.settings import LEAST_OF_MESSAGE, Settings

FORMAT = 1
# Limits that every system can represent.
_BOUNDS = {
    "port": (0, 65_535),
    "poll_seconds": (0.01, 1e7),
    "largest_message": (1, 1 << 40),
    "spam_seen_per_lost": (0, 1e12),
    "missed_spam_cost": (0, 1e12),
    "unsure_cost": (0, 1e12),
    "unsure_spam_cost": (0, 1e12),
    "cache_megabytes": (0, 1 << 40),
    "sorting_loss": (0.0001, 1),
    "tinted_words": (0, 400),
}


# Errors of files that contain something else.
_NOT_SETTINGS = (
    ValueError,
    KeyError,
    TypeError,
    AttributeError,
    OverflowError,
    RecursionError,
)


def load_settings(path: Path) -> Settings:
    """Return the stored settings, and the default ones without a file."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return Settings()
    except (OSError, UnicodeDecodeError) as error:
        raise KnownError(ErrorCode.BAD_INPUT, f"{path}: {error}") from error
    try:
        table = json.loads(text, parse_constant=_refuse_constant)
        if table.pop("format") > FORMAT:
            raise KnownError(ErrorCode.SETTINGS_TOO_NEW, str(path))
        return _settings(table)
    except _NOT_SETTINGS as error:
        raise KnownError(ErrorCode.BAD_INPUT, f"{path}: {error}") from error


def save_settings(path: Path, settings: Settings) -> None:
    """Store the settings atomically. Raise `KnownError` if that fails."""
    text = json.dumps({"format": FORMAT, **asdict(settings)}, indent=2, ensure_ascii=False)
    try:
        with replacing(path) as new:
            new.write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise KnownError(ErrorCode.READ_ONLY, f"{path}: {error.strerror}") from error


def _settings(table: Any) -> Settings:
    """Convert the content of a file. Raise an error of `_NOT_SETTINGS` if it is invalid."""
    for account in table.get("accounts", ()):
        # Accounts of versions without suggestions. "*": all of the user's own folders.
        account.setdefault("suggested_folders", ["*"] if account.get("host") else [])
    settings = typing.cast(Settings, _build(Settings, table))
    if not is_method(settings.method):
        raise ValueError(f"there is no way of learning named {settings.method!r}")
    return settings


def _refuse_constant(name: str) -> Any:
    """Raise an error for NaN and Infinity, which Python's JSON parser accepts."""
    raise ValueError(f"{name} is no number")


def _build(kind: Any, value: Any) -> Any:
    """Convert a JSON value to the annotated type. Raises TypeError or ValueError."""
    if is_dataclass(kind):
        return _build_dataclass(kind, value)
    origin = typing.get_origin(kind)
    inner = typing.get_args(kind)
    if origin is tuple:
        if not isinstance(value, list):
            raise TypeError(f"a list was expected, not {value!r}")
        return tuple(_build(inner[0], entry) for entry in value)
    if origin is types.UnionType:
        return None if value is None else _build(inner[0], value)
    return _plain(kind, value)


def _build_dataclass(kind: Any, value: Any) -> Any:
    """Convert a JSON object. Unknown entries are ignored, missing ones have default values."""
    if not isinstance(value, dict):
        raise TypeError(f"an object was expected, not {value!r}")
    hints = typing.get_type_hints(kind)
    entries: dict[str, Any] = {}
    for field in fields(kind):
        if field.name in value:
            entries[field.name] = _build(hints[field.name], value[field.name])
    for name in entries.keys() & _BOUNDS.keys():
        least, most = _BOUNDS[name]
        if not least <= entries[name] <= most:
            raise ValueError(f"{name} is beyond its bounds")
    if "largest_message" in entries:
        entries["largest_message"] = max(entries["largest_message"], LEAST_OF_MESSAGE)
    return kind(**entries)


def _plain(kind: type, value: Any) -> Any:
    """Return a value that isn't composed of others. Raise TypeError for another type."""
    if issubclass(kind, StrEnum):
        return kind(value)
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if type(value) is not kind:
        raise TypeError(f"{kind.__name__} was expected, not {value!r}")
    return value
