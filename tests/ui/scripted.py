"""A small engine that answers at once with real protocol values over mail made up here: for pictures and window tests.

It learns in the simplest way (one weight per word and label) so that marks visibly change scores.
"""

import math
import random
from dataclasses import replace

import numpy as np

from nbmail import values
from nbmail.core.reading.words import place_of
from nbmail.core.scoring.explanation import Contribution, Explanation
from nbmail.core.scoring.sorting import readiness
from nbmail.worker.protocol.events import Changed, ClassFigures, Learned
from nbmail.worker.protocol.quality import WordWeights
from nbmail.worker.protocol.results import (
    Agreement,
    Attachment,
    DoubtfulWord,
    ImportReport,
    InlinePicture,
    Marked,
    MessageText,
    ScoredMail,
    SenderCheck,
    Simulation,
    SuspiciousLabel,
    VerdictChange,
    WordCounts,
    WordDescription,
    WordFigures,
)
from nbmail.worker.protocol.sorting import SortingChoice, SortingPhase, SortingStatus
from tests.ui.scripted_model import ModelAnswers

NOW = 1_795_000_000.0
CALIBRATION = 0.12
LABELS = {"good": 0, "junk": 1, None: -1}

PEOPLE = [
    "Anna Lindqvist", "Marta Oliveira", "Jonas Weber", "The Allotment Society", "Harbour Library", "Tomasz Wójcik",
    "Ferry Timetables", "李静", "佐藤 健", "Κατερίνα Παπαδοπούλου", "משה כהן", "Birgit & Ole", "Night Train Bookings",
    "Dr. Amara Osei",
]  # fmt: skip
GOOD_SUBJECTS = [
    "Re: minutes of the meeting on Thursday", "Your ticket to Rotterdam, platform 4", "Photos from the garden",
    "Invoice 2211 for the new windows", "Choir practice moved to seven", "Books due back on Friday",
    "关于下周会议的安排", "Re: Re: the second draft of chapter three", "Receipt for your order of seeds",
    "Weekend at the lake?",
]  # fmt: skip
JUNKERS = ["Prize Department", "Dr. Slim", "Crypto Desk", "Account Security", "Cheap Replica Watches", "Loan Approved"]
JUNK_SUBJECTS = [
    "You have been SELECTED: claim your reward today", "Lose 12 kilos in 12 days, doctors are amazed",
    "Your wallet doubles while you sleep", "Final notice: your mailbox is full, verify now",
    "Luxury watches, 90 % off, only tonight", "Congratulations! A loan of 50,000 is waiting",
]  # fmt: skip
GOOD_TEXT = """Hello,

thank you for the minutes. I have added two remarks about the schedule for Thursday, and the ferry
leaves ten minutes later than we thought, so there is no need to hurry.

See you at the meeting, and please bring the photos from the garden.

Anna
"""
JUNK_HTML = """<html><head><style>p {color: red}</style></head><body bgcolor="#ffffff"><table width="100%"><tr><td>
<h2>Claim your free reward today</h2>
<p>Dear customer, you have been <b>selected</b>. Click below to claim your <b>free</b> watch before tonight.</p>
<p><a href="http://rewards.example/claim?id=77812">Claim now</a></p>
<img src="http://tracker.example/pixel.gif" width="1" height="1">
<img src="http://rewards.example/watch.jpg" alt="A golden watch">
<p><font size="1" color="#777777">To unsubscribe, click <a href="http://rewards.example/out">here</a>.</font></p>
</td></tr></table></body></html>"""


LABEL_SOURCES = (
    values.LabelSource("user"),
    values.LabelSource("folder", values.FolderName("home", "Lists")),
    values.LabelSource("server"),
    values.LabelSource("folder"),
    values.LabelSource("files"),
)


