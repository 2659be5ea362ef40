"""Open elements of a page: which tags begin and end them, also without an end tag."""

from collections import Counter
from collections.abc import Collection
from functools import lru_cache

from nbmail.html.effects import INHERITED, Effect, inside, state_of
from nbmail.html.tags import read_tag

VOID = frozenset((
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr",
))  # fmt: skip
TABLE = frozenset(("table",))
CELLS = frozenset(("td", "th"))
ROWS = CELLS | {"tr"}
GROUPS = ROWS | {"tbody", "thead", "tfoot"}
TABLE_PARTS = GROUPS | TABLE
_PARAGRAPH_ENDS = (
    "p", "div", "table", "ul", "ol", "dl", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "pre",
    "hr", "center",
)  # fmt: skip
FARTHEST = 100
"""Maximum number of open elements that are searched for the one that a tag ends."""
_Ends = tuple[frozenset[str], frozenset[str]]
_CELL_ENDS: _Ends = (CELLS, TABLE | {"tr"})
_GROUP_ENDS: _Ends = (GROUPS, TABLE)
_TERM_ENDS: _Ends = (frozenset(("dt", "dd")), frozenset(("dl", "td", "th")))
_ENDS: dict[str, _Ends] = {
    **dict.fromkeys(CELLS, _CELL_ENDS),
    "tr": (ROWS, TABLE),
    **dict.fromkeys(GROUPS - ROWS, _GROUP_ENDS),
    "li": (frozenset(("li",)), frozenset(("ul", "ol", "td", "th"))),
    **dict.fromkeys(("dt", "dd"), _TERM_ENDS),
    **dict.fromkeys(_PARAGRAPH_ENDS, (frozenset(("p",)), CELLS | TABLE)),
}
"""Open elements that an opening tag ends, and those beyond which it ends none."""
_NOTHING, _INNER, _END, _OUTER, _ALONE = range(5)
"""Kinds of tags: without meaning here, start tags, end tags, start tags and void tags that end
other elements. The compiled reader uses the same numbers.
"""


class OpenElements:
    """Names of the open elements, from the outermost one, and their effects.

    The first stands for the page itself.
    """

    def __init__(self) -> None:
        self._names = [""]
        self._effects = [INHERITED]
        self._counts: Counter[str] = Counter()

    @property
    def state(self) -> int:
        """`VISIBLE`, `NO_TEXT` or `GONE` for text in the innermost element."""
        return state_of(self._effects[-1])

    def follow(self, written: str, own: Effect) -> int:
        """Follow a tag with its effect.

        Return the number of open elements around what it begins; others ended.
        """
        name, kind = _kind_of(written)
        if kind == _END and self._counts[name]:
            self._close((name,), _barrier_of(name), innermost=True)
        elif kind in (_OUTER, _ALONE):
            ended, barrier = _ENDS[name]
            if self._names[-1] not in barrier and any(map(self._counts.get, ended)):
                self._close(ended, barrier, innermost=False)
        around = len(self._names)
        if kind in (_INNER, _OUTER):
            self._names.append(name)
            self._counts[name] += 1
            self._effects.append(inside(name, self._effects[-1], own))
        return around

    def _close(self, ended: Collection[str], barrier: frozenset[str], *, innermost: bool) -> None:
        """Close one of the `ended` elements inside the barrier, and all elements within it.

        It is the innermost one, or the outermost.
        """
        lowest = 0
        outermost = max(0, len(self._names) - FARTHEST)
        for depth in range(len(self._names) - 1, outermost, -1):
            if self._names[depth] in ended:
                lowest = depth
            if self._names[depth] in barrier or (lowest and innermost):
                break
        if lowest:
            self._counts.subtract(self._names[lowest:])
            del self._names[lowest:]
            del self._effects[lowest:]


@lru_cache(8192)
def _kind_of(written: str) -> tuple[str, int]:
    name, closes, _ = read_tag(written)
    return name, _kind(name, closes)


def _kind(name: str, closes: bool) -> int:
    ends_others = name in _ENDS
    if not name:
        return _NOTHING
    if closes:
        return _END
    if name in VOID:
        return _ALONE if ends_others else _NOTHING
    return _OUTER if ends_others else _INNER


def _barrier_of(name: str) -> frozenset[str]:
    """Return the open elements beyond which an end tag ends none."""
    return TABLE if name in TABLE_PARTS else TABLE_PARTS


@lru_cache(2048)
def nesting_of(name: str, closes: bool) -> tuple[str, int, int, int, int, int]:
    """Return name and kind of a tag, and four sets of names as bits, for the compiled reader.

    They contain its own name, the open elements that it ends, and those beyond which it ends none.
    The last two exist for the start tag and for the end tag.
    """
    ended, barrier = _ENDS.get(name, (frozenset(), frozenset()))
    return (
        name,
        _kind(name, closes),
        _bits({name}),
        _bits(ended),
        _bits(barrier),
        _bits(_barrier_of(name)),
    )


@lru_cache(1)
def _known_names() -> list[str]:
    """Return the names that have a bit."""
    names = set(TABLE_PARTS)
    for ended, barrier in _ENDS.values():
        names |= ended | barrier
    return sorted(names)


def _bits(names: Collection[str]) -> int:
    known = _known_names()
    return sum(1 << known.index(each) for each in names if each in known)
