"""HTML and plain text of the bodies of the demo's messages.

Headings, lists, tables and links of a readable text become HTML in one of several styles.
"""

import re
from html import escape

LINK = re.compile(r"\[([^\]]+)\]\((\S+?)\)")
STRONG = re.compile(r"\*\*(.+?)\*\*")

PAGES = {
    "letter": (
        '<html><head><meta charset="utf-8"></head><body '
        'style="font-family:sans-serif">{body}</body></html>'
    ),
    "newsletter": (
        "<html><head><style>body{{margin:0;background:#f3f1ec}}.box{{width:600px;background:#fff;padding:24px}}"
        "h1{{font:600 22px Georgia,serif}}a{{color:#225577}}</style></head><body>"
        '<table width="100%" cellpadding="0" cellspacing="0"><tr><td align="center">'
        '<div class="box">{body}</div></td></tr></table>'
        '<img src="https://{host}/open.gif?m={mark}" width="1" height="1" alt=""></body></html>'
    ),
    "receipt": (
        '<html><body style="font-family:Arial,sans-serif;color:#333"><div '
        'style="max-width:560px">{body}'
        '<hr><p style="font-size:11px;color:#777">This message was sent because of an order '
        "or booking with us.</p>"
        "</div></body></html>"
    ),
    "loud": (
        '<HTML><BODY bgcolor="#FFFFE0"><center><font face="Arial Black" size="5" '
        'color="#CC0000">{body}</font>'
        '</center><img src="http://{host}/t/{mark}.gif" height=1 width=1></BODY></HTML>'
    ),
    "forged": (
        '<html><body style="background:#eef2f7"><table align="center" width="520" '
        'bgcolor="#ffffff"><tr><td '
        'style="padding:20px;font-family:Helvetica;font-size:14px">{body}</td></tr><tr><td '
        'style="font-size:10px;'
        'color:#99a">This is an automatic message. Do not reply.</td></tr></table></body></html>'
    ),
    "poor": (
        '<html><body><div style="font-size:13px">{body}</div><div '
        'style="display:none">{mark}</div></body></html>'
    ),
}


def as_html(body: str, style: str, host: str, mark: str) -> str:
    blocks = [block for block in re.split(r"\n\s*\n", body.strip()) if block]
    return PAGES[style].format(
        body="\n".join(_block(block) for block in blocks), host=host, mark=mark
    )


def as_text(body: str) -> str:
    return STRONG.sub(r"\1", LINK.sub(r"\1 <\2>", body))


def _block(block: str) -> str:
    lines = block.splitlines()
    if lines[0].startswith("# "):
        rest = "\n".join(lines[1:])
        return f"<h1>{_inline(lines[0][2:])}</h1>" + (_block(rest) if rest else "")
    if all(line.startswith("- ") for line in lines):
        return "<ul>" + "".join(f"<li>{_inline(line[2:])}</li>" for line in lines) + "</ul>"
    if all(line.startswith("|") for line in lines):
        rows = (line.strip("|").split("|") for line in lines)
        cells = ("".join(f"<td>{_inline(cell.strip())}</td>" for cell in row) for row in rows)
        return '<table cellpadding="4">' + "".join(f"<tr>{row}</tr>" for row in cells) + "</table>"
    return "<p>" + "<br>\n".join(_inline(line) for line in lines) + "</p>"


def _inline(text: str) -> str:
    safe = escape(text, quote=False)
    return STRONG.sub(r"<b>\1</b>", LINK.sub(r'<a href="\2">\1</a>', safe))