def make_rows(count, seed=1, *, labelled=0, calibrated=True, folders=("INBOX", "Junk", "Lists"), account="home"):
    """Rows of made-up mail, with scores that separate junk from good as a trained model would."""
    chance = random.Random(seed)
    numbers = np.random.default_rng(seed)
    junk = numbers.random(count) < 0.35
    senders = [chance.choice(JUNKERS if each else PEOPLE) for each in junk]
    subjects = [chance.choice(JUNK_SUBJECTS if each else GOOD_SUBJECTS) for each in junk]
    log_odds = np.where(junk, 4.5, -5.0) + numbers.normal(0, 2.2, count)
    labels = np.where(numbers.random(count) < labelled, np.where(junk, 1, 0), -1).astype(np.int16)
    return values.Rows(
        messages=np.arange(1, count + 1),
        dates=NOW
        - np.sort(numbers.exponential(40_000, count).cumsum() if count < 2000 else numbers.random(count) * 5e7),
        senders=tuple(senders),
        subjects=tuple(subjects),
        labels=labels,
        folders=np.where(junk & (numbers.random(count) < 0.4), 1, numbers.choice([0, 0, 0, 2], count)).astype(np.int16),
        unread=numbers.random(count) < 0.25,
        attachments=numbers.random(count) < 0.1,
        scores=make_scores(np.arange(1, count + 1), log_odds, calibrated=calibrated),
        label_names=("good", "junk"),
        folder_names=tuple(values.FolderName(account, folder) for folder in folders),
        label_sources=np.where(labels >= 0, np.arange(count) % len(LABEL_SOURCES), -1).astype(np.int16),
        source_names=LABEL_SOURCES,
    )


def make_scores(messages, log_odds, *, calibrated=True):
    """Scores with a plain logistic probability and the verdicts of the default costs."""
    probabilities = 1 / (1 + np.exp(-np.clip(log_odds, -700, 700)))
    verdicts = np.where(probabilities > 0.99, 2, np.where(probabilities < 0.5, 1, 0)).astype(np.int8)
    shown = probabilities if calibrated else np.full(len(log_odds), np.nan)
    return values.Scores(np.asarray(messages), np.asarray(log_odds, float), shown, verdicts, calibrated)


