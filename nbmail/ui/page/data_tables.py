"""Tables of a page: those of data, which stay tables, and those for layout."""

from collections.abc import Iterator, Sequence

from nbmail.ui.page.page_tree import Element

MOST_COLUMNS = 10
LONGEST_CELL = 120
MOST_LINES = 3
MOST_TITLES = 2
"""Bounds of tables of data: columns, letters and lines of a cell, rows with one cell."""
WIDEST_TABLE = 110
WIDEST_RULED = 180
"""Maximum letters of a row, and of one in a table with a border or headings."""
LONGEST_PART = 60
LONGEST_LINE = 100
"""Maximum letters of a cell that becomes part of a line, and of that line."""
LONGEST_MARKER = 3
"""Maximum letters of a list marker that is a cell of a table."""
Cells = list[Element]


def rows_of(table: Element) -> Iterator[Element]:
    """Yield the visible rows, and other contents of the table."""
    for child in table.elements():
        if child.name in ("tbody", "thead", "tfoot"):
            yield from rows_of(child)
        elif child.name != "caption" and not child.hides:
            yield child


def cells_of(row: Element) -> Iterator[Element]:
    """Return the cells of a row. Contents outside of rows and cells form one cell."""
    return row.elements() if row.name == "tr" else iter((row,))


def is_line(cells: Cells) -> bool:
    """True for short cells, such as a label and an amount, or a list marker and its text."""
    if len(cells) < 2 or any(cell.lines > 1 for cell in cells):
        return False
    if len(cells) == 2 and cells[0].letters <= LONGEST_MARKER:
        return True
    letters = [cell.letters for cell in cells]
    return max(letters) <= LONGEST_PART and sum(letters) <= LONGEST_LINE


class DataTable:
    """Rows of a table without nested tables, and what suggests that they are data."""

    def __init__(self, table: Element, rows: Sequence[Element]) -> None:
        self._table = table
        rows_with_cells = [list(cells_of(row)) for row in rows]
        self._columns = max(map(len, rows_with_cells), default=0)
        self._filled = [[cell for cell in row if cell.letters] for row in rows_with_cells]
        self._full = [row for row in self._filled if len(row) > 1]
        self._titles = sum(len(row) == 1 for row in self._filled)
        self._cells = [cell for row in self._full for cell in row]

    @property
    def count(self) -> int:
        """Number of cells in rows with several of them."""
        return len(self._cells)

    @property
    def is_data(self) -> bool:
        """True for a table of short cells with a header, a border, or three columns and rows."""
        if not self._has_table_shape or not self._has_short_cells:
            return False
        widest = WIDEST_RULED if self._is_ruled else WIDEST_TABLE
        if self._width > widest:
            return False
        return self._is_ruled or self._has_three_columns

    @property
    def _has_table_shape(self) -> bool:
        if not 2 <= self._columns <= MOST_COLUMNS:
            return False
        return len(self._full) >= 2 and self._titles <= MOST_TITLES

    @property
    def _has_short_cells(self) -> bool:
        return all(
            cell.letters <= LONGEST_CELL and cell.lines <= MOST_LINES for cell in self._cells
        )

    @property
    def _is_ruled(self) -> bool:
        """True for a table with a border or headings."""
        border = self._table.attributes.get("border", "0").strip()
        return border not in ("", "0") or any(cell.name == "th" for cell in self._cells)

    @property
    def _width(self) -> int:
        """Letters of a row, with the longest cell of each column."""
        longest = 0
        for number in range(self._columns):
            lengths = [row[number].letters for row in self._full if number < len(row)]
            longest += max(lengths, default=0)
        return longest + 2 * self._columns

    @property
    def _has_three_columns(self) -> bool:
        """True if at least three rows, and two thirds of them, have three cells."""
        wide = sum(len(row) >= 3 for row in self._filled)
        return wide >= 3 and 3 * wide >= 2 * (len(self._full) + self._titles)
