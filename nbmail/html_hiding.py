"""Text that an HTML page hides by styles, shared by the tokenizer and the window."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, reduce
from itertools import combinations
from typing import NamedTuple

from nbmail.html_tags import Tag, read_tag

VISIBLE, NO_TEXT, GONE = range(3)
"""States behind a tag: all is shown, no text but further elements may be, nothing is shown."""
VOID = frozenset(
    (
        "area",
        "base",
        "br",
        "col",
        "embed",
        "hr",
        "img",
        "input",
        "link",
        "meta",
        "param",
        "source",
        "track",
        "wbr",
    )
)
TABLE = frozenset(("table",))
CELLS = frozenset(("td", "th"))
ROWS = CELLS | {"tr"}
GROUPS = ROWS | {"tbody", "thead", "tfoot"}
TABLE_PARTS = GROUPS | TABLE
FARTHEST = 100
"""Maximum number of open elements that are searched for the one that a tag ends."""
_ENDS: dict[str, tuple[frozenset[str], frozenset[str]]] = {
    **dict.fromkeys(CELLS, (CELLS, TABLE | {"tr"})),
    "tr": (ROWS, TABLE),
    **dict.fromkeys(GROUPS - ROWS, (GROUPS, TABLE)),
    "li": (frozenset(("li",)), frozenset(("ul", "ol", "td", "th"))),
    **dict.fromkeys(("dt", "dd"), (frozenset(("dt", "dd")), frozenset(("dl", "td", "th")))),
    **dict.fromkeys(
        (
            *("p", "div", "table", "ul", "ol", "dl", "h1", "h2", "h3", "h4", "h5", "h6"),
            *("blockquote", "pre", "hr", "center"),
        ),
        (frozenset(("p",)), frozenset(("td", "th", "table"))),
    ),
}
"""Open elements that an opening tag ends, and those beyond which it ends none."""
UNSEEN_DIFFERENCE = 16
"""Maximum difference of a channel between text and background that nobody sees."""
_WHITE = "#ffffff"
_OTHER = "other"
_QUOTED = re.compile(r"""\"[^\"]*\"|'[^']*'""")
_HIDDEN = re.compile(r"\shidden(?=[\s/=]|$)", re.IGNORECASE)
_ZERO = r"\s*:\s*(?:0+(?:\.0*)?|\.0+)(?:px|pt|em|rem|%)?\s*(?:[;!]|$)"
_GONE = re.compile(
    rf"display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all|opacity{_ZERO}|max-height{_ZERO}"
)
_FLAT = re.compile(rf"(?<![\w-])height{_ZERO}")
_CLIPPED = re.compile(r"overflow\s*:\s*hidden")
_SIZE = re.compile(
    r"font-size\s*:\s*([^;!]{1,20})|(?<![\w-])font\s*:[^;]*?\b([0-9.]+(?:px|pt|em|rem|%))"
)
_TINY = re.compile(r"0+(?:\.0*)?(?:px|pt|em|rem|%)?|(?:0*\.[0-9]+|0*1(?:\.0*)?)(?:px|pt)")
_COLOR = re.compile(r"(?<![\w-])color\s*:\s*([^;!]{1,40})")
_BACKGROUND = re.compile(r"(?<![\w-])background(?:-color|-image)?\s*:\s*([^;!]{1,200})")
_HEX = re.compile(r"#([0-9a-f]{6}|[0-9a-f]{3})(?![0-9a-f])")
_RGB = re.compile(r"rgba?\(\s*([0-9]{1,3})\s*,\s*([0-9]{1,3})\s*,\s*([0-9]{1,3})")
_NAMES = {
    "white": _WHITE, "snow": "#fffafa", "ivory": "#fffff0", "ghostwhite": "#f8f8ff", "whitesmoke": "#f5f5f5",
    "black": "#000000", "red": "#ff0000", "green": "#008000", "blue": "#0000ff", "yellow": "#ffff00",
    "gray": "#808080", "silver": "#c0c0c0", "navy": "#000080", "maroon": "#800000", "orange": "#ffa500",
}  # fmt: skip


LONGEST_SHEET = 200_000
MOST_SELECTORS = 100
MOST_CLASSES = 20
MOST_PAIRED = 8
"""Bounds of style sheets: letters of a sheet, selectors of a rule, classes of an element, those of
them in pairs.
"""
_CSS_COMMENT = re.compile(r"/\*.*?(?:\*/|$)|<!--|-->", re.DOTALL)
_BRACKET = re.compile(r"([{}])")
_EVERY_SCREEN = re.compile(r"@media\s+(?:only\s+)?(?:all|screen)")
_SELECTOR = re.compile(r"([a-zA-Z][a-zA-Z0-9]*|\*)?((?:[.#][\w-]+){0,2})")
_NAME = re.compile(r"[.#][\w-]+")
_NAMED = re.compile(r"(?:class|id)\s*=", re.IGNORECASE)
_SHOWN = re.compile(r"display\s*:\s*(?!none)[a-z]|visibility\s*:\s*visible")