class ScriptedEngine(ModelAnswers):
    """Results of requests by the names of the engine's methods, None for others. `emit`: called with events."""

    def __init__(self, emit, rows, *, calibrated=True, learned=(40, 123), held_out=(38, 117)):
        self.emit, self.rows, self.calibrated = emit, rows, calibrated
        self.learned, self.held_out = list(learned), held_out
        self.log_odds = np.array(rows.scores.log_odds)
        self.labels = np.array(rows.labels)
        self.label_sources = np.array(
            rows.label_sources if rows.label_sources is not None else np.zeros(len(rows.labels), np.int16)
        )
        self.steps, self.undone = [], []
        self.ignored, self.phrases = set(), set()

    def scores(self):
        return make_scores(self.rows.messages, self.log_odds, calibrated=self.calibrated)

    def report_learned(self):
        """Emit the state of the model."""
        figures = tuple(
            ClassFigures(name, count, 60 * count) for name, count in zip(("junk", "good"), self.learned, strict=True)
        )
        self.emit(
            Learned(
                figures,
                75 * sum(self.learned),
                self.held_out,
                self.calibrated,
                self.method,
                undo=len(self.steps),
                redo=len(self.undone),
                junk_from=0.99,
            )
        )

    def list_conversation(self, message):
        return ()

    def sorting_status(self, account):
        return SortingStatus(account, SortingChoice(), SortingPhase.OFF, readiness(0, self.learned[1]))

    def list_mail(self):
        self.report_learned()
        return self.rows

    def mark(self, messages, label):
        places = np.array(messages) - 1
        self.steps.append((places, (self.labels[places].copy(), self.label_sources[places].copy()), label))
        return self._apply(places, label)

    def undo(self, limit=None):
        places, before, label = self.steps.pop()
        self.undone.append((places, before, label))
        self.labels[places], self.label_sources[places] = before
        return self._report(places, None)

    def _apply(self, places, label):
        self.labels[places] = LABELS[label]
        self.label_sources[places] = -1 if label is None else 0
        self.learned[0 if label == "junk" else 1] += len(places)
        return self._report(places, label)

    def _report(self, places, label):
        before = self.scores().verdicts
        push = {"junk": 0.6, "good": -0.6, None: -0.3}[label]
        alike = np.isin(np.array(self.rows.subjects, object), [self.rows.subjects[place] for place in places[:50]])
        self.log_odds[alike] += push
        turned = int((before != self.scores().verdicts).sum())
        rows = pick_rows(self.rows, places, self.labels, self.scores(), self.label_sources)
        self.emit(Changed(rows=rows, scores=self.scores()))
        self.report_learned()
        return Marked(tuple(self.rows.messages[places].tolist()), label, turned)

    def read_message(self, message):
        place = message - 1
        junk = self.rows.senders[place] in JUNKERS
        headers = (
            ("Subject", self.rows.subjects[place]),
            ("From", f"{self.rows.senders[place]} <post{place}@mail.example>"),
            ("To", "You <you@home.example>"),
            ("Date", "Tue, 17 Nov 2026 09:12:44 +0100"),
        )
        files = (Attachment("minutes.pdf", "application/pdf", 184_220),) if self.rows.attachments[place] else ()
        text = MessageText(message, headers, "" if junk else GOOD_TEXT, JUNK_HTML if junk else "", files)
        return text._replace(sender=SenderCheck("" if junk else "mail.example", first=junk))

    def find_text(self, words):
        words = words.lower().replace('"', "").split()
        texts = [JUNK_HTML if sender in JUNKERS else GOOD_TEXT for sender in self.rows.senders]
        found = [place + 1 for place, text in enumerate(texts) if all(word in text.lower() for word in words)]
        return tuple(found)

    def mark_read(self, messages, *, read=True):
        places = np.array(messages) - 1
        self.rows.unread[places] = not read
        self.emit(Changed(rows=pick_rows(self.rows, places, self.labels, self.scores(), self.label_sources)))
        return tuple(messages)

    def read_pictures(self, message):
        return (InlinePicture("logo@x", b"content"),)

    def score_mail(self, raw):
        text = MessageText(0, (("From", "Prize <p@x.example>"), ("Subject", "Claim")), "claim it", "", ())
        return ScoredMail(text, make_explanation(5.0))

    def explain(self, message, strongest=12):
        """Explain a message. The list has the log-odds before calibration, and the probabilities after it."""
        log_odds = float(self.log_odds[message - 1])
        why = make_explanation(log_odds + CALIBRATION, calibrated=self.calibrated, strongest=strongest)
        return replace(why, probability=1 / (1 + math.exp(-log_odds)) if self.calibrated else None)

    def explain_at(self, message, moment, strongest=12):
        return make_explanation(float(self.log_odds[message - 1]) / 3, strongest=strongest)

    def _moved(self, up):
        scores = self.scores()
        later = make_scores(self.rows.messages, self.log_odds + up)
        turned = np.flatnonzero(scores.verdicts != later.verdicts)
        return tuple(
            VerdictChange(
                int(self.rows.messages[place]),
                *(values.VERDICTS[each.verdicts[place]] for each in (scores, later)),
                *(float(each.probabilities[place]) for each in (scores, later)),
            )
            for place in turned
        )

    def list_changed_verdicts(self):
        return self._moved(0.6)

    def simulate_mark(self, message, label):
        moved = self._moved(0.6 if label == "junk" else -0.6)
        return Simulation(moved, len(moved))

    def simulate_without(self, word, message=-1):
        moved = self._moved(-0.9)
        own = VerdictChange(message, "junk", "unsure", 0.993, 0.87) if message > 0 else None
        return Simulation(moved, len(moved), own)

    def ignore_word(self, word, *, ignored=True):
        (self.ignored.add if ignored else self.ignored.discard)(word)
        return Marked((), None, 3, imported=True, step=values.StepTaken("words", None, 0))

    def set_phrase(self, phrase, *, used=True):
        (self.phrases.add if used else self.phrases.discard)(phrase.lower())
        return Marked((), None, 2, imported=True, step=values.StepTaken("phrases", None, 0))

    def describe_word(self, word):
        figures = WordFigures(word, place_of(word), 61, 4, 3.92, 0.21, word in self.ignored)
        steps = [(NOW - 86_400 * (65 - at), round(61 * (at / 65) ** 2), round(4 * at / 65)) for at in range(66)]
        held = tuple(int(each) for each in self.rows.messages[:40][::-1])
        history = tuple(WordCounts(*step) for step in steps)
        return WordDescription(figures, 95, 240, history, held, 187)

    def weigh_word(self, word):
        return WordWeights(3.92, 2.4, 335)

    def suggest_folders(self, message):
        return ()

    def find_label_source(self, message):
        label, label_source = int(self.labels[message - 1]), int(self.label_sources[message - 1])
        if label < 0:
            return None
        return values.SourcedLabel(
            self.rows.label_names[label], LABEL_SOURCES[label_source], NOW - 90_000 * (message % 7)
        )

    def list_journal(self, limit=1000):
        last = min(limit, 40, len(self.rows.subjects))
        ways = (("user", None, "junk"), ("user", None, "good"), ("undo", "junk", None), ("server", None, "junk"))
        return tuple(
            values.JournalLine(
                NOW - 7000 * place, place + 1, self.rows.subjects[place], *ways[place % 4][1:], ways[place % 4][0]
            )
            for place in range(last)
        )

    def find_suspicious_labels(self):
        odds = ((-9.1, "junk"), (5.2, "good"), (-2.4, "junk"))
        return tuple(SuspiciousLabel(3 * place + 1, label, each, None) for place, (each, label) in enumerate(odds))

    def trace_sender(self, message):
        chances = (0.5, 0.62, 0.71, 0.55, 0.83, 0.94, 0.97, 0.992)
        return tuple((NOW - 90_000 * (len(chances) - place), each) for place, each in enumerate(chances))

    def score_at(self, moment, messages):
        return make_scores(messages, np.full(len(messages), 3.2), calibrated=self.calibrated)

    def preview_import(self, path, format=""):
        dropped, agreement = (("dates", 69_717), ("zero", 12)), Agreement(96, 100, 116, 120)
        classes = (("junk", 618), ("good", 1_382))
        words = (69_717, 27_908, 41_809, 3_644)
        report = ImportReport(path, "bogofilter", classes, (), *words, dropped, agreement, False, True)
        doubtful = (
            DoubtfulWord("from:eve@evil.example", "from", -51.02, 0, 40, 0, 0),
            DoubtfulWord("prize", "body", 1.4, 0, 40, 20, 0),
        )
        return report._replace(doubtful=doubtful, doubtful_words=1_234)


