"""Secrets in the system's keyring, long ones in parts."""

from contextlib import suppress

import keyring
from keyring.errors import KeyringError

from nbmail.errors import ErrorCode, KnownError

SERVICE = "nbmail"
PARTS = "nbmail-parts:"
LONGEST_PART = 1000

# Errors of a configured keyring that can't be loaded: it counts as missing.
NO_KEYRING = (KeyringError, ImportError, AttributeError, ValueError, RuntimeError)


def load_secret(entry: str) -> str | None:
    """Return a secret of the keyring; None if it is missing or incomplete.

    Raise `KnownError(KEYRING_FAILED)` for an error of a keyring that is there.
    """
    try:
        found = keyring.get_password(SERVICE, entry)
        if found is None or not found.startswith(PARTS):
            return found
        parts = [keyring.get_password(SERVICE, name) for name in _part_names(entry, found)]
    except NO_KEYRING:
        return None
    except OSError as error:
        raise KnownError(ErrorCode.KEYRING_FAILED, str(error)) from error
    return None if None in parts else "".join(part for part in parts if part is not None)


def store_secret(entry: str, secret: str) -> bool:
    """Store a secret in the keyring, in numbered parts if it is long.

    Return False if there is no usable keyring.

    Windows refuses entries of more than 1,280 characters. The header with the number of parts is
    written last and deleted first, so that an incomplete secret is never read. Raise
    `KnownError(KEYRING_FAILED)` for an error of a keyring that is there.
    """
    starts = range(0, len(secret), LONGEST_PART)
    parts = [secret[start : start + LONGEST_PART] for start in starts]
    try:
        _delete(entry, only_parts=True)
        if len(parts) > 1:
            header = f"{PARTS}{len(parts)}"
            for name, part in zip(_part_names(entry, header), parts, strict=True):
                keyring.set_password(SERVICE, name, part)
            keyring.set_password(SERVICE, entry, header)
        else:
            keyring.set_password(SERVICE, entry, secret)
    except NO_KEYRING:
        return False
    except OSError as error:
        raise KnownError(ErrorCode.KEYRING_FAILED, str(error)) from error
    return True


def delete_secret(entry: str) -> None:
    """Delete a secret and its parts, if there is a usable keyring."""
    with suppress(*NO_KEYRING, OSError):
        _delete(entry)


def _delete(entry: str, *, only_parts: bool = False) -> None:
    """Delete a secret and its parts.

    With `only_parts`, leave a secret that is stored in one entry.
    """
    found = keyring.get_password(SERVICE, entry) or ""
    has_parts = found.startswith(PARTS)
    if has_parts or not only_parts:
        keyring.delete_password(SERVICE, entry)
    if has_parts:
        for name in _part_names(entry, found):
            keyring.delete_password(SERVICE, name)


def _part_names(entry: str, header: str) -> list[str]:
    count = header.removeprefix(PARTS)
    if not count.isdigit():
        return []
    return [f"{entry} part {number}" for number in range(int(count))]
