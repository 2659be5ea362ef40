"""Everything is readable with large fonts, long words and small screens.

The suite looks at large letters and German, which has the longest words. With NBMAIL_TORTURE also
at usual letters and English, and at more widths of the window.
"""

import os
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QHelpEvent, QImage, QPainter
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QMenu,
    QPushButton,
    QScrollArea,
    QStyleOptionViewItem,
    QTableView,
    QToolBar,
    QToolButton,
)

from nbmail.errors import ErrorCode
from nbmail.ui.accounts.account_dialog import AccountDialog
from nbmail.ui.dialogs.import_dialog import ImportDialog
from nbmail.ui.dialogs.key_map import key_rows
from nbmail.ui.kit.plain_labels import ElidedLabel
from nbmail.ui.kit.sizes import available_size, header_width
from nbmail.ui.kit.theme import LIGHT
from nbmail.ui.list.list_choice import Column
from nbmail.ui.list.table import chance_cell
from nbmail.ui.model.model_window import ModelWindow
from nbmail.ui.model.reliability_chart import ReliabilityChart
from nbmail.ui.texts.error_texts import error_notice
from nbmail.ui.texts.language import set_language
from nbmail.values import VERDICTS
from nbmail.worker.protocol.events import MovedByOthers
from nbmail.worker.protocol.model_files import Agreement, ImportReport
from tests.ui import scenes
from tests.ui.helpers import Calls, is_idle, place_of, put_away
from tests.ui.pictures import SCENES
from tests.ui.test_keyboard import PLACES, check_reached

TORTURE = bool(os.environ.get("NBMAIL_TORTURE"))
LETTERS = {"usual": 1, "large": 1.5} if TORTURE else {"large": 1.5}
LANGUAGES = ["en", "de"] if TORTURE else ["de"]
SMALL_WINDOWS = [((800, 600), 1.5), ((640, 480), 1.6)] if TORTURE else [((640, 480), 1.6)]
WIDTHS = (1280, 800, 1000, 1900, 2560) if TORTURE else (1280, 800, 2560)


@pytest.fixture(params=LETTERS.values(), ids=LETTERS.keys())
def letters(request, qapp):
    """Factor of the font size. Users with low vision choose a large one."""
    before = qapp.font()
    font = qapp.font()
    font.setPointSizeF(font.pointSizeF() * request.param)
    qapp.setFont(font)
    yield request.param
    qapp.setFont(before)


@pytest.fixture(params=LANGUAGES)
def language(request, qapp):
    """Language of the window."""
    yield request.param
    set_language(qapp, "en")


def cut_headings(table):
    """Return the headings of visible columns that are too narrow for them."""
    header = table.horizontalHeader()
    return [
        table.model().headerData(column, Qt.Orientation.Horizontal)
        for column in range(header.count())
        if not header.isSectionHidden(column)
        and header.sectionSize(column) < header_width(table, column)
    ]


def squashed(dialog):
    """Return fields, buttons and labels that are smaller than their contents."""
    kinds = (QComboBox, QLineEdit, QPushButton, QToolButton, QLabel)
    words = (QLabel, QPushButton, QToolButton)
    shown = [each for kind in kinds for each in dialog.findChildren(kind) if each.isVisible()]
    within = ("QAbstractSpinBox", "QLineEdit")
    return [
        each
        for each in shown
        if (
            each.height() < each.minimumSizeHint().height()
            and not any(map(each.parent().inherits, within))
        )
        or (
            isinstance(each, words)
            and each.text()
            and each.width() < each.minimumSizeHint().width()
        )
    ]


def beyond_the_screen(place):
    """Return by how many pixels a window or menu exceeds the screen. Menus have no frame."""
    room = place.screen().availableSize() if isinstance(place, QMenu) else available_size(place)
    return [
        more for more in (place.width() - room.width(), place.height() - room.height()) if more > 0
    ]


def test_no_heading_of_list_and_reasons_is_cut(open_window, letters, language, qtbot):
    window = open_window(language=language)
    qtbot.waitUntil(lambda: window.evidence.why is not None)
    for width in WIDTHS:
        window.resize(width, 800)
        scenes.settle(window)
        assert cut_headings(window.table) == cut_headings(window.evidence.table) == []
        assert window.table.horizontalHeader().length() <= window.table.viewport().width()
        assert window.table.columnWidth(Column.SUBJECT) >= 120


def test_stored_widths_of_another_language_cut_no_heading(open_mailbox, qapp):
    first = open_mailbox(0, size=(1390, 800))
    first.close()
    window = open_mailbox(home=first.home, size=(1390, 800), language="de").window
    window.table.header.empty.clear()
    window.table.header.make_room()
    assert not window.table.isColumnHidden(Column.SUGGESTED)
    assert cut_headings(window.table) == []
    set_language(qapp, "en")


