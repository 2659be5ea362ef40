"""Processor times of the mail table with 200,000 rows: scrolling, sorting, filtering, searching, new scores.

The peer is a QTreeView over a QSortFilterProxyModel with 20,000 of the same rows. `--rows N` and `--peer-rows N` change
the sizes, `--json` prints JSON. Half of the subjects are distinct.
"""

import os
import random
import statistics
import time
from dataclasses import replace

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QAbstractTableModel, QSortFilterProxyModel, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QTreeView

from nbmail.ui.kit.theme import apply_theme
from nbmail.ui.list.list_choice import Arrangement, Choice, Column, Kind
from nbmail.ui.list.mail_model import SLICE, MailModel
from nbmail.ui.list.mail_table import MailTable
from nbmail.worker.protocol.events import Changed
from tests.bench._frame import options_of, show
from tests.ui.scripted import NOW, make_rows, make_scores

FRAMES = 120
BUDGETS = {"frame": 16, "sort": 100}
"""Milliseconds by the first word of a figure's name."""
JUMPS = 0.37


class PlainModel(QAbstractTableModel):
    """Model of the peer: Python returns every cell."""

    def __init__(self, rows):
        super().__init__()
        self.columns = [rows.scores.probabilities.tolist(), rows.senders, rows.subjects, rows.dates.tolist()]

    def rowCount(self, parent=None):
        return 0 if parent is not None and parent.isValid() else len(self.columns[0])

    def columnCount(self, parent=None):
        return 0 if parent is not None and parent.isValid() else len(self.columns)

    def data(self, index, role=Qt.ItemDataRole.DisplayRole):
        return self.columns[index.column()][index.row()] if role == Qt.ItemDataRole.DisplayRole else None


def milliseconds(act):
    began = time.process_time()
    act()
    return 1000 * (time.process_time() - began)


def frames(view):
    """Return times of repaints while scrolling and jumping."""
    bar = view.verticalScrollBar()
    times = []
    for number in range(FRAMES):
        jump = number % 4 == 3
        value = int(bar.maximum() * (number * JUMPS % 1)) if jump else bar.value() + 90
        times.append(milliseconds(lambda value=value: (bar.setValue(value), view.viewport().repaint())))
    times.sort()
    return {"median": statistics.median(times), "99 %": times[int(0.99 * len(times))]}


def distinct_rows(count, **more):
    """Return made-up mail of which half has a subject of its own."""
    rows, chance = make_rows(count, **more), random.Random(count)
    subjects = [
        f"{subject} {chance.getrandbits(32):x}" if chance.random() < 0.5 else subject for subject in rows.subjects
    ]
    return replace(rows, subjects=tuple(subjects))


def measure_ours(count):
    app = QApplication.instance() or QApplication([])
    apply_theme(app, "light")
    model = MailModel(clock=lambda: NOW)
    table = MailTable(model)
    table.resize(1600, 1000)
    table.show()
    QTest.qWaitForWindowExposed(table)
    rows = distinct_rows(count, labelled=0.05)
    figures = {"load and first paint": milliseconds(lambda: (model.begin(rows), table.viewport().repaint()))}
    figures |= {f"frame, {name}": value for name, value in frames(table).items()}
    slices = []
    while model.mail.prepare(0):
        slices.append(milliseconds(lambda: model.mail.prepare(SLICE)))
    figures |= {"fold texts, a slice": statistics.median(slices), "fold texts, longest slice": max(slices)}
    figures["fold texts, all"] = sum(slices)
    for column in Column:
        names = [(f"sort by {column.name.lower()}", column), (f"sort by {column.name.lower()} again, reversed", column)]
        for name, each in names:
            figures[name] = milliseconds(lambda each=each: (table.sort_by(each), table.viewport().repaint()))
    figures |= measure_filters(model, table)
    scores = make_scores(rows.messages, rows.scores.log_odds + 0.5)
    figures["new scores of all"] = milliseconds(
        lambda: (model.take(Changed(scores=scores)), table.viewport().repaint())
    )
    figures["select all"] = milliseconds(table.select_all)
    figures["selected messages"] = milliseconds(table.selected_messages)
    table.close()
    return figures


def measure_filters(model, table):
    figures = {}
    choices = {
        "filter unsure": Choice(Kind.UNSURE),
        "filter all": Choice(),
        "search for one word": Choice(words="garden"),
        "search for two words": Choice(words="anna minutes"),
    }
    for name, choice in choices.items():
        arrangement = Arrangement(choice)
        figures[name] = milliseconds(
            lambda arrangement=arrangement: (model.arrange(arrangement), table.viewport().repaint())
        )
    model.arrange(Arrangement())
    figures["counts of the sidebar"] = milliseconds(lambda: (model.mail.count_kinds(None), model.mail.count_folders()))
    return figures


def measure_peer(count):
    QApplication.instance() or QApplication([])
    plain, proxy, view = PlainModel(distinct_rows(count)), QSortFilterProxyModel(), QTreeView()
    proxy.setSourceModel(plain)
    view.setUniformRowHeights(True)
    view.setSelectionMode(QTreeView.SelectionMode.ExtendedSelection)
    view.resize(1600, 1000)
    view.show()
    QTest.qWaitForWindowExposed(view)
    first = milliseconds(lambda: (view.setModel(proxy), view.viewport().repaint()))
    figures = {"load and first paint": first}
    figures |= {f"frame, {name}": value for name, value in frames(view).items()}
    for name, column in (("chance", 0), ("subject", 2)):
        figures[f"sort by {name}"] = milliseconds(lambda column=column: (proxy.sort(column), view.viewport().repaint()))
    all_rows = (plain.index(0, 0), plain.index(count - 1, 3))
    figures["new scores of all"] = milliseconds(lambda: (plain.dataChanged.emit(*all_rows), view.viewport().repaint()))
    figures["select all"] = milliseconds(view.selectAll)
    view.close()
    return figures


def run(arguments):
    options = options_of(arguments, __doc__, rows=200_000, peer_rows=20_000)
    ours, peer = measure_ours(options.rows), measure_peer(options.peer_rows)
    heads = (f"nbmail {options.rows:,}", f"proxy {options.peer_rows:,}")
    lines = [f"{'milliseconds':32} {heads[0]:>18} {heads[1]:>18} {'ratio':>8} {'budget':>8}"]
    for name, value in ours.items():
        other = peer.get(name)
        beside = f"{other:18.1f} {other / value:8.1f}" if other is not None else ""
        budget = BUDGETS.get(name.replace(",", " ").split()[0], "")
        lines.append(f"{name:32} {value:18.1f} {beside:27} {budget:>8}")
    found = {"rows": options.rows, "ours": ours, "peer_rows": options.peer_rows, "peer": peer}
    show(options, found, "\n".join(lines))
    return 0
