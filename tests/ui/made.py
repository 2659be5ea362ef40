"""Rows of the list and explanations of scores, made up."""

import math
import random
from dataclasses import replace

import numpy as np

from nbmail import values
from nbmail.core.explaining.explanation import Contribution, Explanation
from nbmail.core.words.word_places import place_of

NOW = 1_795_000_000.0
CALIBRATION = 0.12

PEOPLE = [
    "Anna Lindqvist", "Marta Oliveira", "Jonas Weber", "The Allotment Society", "Harbour Library",
    "Tomasz Wójcik",
    "Ferry Timetables", "李静", "佐藤 健", "Κατερίνα Παπαδοπούλου", "משה כהן", "Birgit & Ole",
    "Night Train Bookings",
    "Dr. Amara Osei",
]  # fmt: skip
HAM_SUBJECTS = [
    "Re: minutes of the meeting on Thursday", "Your ticket to Rotterdam, platform 4",
    "Photos from the garden",
    "Invoice 2211 for the new windows", "Choir practice moved to seven", "Books due back on Friday",
    "关于下周会议的安排", "Re: Re: the second draft of chapter three",
    "Receipt for your order of seeds",
    "Weekend at the lake?",
]  # fmt: skip
SPAMERS = [
    "Prize Department",
    "Dr. Slim",
    "Crypto Desk",
    "Account Security",
    "Cheap Replica Watches",
    "Loan Approved",
]
SPAM_SUBJECTS = [
    "You have been SELECTED: claim your reward today",
    "Lose 12 kilos in 12 days, doctors are amazed",
    "Your wallet doubles while you sleep", "Final notice: your mailbox is full, verify now",
    "Luxury watches, 90 % off, only tonight", "Congratulations! A loan of 50,000 is waiting",
]  # fmt: skip

LABEL_SOURCES = (
    values.LabelSource("user"),
    values.LabelSource("folder", values.FolderName("home", "Lists")),
    values.LabelSource("server"),
    values.LabelSource("folder"),
    values.LabelSource("files"),
)


def make_rows(
    count,
    seed=1,
    *,
    labelled=0,
    calibrated=True,
    folders=("INBOX", "Junk", "Lists"),
    account="home",
):
    """Rows of made-up mail, with scores that separate spam from ham as a trained model would.

    The location `2 * folder + unread` is in one of the folders.
    """
    chance = random.Random(seed)
    numbers = np.random.default_rng(seed)
    spam = numbers.random(count) < 0.35
    senders = [chance.choice(SPAMERS if each else PEOPLE) for each in spam]
    subjects = [chance.choice(SPAM_SUBJECTS if each else HAM_SUBJECTS) for each in spam]
    log_odds = np.where(spam, 4.5, -5.0) + numbers.normal(0, 2.2, count)
    labels = np.where(numbers.random(count) < labelled, np.where(spam, 1, 0), -1).astype(np.int16)
    return values.Rows(
        messages=np.arange(1, count + 1),
        dates=NOW
        - np.sort(
            numbers.exponential(40_000, count).cumsum()
            if count < 2000
            else numbers.random(count) * 5e7
        ),
        senders=tuple(senders),
        subjects=tuple(subjects),
        labels=labels,
        label_sources=np.where(labels >= 0, np.arange(count) % len(LABEL_SOURCES), -1).astype(
            np.int16
        ),
        locations=2
        * np.where(spam & (numbers.random(count) < 0.4), 1, numbers.choice([0, 0, 0, 2], count))
        + (numbers.random(count) < 0.25),
        attachments=numbers.random(count) < 0.1,
        flagged=np.zeros(count, bool),
        verified=np.full(count, -1, np.int8),
        scores=make_scores(np.arange(1, count + 1), log_odds, calibrated=calibrated),
        label_names=("ham", "spam"),
        source_names=LABEL_SOURCES,
        folder_names=tuple(values.FolderName(account, folder) for folder in folders),
        location_sets=tuple(
            ((folder, unread),) for folder in range(len(folders)) for unread in (False, True)
        ),
    )