@pytest.mark.parametrize("letters", [1.6], indirect=True)
def test_in_a_small_window_the_learning_bar_shows_what_a_young_model_needs(
    open_window, letters, language
):
    window = open_window(5, language=language, size=(640, 480))
    scenes.settle(window)
    needs = window.learning_bar.findChild(ElidedLabel)
    assert len(needs.shown()) > 25
    assert squashed(window.learning_bar) == overlapping(window.learning_bar) == []


def long_import_report(window):
    agreement = Agreement(12_345, 12_400, 54_321, 60_000)
    classes = tuple((f"class {number} of many", 12_345) for number in range(20))
    path = Path("a file that has a rather long name " * 9)
    parts = tuple((f"bucket {number}", "ham") for number in range(20))
    words = (999_999, 123_456, 876_543, 12_345)
    found = ImportReport(path, "popfile", classes, parts, *words, True, agreement, True, True)
    return ImportDialog(window, found, lambda _: None)


def test_a_banner_moves_no_row_and_twelve_rows_are_seen(open_window, qtbot):
    window = open_window()
    window.show()
    table = window.table
    scenes.settle(window)
    assert table.viewport().height() // table.row_painter.row_height() >= 12

    def places():
        return [widget.mapToGlobal(QPoint()) for widget in (table.viewport(), window.message)]

    before = places()
    window.banner.show_notice(error_notice(ErrorCode.DISK_FULL))
    qtbot.waitUntil(lambda: window.banner.isVisible() and window.banner.height() > 0)
    scenes.settle(window)
    assert places() == before


def test_a_long_import_report_fits_the_screen(open_window, letters, language):
    window = open_window(0, language=language)
    dialog = long_import_report(window)
    dialog.open()
    scenes.settle(window)
    assert beyond_the_screen(dialog) == []
    assert squashed(dialog) == []
    dialog.close()


@pytest.mark.parametrize("letters", [1.6], indirect=True)
def test_a_low_dialog_scrolls_to_a_missing_entry_and_to_search_results(
    open_window, letters, monkeypatch, qtbot
):
    monkeypatch.setattr("nbmail.ui.kit.dialogs.available_size", lambda _: QSize(600, 400))
    dialog = AccountDialog(open_window(0), Calls([]), lambda *_: None)
    dialog.open()
    view = dialog.area.viewport()

    def in_sight(part):
        return part.isVisible() and view.rect().contains(placed(part, view))

    assert not in_sight(dialog.form.password)
    dialog.accept()
    qtbot.waitUntil(lambda: in_sight(dialog.problem))
    dialog.area.verticalScrollBar().setValue(0)
    dialog.search.look("anna@mail.example")
    qtbot.waitUntil(lambda: in_sight(dialog.search))
    dialog.close()


def test_buttons_stand_below_each_other_where_the_screen_is_too_narrow(open_window, monkeypatch):
    window = open_window(0)
    dialog = long_import_report(window)
    buttons = dialog.buttons.buttons()
    for width, tops in ((1000, 1), (300, 3)):
        monkeypatch.setattr(
            "nbmail.ui.kit.dialogs.available_size", lambda _, width=width: QSize(width, 700)
        )
        dialog.open()
        scenes.settle(window)
        assert len({each.y() for each in buttons}) == tops
        assert squashed(dialog.buttons) == []
        dialog.hide()
    dialog.close()


@pytest.mark.parametrize("letters", [5], indirect=True)
def test_the_field_with_focus_is_scrolled_into_view(open_window, letters, qtbot):
    window = open_window(0)
    dialog = AccountDialog(window, Calls([]), lambda *_: None, before=window.settings.accounts[0])
    dialog.open()
    scenes.settle(window)
    assert dialog.height() == available_size(dialog).height()
    last = dialog.form.choose_folders
    area = dialog.area.viewport()
    assert not area.rect().contains(last.mapTo(area, last.rect().center()))
    dialog.activateWindow()
    for _ in range(30):
        if last.hasFocus():
            break
        qtbot.keyClick(QApplication.focusWidget() or dialog, Qt.Key.Key_Tab)
    assert last.hasFocus()
    assert area.rect().contains(last.mapTo(area, last.rect().center()))
    dialog.close()


