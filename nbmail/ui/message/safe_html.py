"""A mail's HTML made harmless: nothing is fetched, nothing runs, and no nesting makes the layout explode.

One pass, linear in its input whatever it holds. Qt's layout takes twice as long for every table inside a table (7 s at
20 deep), so beyond a few levels the contents are kept and the tables around them dropped.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape

from nbmail.html_tags import Tag, read_references, read_tag, scan_page, unread_elements
from nbmail.ui.message.link_targets import read_link

MOST_CHARACTERS = 300_000
MOST_TAGS = 6_000
MOST_CELLS = 1_500
DEEPEST = 40
DEEPEST_TABLE = 5
LONGEST_PARAGRAPH = 2_000

_TABLE = frozenset({"table", "tbody", "thead", "tfoot", "tr", "td", "th"})
_BLOCKS = {"p", "div", "blockquote", "pre", "ul", "ol", "li", "h1", "h2", "h3", "h4", "h5", "h6", "center", "dl", "dt"}
_LETTERS = {"b", "strong", "i", "em", "u", "s", "strike", "del", "ins", "sub", "sup", "small", "big", "span", "font"}
_PLAIN = frozenset(_BLOCKS | _LETTERS | {"dd", "tt", "code", "abbr", "q", "cite", "a"})
_BREAKS = frozenset({"br", "hr"})
_UNREAD = unread_elements(
    "script", "style", "title", "template", "svg", "math", "iframe", "object", "select", "textarea"
)
_COLOUR = re.compile(r"#?([0-9a-f]{6}|[0-9a-f]{3})|(rgb\([0-9 ]{1,4},[0-9 ]{1,4},[0-9 ]{1,4}\))")
_NAMED = {"black", "silver", "gray", "white", "maroon", "red", "purple", "fuchsia", "green", "lime", "olive", "yellow"}
_COLOURS = frozenset(_NAMED | {"navy", "blue", "teal", "aqua", "orange", "pink", "gold", "brown", "grey", "darkblue"})
_WHITES = ("white", "#ffffff", "#fff")
_STYLE = re.compile(r"(color|background-color|background|font-weight|font-style|text-align)\s*:\s*([^;]{1,40})")
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all", re.IGNORECASE)
_SAFE_VALUE = re.compile(r"[a-zA-Z]{2,12}|[1-9]00")


@dataclass(frozen=True, slots=True)
class SafePage:
    """HTML to show, how many pictures were left out, and whether anything else was."""

    html: str
    pictures: int
    shortened: bool


def make_safe(html: str, paper: str = "#ffffff") -> SafePage:
    """The page without anything that could fetch, run or explode. `paper` stands for a white background."""
    writer, source = _Writer(paper), html[:MOST_CHARACTERS]
    texts, tags = scan_page(source, _UNREAD, MOST_CHARACTERS)
    for text, written in zip(texts, tags, strict=False):
        writer.write_text(text)
        writer.take_tag(read_tag(written))
    writer.write_text(texts[-1])
    writer.close_down_to(0)
    return SafePage("".join(writer.out), writer.pictures, writer.shortened or len(html) > len(source))


@dataclass(slots=True)
class _Writer:
    """Where the pass stands: what is written, which tags are open, how much has been spent."""

    paper: str
    out: list[str] = field(default_factory=list)
    open: list[tuple[str, bool, bool]] = field(default_factory=list)
    """Each open tag with whether it was written and whether it hides what is inside."""
    tables: int = 0
    hidden: int = 0
    tags: int = 0
    cells: int = 0
    pictures: int = 0
    shortened: bool = False
    room: int = LONGEST_PARAGRAPH
    """How much more fits into the paragraph."""

    def take_tag(self, tag: Tag) -> None:
        """Write a tag with its safe attributes; nothing of an unknown one."""
        if tag.closes:
            self._close(tag.name)
        elif tag.name == "img":
            self._leave_out_picture(tag.attributes())
        elif tag.name in _BREAKS and not self.hidden:
            self.out.append(f"<{tag.name}>")
        elif tag.name in _PLAIN or tag.name in _TABLE:
            self._open_tag(tag.name, tag.attributes())

    def write_text(self, text: str) -> None:
        """Words between tags."""
        if self.hidden or not text:
            return
        shown = read_references(text)
        chunks = [shown] if shown.isspace() else list(split_paragraph(shown, self.room))
        # An empty division begins another paragraph and leaves letters and links as they are.
        self.out.append("<div></div>".join(escape(chunk, quote=False) for chunk in chunks))
        if len(chunks) > 1:
            self.room = LONGEST_PARAGRAPH
        self.room -= 0 if shown.isspace() else len(chunks[-1])

    def _leave_out_picture(self, attributes: dict[str, str]) -> None:
        self.pictures += 1
        words = attributes.get("alt", "").strip()[:120]
        if words and not self.hidden:
            self.out.append(f"<i>[{escape(words)}]</i> ")

    def _open_tag(self, name: str, attributes: dict[str, str]) -> None:
        if len(self.open) >= 4 * DEEPEST or self.tags >= MOST_TAGS:
            self.shortened = True
            return
        hides = bool(_HIDDEN.search(attributes.get("style", "")))
        self.hidden += hides
        self.tags += 1
        self.cells += name in ("td", "th")
        self.tables += name == "table"
        written = self._may_write(name)
        self.open.append((name, written, hides))
        if written:
            self.room = self.room if name in _LETTERS or name == "a" else LONGEST_PARAGRAPH
            self.out.append(f"<{name}{_kept(name, attributes, self.paper)}>")

    def _may_write(self, name: str) -> bool:
        fits = len(self.open) < DEEPEST
        if name in _TABLE:
            fits = fits and self.tables <= DEEPEST_TABLE and self.cells <= MOST_CELLS
            if not fits and name in ("td", "tr") and not self.hidden:
                self.out.append(" " if name == "td" else "<br>")
        self.shortened = self.shortened or not fits
        return fits and not self.hidden

    def _close(self, name: str) -> None:
        for depth in range(len(self.open) - 1, -1, -1):
            if self.open[depth][0] == name:
                self.close_down_to(depth)
                return
            if self.open[depth][0] in ("td", "th", "table") and name not in _TABLE:
                return  # A stray closing tag in a cell doesn't end the table around it.

    def close_down_to(self, depth: int) -> None:
        """Close what is open from the top down to this depth."""
        while len(self.open) > depth:
            name, written, hides = self.open.pop()
            self.hidden -= hides
            self.tables -= name == "table"
            if written:
                self.out.append(f"</{name}>")


def _kept(name: str, attributes: dict[str, str], paper: str) -> str:
    """What stays of a tag's attributes."""
    given = {key: attributes.get(key, "").strip() for key in ("href", "align", "colspan", "rowspan")}
    leads = read_link(given["href"]) if name == "a" and given["href"] else None
    spans = {key: str(max(1, min(20, int(given[key][:3])))) for key in ("colspan", "rowspan") if given[key].isdecimal()}
    kept = {
        "href": leads.address if leads else "",
        "bgcolor": _background(attributes.get("bgcolor", ""), paper),
        "color": _colour(attributes.get("color", "")),
        **spans,
        "align": given["align"].lower() if given["align"].lower() in ("left", "right", "center") else "",
        "style": _kept_style(attributes.get("style", ""), paper),
    }
    return "".join(f' {key}="{escape(value)}"' for key, value in kept.items() if value)


