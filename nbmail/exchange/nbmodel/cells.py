"""Cells of words and names, protected from spreadsheets that would run them as formulas."""

RUN_BY_SPREADSHEETS = tuple("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20")
"""First characters of cells that a spreadsheet may run as a formula."""
_PROTECTED = "'"


def protected(text: str) -> str:
    """Return a word or name as a cell that a spreadsheet doesn't run."""
    if text.startswith((*RUN_BY_SPREADSHEETS, _PROTECTED)):
        return _PROTECTED + text
    return text


def unprotected(cell: str) -> str:
    """Return the text from which `protected` made the cell."""
    return cell.removeprefix(_PROTECTED)