def pick_rows(rows, places, labels, scores, label_sources=None):
    """Some of the rows, whole, with these labels and scores; the user gave the labels unless told otherwise."""
    columns = ("messages", "dates", "folders", "unread", "attachments")
    said = ("messages", "log_odds", "probabilities", "verdicts")
    return replace(
        rows,
        **{name: getattr(rows, name)[places] for name in columns},
        **{name: tuple(getattr(rows, name)[place] for place in places) for name in ("senders", "subjects")},
        labels=labels[places],
        scores=values.Scores(*(getattr(scores, name)[places] for name in said), scores.calibrated),
        label_sources=(np.where(labels < 0, -1, 0) if label_sources is None else label_sources)[places].astype(
            np.int16
        ),
        source_names=LABEL_SOURCES,
    )


JUNK_WORDS = [
    ("free", 61, 4), ("subject:claim", 38, 0), ("link:rewards.example", 22, 0), ("click", 55, 9), ("thank", 12, 71),
    ("html:font", 40, 11), ("dear", 33, 6), ("today", 28, 15), ("unsubscribe", 47, 30),
]  # fmt: skip
GOOD_WORDS = [
    ("minutes", 0, 44), ("from:anna", 0, 31), ("meeting", 2, 52), ("schedule", 1, 27), ("free", 61, 4),
    ("thursday", 3, 30), ("photos", 2, 19), ("ferry", 0, 8), ("please", 31, 66),
]  # fmt: skip
WEAK = """body:below body:tonight body:watch body:customer body:been body:here body:before body:selected subject:today
subject:$ from:@rewards.example return:@rewards.example origin:@rewards.example id:@rewards.example from:prize
received:198.51.* received:rewards.example>home.example path:claim link:@rewards.example html:hiding html:td
hidden:win fact:weekday=tue fact:type=text/html measure:links=2 measure:images=2 measure:size=11 mailer:bulk to:you
header:x-bulk mime-version:1.0 charset""".replace("body:", "").split()


def make_explanation(log_odds, *, calibrated=True, strongest=9):
    """Evidence that adds up to this score: strong words, and many weak ones of which the last settles the sum."""
    found = []
    for word, junk, good in JUNK_WORDS if log_odds > 0 else GOOD_WORDS:
        ratio = math.log((junk + 0.5) / 41) - math.log((good + 0.5) / 124)
        found.append(Contribution(word, place_of(word), junk, good, ratio, 0.0, 0.25 * ratio))
    prior, calibration = -0.31, CALIBRATION
    left = log_odds - prior - calibration - sum(each.contribution for each in found)
    for number, word in enumerate(WEAK):
        share = left / len(WEAK) + 0.08 * math.sin(2.0 * number)
        found.append(Contribution(word, place_of(word), 9, 7, share, share / 4, share))
    found.sort(key=lambda each: -abs(each.contribution))
    found, cut = found[:strongest], found[strongest:]
    weaker = log_odds - prior - calibration - sum(each.contribution for each in found)
    probability = 1 / (1 + math.exp(-log_odds)) if calibrated else None
    verdict = "junk" if log_odds > math.log(99) else "good" if log_odds < 0 else "unsure"
    without = tuple(each.word for each in found[:2]) if abs(log_odds) < 6 else ()
    alike = (200, round(200 * probability)) if calibrated else (0, 0)
    weak = len(cut), weaker if cut else 0.0
    return Explanation(
        *(prior, tuple(found), *weak, calibration, log_odds, probability, verdict, without, 2, alike),
        junk_from=0.99,
        score=log_odds - calibration,
    )