def test_in_a_narrow_column_no_percentage_is_cut_for_a_bar_and_all_rows_have_bars_or_none(
    open_window, monkeypatch
):
    window = open_window()
    window.model.mail.probabilities[window.model.mail.order[:4]] = 0.63, 0.9999, 0.05, 0.955
    elided = QFontMetrics.elidedText
    for width in range(90, 180, 3):
        seen = []
        monkeypatch.setattr(chance_cell, "fill_round", lambda *_, seen=seen: seen.append("bar"))

        def elide(metrics, text, *more, seen=seen):
            if (shown := elided(metrics, text, *more)) != text:
                seen.append("cut")
            return shown

        monkeypatch.setattr(QFontMetrics, "elidedText", elide)
        window.table.setColumnWidth(Column.CHANCE, width)
        picture = QImage(width, 30, QImage.Format.Format_RGB32)
        cell = QStyleOptionViewItem()
        cell.rect, painter = picture.rect(), QPainter(picture)
        for row in range(4):
            window.table.row_painter.paint(painter, cell, window.model.index(row, Column.CHANCE))
        painter.end()
        assert seen in ([], ["bar"] * 8), f"{width} pixels"


def test_the_axis_label_of_a_narrow_chart_is_not_cut(language, qtbot, qapp, monkeypatch):
    set_language(qapp, language)
    chart = ReliabilityChart()
    whole = []
    qtbot.addWidget(chart)
    chart.resize(260, 190)
    elided = QFontMetrics.elidedText
    monkeypatch.setattr(
        QFontMetrics,
        "elidedText",
        lambda self, text, *rest: whole.append(elided(self, text, *rest) == text) or text,
    )
    chart.grab()
    assert whole == [True]


def test_keys_are_written_as_on_the_users_keyboard(open_window):
    window = open_window(0, language="de")
    keys = dict(key_rows(window.actions()))
    assert not any("Ctrl" in each or "Shift" in each for each in keys.values())
    set_language(QApplication.instance(), "en")


def test_a_label_too_long_for_its_line_ends_in_an_ellipsis_and_is_whole_in_its_tooltip(qtbot):
    label = ElidedLabel("Learning from folders in home is paused: Lists, Archive")
    qtbot.addWidget(label)
    label.resize(400, 20)
    assert label.shown() == label.text()
    label.resize(90, 20)
    assert label.shown().endswith("…")
    assert label.text().endswith("Archive")
    told = []
    label.setToolTip = told.append
    QApplication.sendEvent(
        label, QHelpEvent(QEvent.Type.ToolTip, QPoint(3, 3), label.mapToGlobal(QPoint(3, 3)))
    )
    assert told == [label.text(), ""]


def test_the_search_field_shows_its_purpose_in_a_small_window(open_window, language):
    window = open_window(0, language=language, size=(800, 600))
    scenes.settle(window)
    room = window.search.contentsRect().width() - 20
    assert (
        QFontMetrics(window.search.font()).horizontalAdvance(window.search.placeholderText())
        <= room
    )
    window.resize(1600, 600)
    scenes.settle(window)
    bar = window.search.window().findChild(QToolBar)
    last = bar.widgetForAction(window.actions_by_name["import"])
    assert last.mapTo(bar, last.rect().topRight()).x() > bar.width() - 20


def test_search_words_are_visible_in_the_smallest_window(open_window, letters, language):
    window = open_window(0, language=language, size=(640, 480))
    window.search.setText("harbour")
    scenes.settle(window)
    assert window.search.isVisible()
    assert window.search.contentsRect().width() > QFontMetrics(
        window.search.font()
    ).horizontalAdvance("harbour")


def overlapping(pane):
    """Return the texts of visible labels that are too low for them."""
    return [
        label.text()
        for label in pane.findChildren(QLabel)
        if label.isVisible()
        and label.text()
        and label.height() < label.heightForWidth(label.width())
    ]


def test_in_a_low_window_lines_are_hidden_before_they_overlap(open_window, letters, qtbot):
    window = open_window(size=(800, 600))
    window.table.go_to(2)
    qtbot.waitUntil(lambda: is_idle(window))
    window.bridge.emit_event(MovedByOthers((1, 2, 3), "ham"))
    qtbot.waitUntil(window.offers.isVisible)
    scenes.settle(window)
    assert overlapping(window.message) == []
    assert overlapping(window.evidence) == []
    assert window.message.headers.isRowVisible(0)
    window.resize(1280, 1200)
    scenes.settle(window)
    assert all(
        window.message.headers.isRowVisible(row) for row in range(window.message.headers.rowCount())
    )


def in_view(part, panel):
    """Return the visible share of the height of a widget."""
    area = placed(part, panel)
    scroll = panel.findChild(QScrollArea)
    if scroll.widget().isAncestorOf(part):
        area = area.intersected(placed(scroll, panel))
    return area.intersected(panel.rect()).height() / part.height() if part.isVisible() else 0


