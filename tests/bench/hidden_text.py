"""Spam of SpamAssassin with 1,000 good words that nobody is shown: how much is still classified as
spam, for each way of hiding them.

Needs NBMAIL_CORPORA. 700 good and 400 spam messages are learned. 150 other spam messages become
HTML pages, unchanged and with the words added in each way. The words are those whose share of good
messages exceeds their share of spam most. `--ways TEXT`: only ways whose name contains this.
"""

import random
import re
from collections import Counter

from nbmail.cli.messages.index_files import indexed_messages
from nbmail.core.counting.sampling import sample_of
from nbmail.core.counting.vocabulary import Vocabulary
from nbmail.core.evaluation.trials import Case, Trial, learn_all
from nbmail.core.mail.parser import parse
from nbmail.core.scoring.model import Model
from nbmail.values import HAM, SPAM
from tests.bench._frame import options_of, show
from tests.needs import need_corpus

WORDS = 1000
SPAM_LEARNED, HAM_LEARNED, TESTED = 400, 700, 150
ENOUGH = 130
_PLAIN = re.compile(r"[a-z]{4,14}")
_OUTER = re.compile(
    rb"^(content-(?:type|transfer-encoding|disposition)|mime-version):.*\n(?:[ \t].*\n)*",
    re.IGNORECASE | re.MULTILINE,
)

STYLES = {
    "display": "display:none",
    "visibility": "visibility:hidden",
    "opacity 0": "opacity:0",
    "opacity .01": "opacity:.01",
    "font-size 0": "font-size:0",
    "font-size 1px": "font-size:1px",
    "font-size .1em": "font-size:.1em",
    "font-size 2%": "font-size:2%",
    "font shorthand": "font:1px/1 serif",
    "off-screen left": "position:absolute;left:-9999px",
    "off-screen top": "position:absolute;top:-5000px",
    "text-indent": "text-indent:-9999px",
    "margin": "margin-left:-9999px",
    "clip": "position:absolute;clip:rect(0,0,0,0)",
    "clip-path": "clip-path:inset(100%)",
    "transform": "transform:scale(0)",
    "zoom": "zoom:0.01",
    "filter": "filter:opacity(0)",
    "width and overflow": "width:0;overflow:hidden",
    "height and overflow": "height:0px;overflow:hidden",
    "white": "color:#fff",
    "near white": "color:#fafafa",
    "rgba transparent": "color:rgba(0,0,0,0)",
    "transparent": "color:transparent",
    "hsl white": "color:hsl(0,0%,100%)",
    "hex with alpha": "color:#00000000",
    "important": "display : none !important",
    "comment in a declaration": "display:/**/none",
    "escape in a name": "d\\69splay:none",
    "white on white background": "background:#eee;color:#eee",
}
SHEETS = {
    "sheet: class": ("<style>.q{display:none}</style>", "<div class=q>{}</div>"),
    "sheet: attribute": ("<style>[title=q]{display:none}</style>", "<div title=q>{}</div>"),
    "sheet: descendant": (
        "<style>.q div{display:none}</style>",
        "<div class=q><div>{}</div></div>",
    ),
    "sheet: child": ("<style>.q>div{display:none}</style>", "<div class=q><div>{}</div></div>"),
    "sheet: pseudo": (
        "<style>div.q:first-child{display:none}</style>",
        "<b><div class=q>{}</div></b>",
    ),
}
ELEMENTS = {
    "title": "<title>{}</title>",
    "template": "<template>{}</template>",
    "noscript": "<noscript>{}</noscript>",
    "textarea": "<textarea hidden>{}</textarea>",
    "select": "<select><option>{}</option></select>",
    "details": "<details><summary>more</summary>{}</details>",
    "dialog": "<dialog>{}</dialog>",
    "datalist": "<datalist><option>{}</option></datalist>",
    "video": "<video>{}</video>",
    "audio": "<audio>{}</audio>",
    "canvas": "<canvas>{}</canvas>",
    "object": "<object>{}</object>",
    "iframe": "<iframe>{}</iframe>",
    "noframes": "<noframes>{}</noframes>",
    "conditional comment": "<!--[if mso]>{}<![endif]-->",
}
PARTS = {
    "plain before": "alternative plain page",
    "plain behind": "alternative page plain",
    "second page before": "alternative html page",
    "calendar": "alternative page calendar",
    "amp": "alternative amp page",
    "inline second text": "mixed page inline",
    "attached message": "mixed page message",
}
_KINDS = {
    "plain": "text/plain",
    "html": "text/html",
    "calendar": "text/calendar; method=REQUEST",
    "amp": "text/x-amp-html",
    "inline": "text/plain\nContent-Disposition: inline",
}