class Effect(NamedTuple):
    """Effect of a start tag on the text in its element. None: inherited."""

    gone: bool = False
    tiny: bool | None = None
    color: str | None = None
    background: str | None = None


INHERITED = Effect()


def read_effect(written: str) -> Effect:
    lowered = written.lower()
    if not any(map(lowered.__contains__, ("style", "color", "background", "hidden", "text"))):
        return INHERITED
    tag = read_tag(written)
    given = tag.attributes()
    effect = read_declarations(given["style"].lower()) if "style" in given else INHERITED
    if "hidden" in lowered and _HIDDEN.search(_QUOTED.sub("", lowered)):
        effect = effect._replace(gone=True)
    if effect.color is None and (color := given.get("text" if tag.name == "body" else "color")):
        effect = effect._replace(color=_read_color(color))
    if effect.background is None and ("bgcolor" in given or given.get("background")):
        ground = _OTHER if given.get("background") else _read_color(given["bgcolor"])
        effect = effect._replace(background=ground)
    return effect


@lru_cache(4096)
def read_declarations(style: str) -> Effect:
    """Return the effect of declarations in lower case. The last color counts, and the last known
    background.
    """
    sizes = [first or second for first, second in _SIZE.findall(style)]
    colors = _COLOR.findall(style) if "color" in style else ()
    backgrounds = _BACKGROUND.findall(style) if "background" in style else ()
    return Effect(
        bool(_GONE.search(style) or (_FLAT.search(style) and _CLIPPED.search(style))),
        bool(_TINY.fullmatch(sizes[-1].strip())) if sizes else None,
        _read_color(colors[-1]) if colors else None,
        next(filter(None, map(_read_color, reversed(backgrounds))), None),
    )


@lru_cache(1024)
def _read_color(text: str) -> str | None:
    """Return a color in one spelling, `_OTHER` for one that is not known, None for none."""
    text = text.strip().lower()
    if text in ("", "none", "transparent", "inherit", "initial"):
        return None
    if "url" in text or "gradient" in text:
        return _OTHER
    if found := _HEX.search(text):
        digits = found[1] if len(found[1]) == 6 else "".join(2 * each for each in found[1])
        channels = [int(digits[place : place + 2], 16) for place in (0, 2, 4)]
    elif found := _RGB.search(text):
        channels = [min(255, int(each)) for each in found.groups()]
    else:
        return _NAMES.get(text.split()[0], _OTHER)
    return "#" + "".join(f"{each:02x}" for each in channels)


class Rule(NamedTuple):
    """Effect of a rule of a style sheet. `shows`: the rule states that its elements are
    displayed.
    """

    effect: Effect
    shows: bool = False


def read_rules(sheets: Sequence[str]) -> dict[str, Rule]:
    """Return the rules of style sheets by their selectors: an element, up to two classes or ids, or
    both.

    Rules for some media only are left out. Rules with other selectors hide nothing here, because
    the elements that they select are not known. Of their effect it only counts that the last of the
    selected elements might be shown.
    """
    rules: dict[str, Rule] = {}
    for sheet in sheets:
        for selector, rule in _read_sheet(sheet[:LONGEST_SHEET]):
            before = rules.get(selector)
            rules[selector] = rule if before is None else _merged(before, rule)
    return rules


@lru_cache(64)
def _read_sheet(sheet: str) -> list[tuple[str, Rule]]:
    found = list[tuple[str, Rule]]()
    depth = 0
    skipped = 0
    prelude = ""
    chunks = _BRACKET.split(_CSS_COMMENT.sub("", sheet))
    for text, bracket in zip(chunks[::2], chunks[1::2], strict=False):
        if bracket == "{":
            prelude = text.rpartition(";")[2].strip()
            depth = depth + 1
            if prelude.startswith("@") and not _EVERY_SCREEN.fullmatch(prelude.lower()):
                skipped = skipped or depth
            continue
        if not skipped and prelude and not prelude.startswith("@"):
            found += _rules_of(prelude, text.lower())
        depth = max(0, depth - 1)
        prelude = ""
        skipped = 0 if depth < skipped else skipped
    return found


def _rules_of(prelude: str, declarations: str) -> Iterator[tuple[str, Rule]]:
    effect = read_declarations(declarations)
    shows = bool(_SHOWN.search(declarations))
    if effect == INHERITED and not shows:
        return
    unknown = Effect(
        tiny=None if effect.tiny is None else False,
        color=effect.color and _OTHER,
        background=effect.background and _OTHER,
    )
    for selector in prelude.split(",")[:MOST_SELECTORS]:
        *around, last = selector.replace(">", " ").split() or [""]
        if found := _SELECTOR.fullmatch(last):
            key = (found[1] or "").lower().strip("*") + "".join(sorted(_NAME.findall(found[2])))
            yield key, Rule(unknown, shows or effect.gone) if around else Rule(effect, shows)


def _merged(before: Rule, after: Rule) -> Rule:
    """Return the common effect of two rules, of which the second is the stronger."""
    one = before.effect
    other = after.effect
    effect = Effect(
        other.gone or (one.gone and not after.shows),
        one.tiny if other.tiny is None else other.tiny,
        other.color or one.color,
        other.background or one.background,
    )
    return Rule(effect, (before.shows or after.shows) and not effect.gone)


