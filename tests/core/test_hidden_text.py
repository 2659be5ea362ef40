"""Text that the window doesn't show has a separate place."""

import random

import pytest

from nbmail.core.counting.sampling import sample_of
from nbmail.core.counting.vocabulary import Vocabulary
from nbmail.core.evaluation.trials import Case, Trial, learn_all
from nbmail.core.mail.html_page import read_page
from nbmail.core.mail.parser import parse
from nbmail.core.scoring.model import Model
from nbmail.values import HAM, SPAM
from tests.core.material import words_of

HIDDEN = [
    "<title>{}</title>",
    "<title>{}",
    "<template><b>{}</b></template>",
    "<div style='display:none'>{}</div>",
    '<DIV STYLE="DISPLAY : NONE !important"><p>{}</p></DIV>',
    "<div style='display:none'><div>a</div>{}</div>",
    "<p style='visibility:hidden'>{}",
    "<span style='mso-hide:all'>{}</span>",
    "<div style='max-height:0px; overflow:hidden'>{}</div>",
    "<div style='height:0;overflow:hidden'>{}</div>",
    "<div style='opacity:0'>{}</div>",
    "<div hidden>{}</div>",
    "<div style='font-size:0'>{}</div>",
    "<div style='font-size:1px;color:#333'>{}</div>",
    "<font color=white>{}</font>",
    "<span style='color:#fefefe'>{}</span>",
    "<body text=#ffffff>{}</body>",
    "<td bgcolor='#000080'><span style='color:rgb(0, 0, 128)'>{}</span></td>",
    "<td style='background:black'><font color='#000'>{}</font></td>",
    "<td style='background:black'><span style='background:#fff;color:#FFF'>{}</span></td>",
    "<video>{}</video>",
    "<audio><b>{}</b></audio>",
    "<canvas>{}</canvas>",
    "<dialog>{}</dialog>",
    "<datalist><option>{}</datalist>",
    "<noframes>{}</noframes>",
    *[
        f"<div style='{style}'>{{}}</div>"
        for style in (
            "opacity:.01",
            "font-size:.1em",
            "font-size:2%",
            "font-size:0.2rem",
            "font:1px/1 serif",
            "position:absolute;left:-9999px",
            "position:absolute;top:-500%",
            "text-indent:-9999px",
            "text-indent:99999px",
            "margin-left:-200em",
            "clip:rect(0,0,0,0)",
            "clip:rect(1px 1px 1px 1px)",
            "clip-path:inset(100%)",
            "clip-path:circle(0)",
            "transform:rotate(3deg) scale(0)",
            "transform:translateX(-9999px)",
            "-webkit-transform:scale(0.01)",
            "zoom:.01",
            "filter:opacity(0)",
            "width:0;overflow:hidden",
            "height:1px;overflow:hidden",
            "color:transparent",
            "color:rgba(0,0,0,0)",
            "color:rgb(0 0 0 / 2%)",
            "color:hsla(0,0%,0%,.01)",
            "color:hsl(0, 0%, 100%)",
            "color:#00000000",
            "color:#0000",
            "color:#ffffffee",
            "display:/**/none",
            "d\\69splay:none",
            "dis\\play:none",
        )
    ],
    "<style>.x{{display:none}}</style><p class=x>{}</p>",
    "<style>.y, .x{{display:none}}</style><p class=x>{}</p>",
    "<style>p.y.x{{display:none}}</style><p class='x y'>{}</p>",
    "<style>p.x , b {{ color:#333; DISPLAY:none !important }}</style><p class='a x'>{}</p>",
    "<style>.a{{}} xyz{{display:none}}</style><xyz>{}</xyz>",
    "<style>#x{{font-size:0}}</style><div id=x><p>{}",
    "<style>.x{{color:#fff}}</style><p class=x>{}",
    (
        "<style><!-- /* {{ */ @import url(x); @media screen {{ .x{{visibility:hidden}} "
        "}}</style><div class=x>{}</div>"
    ),
]
SHOWN = [
    "<div style='font-size:0'><span style='font-size:14px'>{}</span></div>",
    "<td style='background:#0000ff;color:#fff'>{}</td>",
    "<td bgcolor=red><font color=white>{}</font></td>",
    "<td background='a.png'><font color=white>{}</font></td>",
    "<td style='background:url(x) #fff'><font color=white>{}</font></td>",
    "<div style='color:white'><a href='http://x.example'>{}</a></div>",
    "<div style='line-height:0;font-size:10px'>{}</div>",
    "<div style='max-height:0.5em'>{}</div>",
    "<div style='height:0'>{}</div>",
    "<div style='opacity:0.9'>{}</div>",
    *[
        f"<div style='{style}'>{{}}</div>"
        for style in (
            "opacity:.5",
            "opacity:10%",
            "font-size:.8em",
            "font-size:75%",
            "font:bold 11px/1.2 serif",
            "font-size:large",
            "position:relative;left:-20px",
            "margin:-10px 0",
            "text-indent:-20px",
            "clip-path:inset(5px)",
            "transform:scale(1.02)",
            "transform:scale(.5)",
            "zoom:.9",
            "zoom:1",
            "filter:opacity(90%)",
            "width:0",
            "color:#000000",
            "color:#820000",
            "color:#f00",
            "color:#000f",
            "color:#ff8080cc",
            "color:rgb(0,0,0)",
            "color:rgba(0,0,0,.87)",
            "color:hsl(0,0%,0%)",
            "color:\\110000 red",
        )
    ],
    "<input type=hidden>{}",
    "<div title='hidden' class=hidden>{}</div>",
    "<div style='display:none'>a</div>{}",
    "<table><tr><td style='display:none'>a<td>{}</table>",
    "<p style='display:none'>a<p>{}",
    "<table><td><div style='display:none'></td></table>{}",
    "<table><td></div>{}</td></table>",
    "<div style='color:none-such'>{}</div>",
    "<font color=''>{}</font>",
    "<div style='color:inherit;background:transparent'>{}</div>",
    "<br style='display:none'>{}",
    "<style>@media (max-width:600px){{.x{{display:none}} .y{{}}}}</style><p class=x>{}",
    "<style>@media print{{.x{{display:none}}</style><p class=x>{}",
    "<style>.a .x, .x:hover, .x[b], .x.y {{display:none}}</style><p class=x>{}",
    "<style>.x{{display:none}}</style><p class=x style='display:block'>{}",
    "<style>.x{{display:none}} .y > .x{{display:block}}</style><p class=x>{}",
    "<style>.x{{display:none}} .y{{display:block}}</style><p class='x y'>{}",
    "<style>.x{{background:#000}}</style><td class=x style='color:#fff'>{}",
    "<style>.x{{color:#fff}} td.y .x{{background:#000}}</style><td class=y><b class=x>{}",
    "<style>.x{{font-size:14px}}</style><div style='font-size:0'><p class=x>{}</p></div>",
    "<style>.x{{display:none}}</style><p class=X>{}",
]