def run(arguments):
    options = options_of(arguments, __doc__, ways="")
    entries = indexed_messages(need_corpus("spamassassin") / "index")
    raws = {SPAM: [], HAM: []}
    random.Random(7).shuffle(entries)
    for entry in entries:
        raws[entry.label].append(entry.path.read_bytes())

    words = Vocabulary()
    learned = [(SPAM, raw) for raw in raws[SPAM][:SPAM_LEARNED]]
    learned += [(HAM, raw) for raw in raws[HAM][:HAM_LEARNED]]
    random.Random(8).shuffle(learned)
    cases = [Case(label, sample_of(parse(raw), words)) for label, raw in learned]
    model = Model(words)
    learn_all(model, cases)

    good = " ".join(best_words(learned))
    tested = raws[SPAM][SPAM_LEARNED : SPAM_LEARNED + TESTED]
    for name, message in ways(good):
        if options.ways in name:
            found = caught(model, words, [message(raw) for raw in tested])
            row = {"way": name, "caught": found, "of": TESTED, "holds": found >= ENOUGH}
            show(options, row, "{way:28} {caught:4} of {of}  {holds}")
    return 0


def best_words(learned):
    """Return the words whose share of good messages exceeds that of spam most."""
    shares = Counter()
    for label, raw in learned:
        weight = 1 / HAM_LEARNED if label == HAM else -1 / SPAM_LEARNED
        text = " ".join(part.text for part in parse(raw).texts).lower()
        for word in set(_PLAIN.findall(text)):
            shares[word] += weight
    return [word for word, _ in shares.most_common(WORDS)]


def ways(good):
    """Yield the name of each way, and the function that hides the words in a message."""
    yield "no words", lambda raw: with_page(raw, "", "")
    for name, style in STYLES.items():
        block = f'<div style="{style}">{good}</div>'
        yield name, lambda raw, block=block: with_page(raw, "", block)
    for name, (sheet, block) in SHEETS.items():
        yield (
            name,
            lambda raw, sheet=sheet, block=block: with_page(raw, sheet, block.format(good)),
        )
    for name, block in ELEMENTS.items():
        yield name, lambda raw, block=block: with_page(raw, "", block.format(good))
    for name, plan in PARTS.items():
        yield name, lambda raw, plan=plan: with_parts(raw, plan.split(), good)
    yield "shown", lambda raw: with_page(raw, "", f"<p>{good}</p>")


def page_of(raw, head, block):
    """Return the text of a message as a page with a block behind it."""
    texts = "\n".join(part.text for part in parse(raw).texts)
    text = texts.replace("<", " ").replace(">", " ")
    return f"<html><head>{head}</head><body><p>{text}</p>{block}</body></html>"


def with_page(raw, head, block):
    return joined(raw, "text/html; charset=utf-8", page_of(raw, head, block))


def with_parts(raw, plan, good):
    """Return a message of several parts: first their kind, then what each of them is."""
    kind, *parts = plan
    chunks = []
    for part in parts:
        if part == "page":
            chunks.append(f"Content-Type: text/html; charset=utf-8\n\n{page_of(raw, '', '')}\n")
        elif part == "message":
            inner = f"Subject: Re: news\nContent-Type: text/plain\n\n{good}\n"
            chunks.append(f"Content-Type: message/rfc822\n\n{inner}")
        else:
            text = f"<html><body><p>{good}</p></body></html>" if part in ("html", "amp") else good
            chunks.append(f"Content-Type: {_KINDS[part]}\n\n{text}\n")
    body = "".join(f"--=_cut\n{chunk}" for chunk in chunks) + "--=_cut--\n"
    return joined(raw, f'multipart/{kind}; boundary="=_cut"', body)


def joined(raw, kind, body):
    """Return the message with another body."""
    head = raw.replace(b"\r\n", b"\n").partition(b"\n\n")[0] + b"\n"
    head = _OUTER.sub(b"", head)
    lines = f"MIME-Version: 1.0\nContent-Type: {kind}\nContent-Transfer-Encoding: 8bit\n\n{body}"
    return head + lines.encode("utf-8", "replace")


def caught(model, words, raws):
    cases = [Case(SPAM, sample_of(parse(raw), words)) for raw in raws]
    return sum(each.verdict == SPAM for each in Trial(spam_or_ham=True).judge(model, cases))