def make_scores(messages, log_odds, *, calibrated=True):
    """Scores with a plain logistic probability and the verdicts of the default costs."""
    probabilities = 1 / (1 + np.exp(-np.clip(log_odds, -700, 700)))
    verdicts = np.where(probabilities > 0.99, 2, np.where(probabilities < 0.5, 1, 0)).astype(
        np.int8
    )
    shown = probabilities if calibrated else np.full(len(log_odds), np.nan)
    return values.Scores(
        np.asarray(messages), np.asarray(log_odds, float), shown, verdicts, calibrated
    )


def pick_rows(rows, places, labels, scores, label_sources=None):
    """Return some rows with these labels and scores. By default the user gave the labels."""
    columns = ("messages", "dates", "locations", "attachments", "flagged", "verified")
    said = ("messages", "log_odds", "probabilities", "verdicts")
    return replace(
        rows,
        **{name: getattr(rows, name)[places] for name in columns},
        **{
            name: tuple(getattr(rows, name)[place] for place in places)
            for name in ("senders", "subjects")
        },
        labels=labels[places],
        scores=values.Scores(*(getattr(scores, name)[places] for name in said), scores.calibrated),
        label_sources=(np.where(labels < 0, -1, 0) if label_sources is None else label_sources)[
            places
        ].astype(np.int16),
        source_names=LABEL_SOURCES,
    )


SPAM_WORDS = [
    ("free", 61, 4), ("subject:claim", 38, 0), ("link:rewards.example", 22, 0), ("click", 55, 9),
     ("thank", 12, 71),
    ("html:font", 40, 11), ("dear", 33, 6), ("today", 28, 15), ("unsubscribe", 47, 30),
]  # fmt: skip
HAM_WORDS = [
    ("minutes", 0, 44), ("from:anna", 0, 31), ("meeting", 2, 52), ("schedule", 1, 27), ("free", 61,
     4),
    ("thursday", 3, 30), ("photos", 2, 19), ("ferry", 0, 8), ("please", 31, 66),
]  # fmt: skip
WEAK = """body:below body:tonight body:watch body:customer body:been body:here body:before \
body:selected subject:today
subject:$ from:@rewards.example return:@rewards.example origin:@rewards.example \
id:@rewards.example from:prize
received:198.51.* received:rewards.example>home.example path:claim link:@rewards.example \
html:hiding html:td
hidden:win fact:weekday=tue fact:type=text/html measure:links=2 measure:images=2 \
measure:size=11 mailer:bulk to:you
header:x-bulk mime-version:1.0 charset""".replace("body:", "").split()


def make_explanation(log_odds, *, calibrated=True, strongest=9):
    """Return evidence for a score: strong words, and weak ones that complete the sum."""
    found = []
    for word, spam, ham in SPAM_WORDS if log_odds > 0 else HAM_WORDS:
        ratio = math.log((spam + 0.5) / 41) - math.log((ham + 0.5) / 124)
        found.append(Contribution(word, place_of(word), spam, ham, ratio, 0.0, 0.25 * ratio))
    prior = -0.31
    calibration = CALIBRATION
    left = log_odds - prior - calibration - sum(each.contribution for each in found)
    for number, word in enumerate(WEAK):
        share = left / len(WEAK) + 0.08 * math.sin(2.0 * number)
        found.append(Contribution(word, place_of(word), 9, 7, share, share / 4, share))
    found.sort(key=lambda each: -abs(each.contribution))
    found, cut = found[:strongest], found[strongest:]
    weaker = log_odds - prior - calibration - sum(each.contribution for each in found)
    probability = 1 / (1 + math.exp(-log_odds)) if calibrated else None
    verdict = "spam" if log_odds > math.log(99) else "ham" if log_odds < 0 else "unsure"
    without = tuple(each.word for each in found[:2]) if abs(log_odds) < 6 else ()
    alike = (200, round(200 * probability)) if calibrated else (0, 0)
    weak = len(cut), weaker if cut else 0.0
    return Explanation(
        *(
            prior,
            tuple(found),
            *weak,
            calibration,
            log_odds,
            probability,
            verdict,
            without,
            2,
            alike,
        ),
        spam_from=0.99,
        score=log_odds - calibration,
    )