def effects_of(
    tags: Iterable[str], inline: Mapping[str, Effect], rules: Mapping[str, Rule]
) -> Mapping[str, Effect]:
    """Return the effects of the start tags that have one. `inline`: by the tags alone."""
    if not rules:
        return inline
    parsed = (
        (written, read_tag(written)) for written in dict.fromkeys(tags) if written[0].isalpha()
    )
    found = (
        (written, _with_rules(tag, inline.get(written, INHERITED), rules))
        for written, tag in parsed
    )
    return {written: effect for written, effect in found if effect != INHERITED}


def _with_rules(tag: Tag, inline: Effect, rules: Mapping[str, Rule]) -> Effect:
    """Return the effect of a start tag by the rules of the page's style sheets and by itself."""
    if tag.name not in rules and not _NAMED.search(tag.written):
        return inline
    given = tag.attributes()
    names = [f".{each}" for each in given.get("class", "").split()[:MOST_CLASSES]]
    names += [f"#{given['id'].strip()}"] if "id" in given else []
    names += map("".join, combinations(sorted(names[:MOST_PAIRED]), 2))
    keys = (tag.name, *names, *(tag.name + each for each in names))
    found = [rules[key] for key in keys if key in rules]
    if not found:
        return inline
    return reduce(
        _merged, [*found, Rule(inline, bool(_SHOWN.search(given.get("style", "").lower())))]
    ).effect


def can_hide(effects: Iterable[Effect]) -> bool:
    colors = set[str]()
    backgrounds = {_WHITE}
    for each in effects:
        if each.gone or each.tiny:
            return True
        colors.add(each.color or _OTHER)
        backgrounds.add(each.background or _WHITE)
    return any(_is_same(color, background) for color in colors for background in backgrounds)


@lru_cache(4096)
def _is_same(color: str, background: str) -> bool:
    """True if no reader sees text of this color on the background."""
    if _OTHER in (color, background):
        return False
    pairs = zip(bytes.fromhex(color[1:]), bytes.fromhex(background[1:]), strict=True)
    return max(abs(one - other) for one, other in pairs) <= UNSEEN_DIFFERENCE


class OpenElements:
    """Names of the open elements, from the outermost one, and their effects. The first stands for
    the page itself.
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
        """Follow a tag with its effect. Return the number of open elements around what it begins;
        others ended.
        """
        name, kind = _kind_of(written)
        if kind == _END and self._counts[name]:
            self._close((name,), TABLE if name in TABLE_PARTS else TABLE_PARTS, innermost=True)
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
        """Close the innermost of the `ended` elements inside the barrier, or the outermost, and all
        within it.
        """
        lowest = 0
        for depth in range(len(self._names) - 1, max(0, len(self._names) - FARTHEST), -1):
            if self._names[depth] in ended:
                lowest = depth
            if self._names[depth] in barrier or (lowest and innermost):
                break
        if lowest:
            self._counts.subtract(self._names[lowest:])
            del self._names[lowest:], self._effects[lowest:]


_NOTHING, _INNER, _END, _OUTER, _ALONE = range(5)
"""Kinds of tags: no meaning here, start tags that end no other element, end tags, start tags that
do, void ones.
"""


@lru_cache(8192)
def _kind_of(written: str) -> tuple[str, int]:
    name, closes, _ = read_tag(written)
    return name, _kind(name, closes)


def _kind(name: str, closes: bool) -> int:
    ends = name in _ENDS
    if not name or (name in VOID and not (closes or ends)):
        return _NOTHING
    return _END if closes else _ALONE if name in VOID else _OUTER if ends else _INNER


@lru_cache(2048)
def nesting_of(name: str, closes: bool) -> tuple[str, int, int, int, int, int]:
    """Return name and kind of a tag, and four sets of names as bits, for the compiled reader.

    They contain its own name, the open elements that it ends, and those beyond which it ends none.
    The last two exist for the start tag and for the end tag.
    """
    known = sorted(TABLE_PARTS.union(*(ended | barrier for ended, barrier in _ENDS.values())))
    sets = ({name}, *_ENDS.get(name, ((), ())), TABLE if name in TABLE_PARTS else TABLE_PARTS)
    own, ended, barrier, around = (
        sum(1 << known.index(each) for each in names if each in known) for names in sets
    )
    return name, _kind(name, closes), own, ended, barrier, around


@lru_cache(4096)
def state_of(effect: Effect) -> int:
    if effect.gone:
        return GONE
    same = _is_same(effect.color or _OTHER, effect.background or _WHITE)
    return NO_TEXT if effect.tiny or same else VISIBLE


@lru_cache(8192)
def inside(name: str, outer: Effect, own: Effect) -> Effect:
    """Return the effect inside an element. A link has its own color."""
    color = own.color or (None if name == "a" else outer.color)
    tiny = outer.tiny if own.tiny is None else own.tiny
    return Effect(outer.gone or own.gone, tiny, color, own.background or outer.background)