@pytest.mark.parametrize(("size", "letters"), SMALL_WINDOWS, indirect=["letters"])
def test_in_a_small_window_all_reasons_and_answers_can_be_reached(
    open_window, language, letters, qtbot, size
):
    window = open_window(inbox=100, language=language, size=size)
    panel = window.evidence
    unsure = VERDICTS.index("unsure")
    mail = window.model.mail
    likely = [
        each
        for each in mail.order
        if mail.verdicts[each] == unsure and mail.probabilities[each] > 0.5
    ]
    window.table.go_to(list(mail.order).index(likely[0]))
    qtbot.waitUntil(lambda: is_idle(window))
    for part in (panel.verdict, panel.held_back, panel.dial):
        qtbot.waitUntil(lambda part=part: in_view(part, panel) == 1)
        assert part.text() not in ("", "…")
    qtbot.waitUntil(lambda: in_view(panel.table, panel) > 0.6)
    window.actions_by_name["explain"].trigger()
    qtbot.waitUntil(lambda: in_view(panel.table, panel) > 0.6)
    for button, answer in (
        (panel.if_ham, panel.answer),
        (panel.parts[1], panel.part),
    ):
        assert button.isVisible()
        button.click()
        qtbot.waitUntil(
            lambda answer=answer: answer.text()[-1:] == "." and in_view(answer, panel) == 1
        )
        qtbot.waitUntil(lambda: not overlapping(panel))
        content = panel.findChild(QScrollArea).widget()
        shown = [each for each in content.findChildren(QLabel) if each.isVisible()]
        assert not [
            each for each in shown if placed(each, content).intersects(panel.table.geometry())
        ]


@pytest.mark.parametrize("scene", sorted(SCENES.keys() - {"dark", "large"}))
@pytest.mark.parametrize("letters", [1.6], indirect=True)
def test_in_a_small_window_with_large_letters_no_words_are_cut_and_all_controls_are_reached(
    scene, letters, qtbot, qapp, monkeypatch
):
    """In German, because its words are longer."""
    monkeypatch.setattr(scenes, "LOOK", scenes.Look("light", "de", (640, 480)))
    window = SCENES[scene]()
    place = place_of(window)
    scenes.settle(window)
    qtbot.waitUntil(lambda: not overlapping(place) and not squashed(place))
    assert beyond_the_screen(place) == []
    for table in place.findChildren(QTableView) if place is not window else ():
        if not table.isVisible() or (
            isinstance(place, ModelWindow) and table is place.folders.against
        ):
            continue
        assert cut_headings(table) == []
        assert table.horizontalHeader().length() <= table.viewport().width()
    if scene in PLACES:
        check_reached(place, qtbot)
    put_away(window)
    set_language(qapp, "en")


@pytest.mark.parametrize("letters", [1.6], indirect=True)
def test_in_a_small_window_every_page_of_the_model_window_fits_and_can_be_selected(
    open_window, language, letters, qtbot
):
    window = open_window(language=language)
    window.parts.show_model()
    dialog = window.findChild(ModelWindow)
    assert dialog.names.isVisible() != dialog.chooser.isVisible()
    dialog.resize(600, 440)
    qtbot.waitUntil(dialog.chooser.isVisible)
    for page in (dialog.accuracy, dialog.words, dialog.methods, dialog.folders, dialog.history):
        dialog.go_to(page)
        qtbot.waitUntil(
            lambda page=page: page.isVisible() and not page.is_loading and not overlapping(page)
        )
        against = dialog.folders.against
        tables = [
            each
            for each in page.findChildren(QTableView)
            if each.isVisible() and each is not against
        ]
        qtbot.waitUntil(lambda tables=tables: not any(map(cut_headings, tables)))
    for line in dialog.history.table.rows[:20]:
        assert dialog.history.table.fontMetrics().horizontalAdvance(
            line.cells[0]
        ) < dialog.history.table.columnWidth(0)
    dialog.go_to(dialog.files)
    qtbot.waitUntil(lambda: dialog.files.reset.isVisible() and not overlapping(dialog.files))
    dialog.close()


def placed(part, within):
    return QRect(part.mapTo(within, QPoint()), part.size())


def test_the_selection_of_a_list_without_focus_is_grey(open_window, qtbot):
    window = open_window()
    window.activateWindow()
    window.table.go_to(2)
    qtbot.waitUntil(lambda: is_idle(window))

    def background():
        spot = window.table.visualRect(window.model.index(2, Column.DATE)).topRight() - QPoint(
            3, -3
        )
        return window.table.viewport().grab().toImage().pixelColor(spot).name()

    for place, colour in ((window.table, LIGHT.chosen), (window.search, LIGHT.idle)):
        place.setFocus()
        qtbot.waitUntil(place.hasFocus)
        qtbot.waitUntil(lambda colour=colour: background() == colour)


def test_a_score_breakdown_that_fits_has_no_scroll_bar(open_window, qtbot):
    window = open_window(size=(2560, 1440))
    qtbot.waitUntil(window.evidence.table.isVisible)
    scenes.settle(window)
    assert not window.evidence.table.verticalScrollBar().isVisible()