def _colour(text: str) -> str:
    """The colour as Qt writes it, empty for one it would not know."""
    text = text.strip().lower()
    found = _COLOUR.fullmatch(text)
    if found is None:
        return text if text in _COLOURS else ""
    return f"#{found.group(1)}" if found.group(1) else found.group(2).replace(" ", "")


def _background(text: str, paper: str) -> str:
    colour = _colour(text)
    return paper if colour in _WHITES else colour


def _kept_style(style: str, paper: str) -> str:
    rules = []
    for name, found in _STYLE.findall(style[:1000].lower()):
        if name == "color" or name.startswith("background"):
            value = _colour(found) if name == "color" else _background(found, paper)
        else:
            value = found.strip() if _SAFE_VALUE.fullmatch(found.strip()) else ""
        if value:
            rules.append(f"{'background-color' if name == 'background' else name}:{value}")
    return ";".join(rules)


def split_paragraph(text: str, first: int = LONGEST_PARAGRAPH) -> Iterator[str]:
    """Split a text into chunks of at most `LONGEST_PARAGRAPH` letters, the first at most `first`; at spaces if any."""
    start, room = 0, max(1, first)
    while len(text) - start > room:
        space = text.rfind(" ", start + room // 2, start + room)
        end = space + 1 if space >= 0 else start + room
        yield text[start:end]
        start, room = end, LONGEST_PARAGRAPH
    yield text[start:]


def break_long_lines(text: str) -> str:
    """Return the text with lines of a bounded length."""
    return (
        "\n".join(chunk for line in text.splitlines() for chunk in split_paragraph(line)) if _too_long(text) else text
    )


def _too_long(text: str) -> bool:
    return len(text) > LONGEST_PARAGRAPH and any(len(line) > LONGEST_PARAGRAPH for line in text.splitlines())