@pytest.mark.parametrize("page", HIDDEN)
def test_hidden_text(page):
    found = read_page(page.format("needle"))
    assert ("needle" in found.text, "needle" in found.hidden) == (False, True)


@pytest.mark.parametrize("page", SHOWN)
def test_text_that_is_shown(page):
    found = read_page(page.format("needle"))
    assert ("needle" in found.text, "needle" in found.hidden) == (True, False)


PAGE = "<html><body><p>five cheap words stand here</p></body></html>"
OTHER_TEXTS = {
    "alternative, before": ("alternative", "text/plain", ["other", "page"]),
    "alternative, behind": ("alternative", "text/plain", ["page", "other"]),
    "a calendar": ("alternative", "text/calendar", ["page", "other"]),
    "a page for few programs": ("alternative", "text/x-amp-html", ["page", "other"]),
    "an earlier page": ("alternative", "text/html", ["other", "page"]),
    "a second part": ("mixed", "text/plain", ["page", "other"]),
    "a message": ("mixed", "message/rfc822", ["page", "other"]),
}


def mail_of_parts(kind, other_kind, order, other):
    parts = {"page": f"Content-Type: text/html\n\n{PAGE}", "other": f"Content-Type: {other_kind}"}
    parts["other"] += f"\n\n{'Subject: x' if other_kind.startswith('message') else ''}\n\n{other}"
    chunks = "".join(f"--cut\n{parts[each]}\n" for each in order)
    return f'Content-Type: multipart/{kind}; boundary="cut"\n\n{chunks}--cut--\n'.encode()


@pytest.mark.parametrize("plan", OTHER_TEXTS.values(), ids=OTHER_TEXTS)
def test_what_a_part_beside_the_page_says_counts_by_its_length_alone(plan):
    found = words_of(mail_of_parts(*plan, "needle meeting agenda report lunch"))
    assert {"five", "cheap", "fact:unseen=8"} <= found.keys()
    assert not [word for word in found if "needle" in word]


@pytest.mark.parametrize("plan", list(OTHER_TEXTS.values())[:2])
def test_an_alternative_that_says_the_same_counts_like_the_page(plan):
    text = "five cheap words stand here"
    assert not [word for word in words_of(mail_of_parts(*plan, text)) if "unseen" in word]
    more = words_of(mail_of_parts(*plan, f"{text} footer"))
    assert more["footer"] == more["cheap"] == 1


def test_a_text_without_a_page_is_shown():
    raw = b'Content-Type: multipart/mixed; boundary="cut"\n\n--cut\n\nneedle\n--cut\n\nthread\n'
    assert words_of(raw)["needle"] == words_of(raw)["thread"] == 1


def mail(number, spam, hidden=""):
    chance = random.Random(number)
    ham = ["meeting", "report", "agenda", "lunch", "project", "budget"]
    bad = ["pills", "casino", "lottery", "winner", "prize", "offer"]
    words = chance.choices(bad if spam else ham, k=8) + chance.choices(
        ["the", "and", "you", "for", "with", "this"], k=20
    )
    sender = f"{'offers' if spam else 'anna'}{number % 7}@x{number % 5}.example"
    page = f"<html>{hidden}<body><p>{' '.join(words)}</p></body></html>"
    return f"From: {sender}\nSubject: {words[0]} {words[9]}\nContent-Type: \
text/html\n\n{page}".encode()


def case(words, raw):
    return Case(SPAM if b"offers" in raw else HAM, sample_of(parse(raw), words))


def test_ham_words_that_are_hidden_make_no_spam_ham():
    """Detected spam stays spam with 1,000 good words in its title and hidden text."""
    words = Vocabulary()
    trial = Trial(spam_or_ham=True)
    model = Model(words)
    learn_all(model, [case(words, mail(number, number % 2 == 1)) for number in range(200)])
    chance = random.Random(1)
    told = " ".join(
        chance.choices(
            ["meeting", "report", "agenda", "lunch", "project", "budget", "anna"], k=1000
        )
    )
    hidden = (
        f"<head><title>{told[:3500]}</title></head><div style='display:none'>{told[3500:]}</div>"
    )
    spam = range(1001, 1101, 2)
    caught, attacked = (
        [
            each.verdict
            for each in trial.judge(
                model, [case(words, mail(number, True, text)) for number in spam]
            )
        ]
        for text in ("", hidden)
    )
    assert caught.count(SPAM) >= 40
    assert attacked.count(SPAM) >= 0.8 * caught.count(SPAM)
