"""Pages that slow down a naive layout: nested tables, endless rows, unclosed tags."""

SIZE = 64_000


def _nested(opening, closing, text, size=SIZE):
    """Return `opening` nested as deep as fits, with text at each level."""
    depth = size // len(opening + closing + text)
    return f"{opening}{text}" * depth + closing * depth


def _filled(piece, size=SIZE):
    return piece * (size // len(piece))


HOSTILE = {
    "five nested tables": "<table><tr><td>" * 5
    + _filled("<table><tr><td>a</td><td>b</td></tr></table>")
    + "</table>" * 5,
    "five nested tables, text": "<table><tr><td>" * 5 + _filled("word ") + "</td></tr></table>" * 5,
    "five nested tables, columns": _nested(
        "<table><tr><td>x</td><td>", "</td></tr></table>", "word ", 400
    )
    * 150,
    "tables nested without end": _nested("<table><tr><td>", "</td></tr></table>", "a "),
    "table in every cell": "<table><tr>" + _filled("<td><table><tr><td>x<td>y") + "</table>",
    "endless row": "<table border=1><tr>" + _filled("<td>x</td>") + "</tr></table>",
    "endless column": "<table border=1>"
    + _filled("<tr><td>x</td><td>y</td><td>z</td></tr>")
    + "</table>",
    "wide data table": "<table border=1>"
    + _filled("<tr>" + "<th>head</th>" * 40 + "</tr>")
    + "</table>",
    "spans": "<table border=1>"
    + _filled("<tr><td colspan=20 rowspan=20>x</td><td>y</td></tr>")
    + "</table>",
    "mixed directions": "<p>" + _filled("aא") + "</p>",
    "mixed directions, words": "<p>" + _filled("ab אב ") + "</p>",
    "mixed directions, spans": "<p>" + _filled("<b>a</b>א"),
    "no spaces": "<p>" + "x" * SIZE,
    "no spaces, large": "x" * 300_000,
    "combining": "<p>" + _filled("e\u0301\u0302"),
    "emoji": "<p>" + _filled("\U0001f600\u200d"),
    "lists in lists": _nested("<ul><li>", "</li></ul>", "a "),
    "quotes in quotes": _nested("<blockquote>", "</blockquote>", "a "),
    "divisions in divisions": _nested("<div style='margin:9px;padding:9px'>", "</div>", "a "),
    "spans in spans": _nested("<span style='color:#123456'>", "</span>", "a "),
    "unclosed bold": _filled("<b>x "),
    "many colors": "".join(
        f"<font color=#{number:06x}>word </font>" for number in range(0, 2_000_000, 1_000)
    ),
    "many links": _filled("<a href='http://a.example/b'>c</a> "),
    "many breaks": _filled("x<br>"),
    "many paragraphs": _filled("<p>x"),
    "many pictures": _filled("<img src=x alt=picture>"),
    "many headings": _filled("<h1>x</h1>"),
    "entities": _filled("&amp;&lt;&#1488;"),
    "open brackets": "<" * SIZE,
    "unclosed comment": "<!--" * (SIZE // 4),
    "one attribute": "<p style='" + _filled("color:#fff;") + "'>x",
    "large page": _filled("<tr><td>Some words of a table<td>and more</td>", 2_000_000),
    "preformatted": "<pre>" + _filled("a line of text\n"),
    "no-break spaces": "<p>" + _filled("a\u00a0"),
}
