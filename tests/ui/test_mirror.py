"""For those who read from right to left everything is there, the other way round."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication, QSlider

from nbmail.settings import Settings
from nbmail.ui.evidence.evidence_ledger import Detail, sides
from nbmail.ui.kit.mirror import Mirror
from nbmail.ui.kit.theme import LIGHT, dress
from nbmail.ui.list.columns import Column
from nbmail.ui.list.list_choice import Kind
from nbmail.ui.past.open_past import show_history
from nbmail.ui.past.past_window import HistoryDialog
from tests.ui.scripted import make_rows

numbers = st.integers(0, 300)


@given(numbers, numbers, numbers, numbers)
def test_what_is_turned_twice_lies_where_it_was(left, width, inset, length):
    cell, area = QRect(left, 5, width, 20), QRect(left + inset, 7, length, 9)
    mirror = Mirror(cell, turned=True)
    assert mirror.area(mirror.area(area)) == area
    assert mirror.area(cell) == cell
    assert mirror.area(area).right() - cell.left() == cell.right() - area.left()
    shape = QRectF(area)
    assert mirror.shape(shape) == QRectF(mirror.area(area))
    assert Mirror(cell, turned=False).area(area) == area
    assert Mirror(cell, turned=False).shape(shape) == shape


def test_over_the_bars_each_arrow_points_to_its_side():
    assert sides(turned=False).startswith("◂ good")
    assert sides(turned=True).startswith("▸ good")


@pytest.fixture
def turned(qapp):
    qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    yield
    qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


def painted(widget, rect, colour, near=0):
    """The middle of what is painted in about this colour, from the left edge of the rectangle."""
    image, wanted = widget.grab(rect).toImage(), QColor(colour).getRgb()[:3]
    places = [
        x
        for x in range(image.width())
        for y in range(image.height())
        if sum(abs(a - b) for a, b in zip(image.pixelColor(x, y).getRgb(), wanted, strict=False)) <= near
    ]
    return sum(places) / len(places)


def test_bars_icons_and_names_are_turned(turned, open_window, qtbot):
    window = open_window()
    table, shades = window.table, window.shades
    qtbot.waitUntil(lambda: window.evidence.why is not None)
    junk = next(row for row, at in enumerate(window.model.mail.order) if window.model.mail.probabilities[at] > 0.9)
    table.go_to(junk)
    qtbot.waitUntil(lambda: window.evidence.why.log_odds > 0)
    cell = table.visualRect(window.model.index(junk, Column.CHANCE))
    assert cell.right() > table.viewport().width() - 20
    assert painted(table.viewport(), cell, shades.junk) > cell.width() / 2
    assert painted(table.viewport(), cell, shades.accent) > cell.width() - 4
    words = window.evidence.table
    bar = words.visualRect(window.evidence.model.index(0, Detail.BAR))
    assert painted(words.viewport(), bar, shades.junk) < bar.width() / 2
    line = window.sidebar.visualRect(window.sidebar_model.index(Kind.JUNK, 0))
    assert painted(window.sidebar.viewport(), line, shades.junk, 90) > line.width() / 2


def test_a_line_about_the_past_is_current_and_time_goes_as_reading_does(turned, open_window, qtbot):
    window = open_window(rows=make_rows(60, labelled=0.5))
    show_history(window)
    dialog = window.findChild(HistoryDialog)
    qtbot.waitUntil(lambda: bool(dialog.marks.table.list.lines))
    assert dialog.marks.table.current() is not None
    dialog.tabs.setCurrentWidget(dialog.one_sender)
    chart = dialog.one_sender.chart
    qtbot.waitUntil(lambda: len(chart.points) > 2)
    spots = chart.spots()
    assert spots[0].x() > spots[-1].x()
    qtbot.keyClick(chart, Qt.Key.Key_Right)
    assert chart.current == len(spots) - 2
    scale = chart.grab().toImage()
    background = scale.pixelColor(chart.width() // 2, chart.height() - 1)
    top = chart.height() - 40
    words = [x for x in range(chart.width()) if any(scale.pixelColor(x, y) != background for y in range(top, top + 12))]
    assert max(words) > spots[0].x(), "the scale stands where time begins"
    assert dialog.one_sender.when.text().split()[-1].count(":") == 1
    assert dialog.one_sender.when.displayFormat().endswith("HH:mm")
    dialog.close()


def test_what_a_newcomer_needs_has_the_keyboard(open_window, qtbot):
    window = open_window(0, settings=Settings())
    window.activateWindow()
    qtbot.waitUntil(window.welcome.isVisible)
    qtbot.waitUntil(lambda: QApplication.focusWidget() is window.welcome.button)


def test_a_slider_is_filled_from_where_reading_begins(turned, qtbot, qapp):
    dress(qapp, "light")
    slider = QSlider(Qt.Orientation.Horizontal)
    qtbot.addWidget(slider)
    slider.setRange(0, 10)
    slider.setValue(3)
    slider.resize(200, 22)
    slider.show()
    assert painted(slider, slider.rect(), LIGHT.accent) > 120
    qapp.setStyleSheet("")
