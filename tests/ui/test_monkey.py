"""Keys and clicks at random, on the real engine and real-looking mail: nothing may raise, complain or break."""

import os

import pytest
from PySide6.QtWidgets import QApplication, QFileDialog

from nbmail.worker.protocol import Broken
from tests.ui.monkey import PATIENCE, Monkey
from tests.ui.real import settle

SEEDS, ACTS = (range(5), 10_000) if os.environ.get("NBMAIL_TORTURE") else (range(1), 300)


@pytest.mark.qt_log_ignore("This plugin does not support", "occurs outside target window")
@pytest.mark.parametrize("seed", SEEDS)
def test_a_monkey_breaks_nothing(seed, house, qtbot, qtlog, caplog, monkeypatch, tmp_path):
    """The first fault ends the run and is told with the acts that led to it."""
    chosen = tmp_path / "chosen.nbmodel"
    monkeypatch.setattr(QFileDialog, "open", lambda dialog: (dialog.fileSelected.emit(str(chosen)), dialog.reject()))
    house.learn_demo(qtbot, 30, rest=True)
    house.window.model_files.export_to(chosen)
    settle(house, qtbot)
    house.window.actions_by_name["quit"].setVisible(False)
    house.window.actions_by_name["quit"].setEnabled(False)
    broken, monkey = [], Monkey(seed)
    house.bridge.arrived.connect(lambda event: broken.append(event) if isinstance(event, Broken) else None)
    with qtbot.capture_exceptions() as raised:
        for act in range(ACTS):
            monkey.act()
            qtbot.wait(50 if act % 40 == 0 else 0)
            loud = [record.getMessage() for record in caplog.records if record.levelname in ("WARNING", "ERROR")]
            said = [
                record.message for record in qtlog.records if record.type_name != "QtDebugMsg" and not record.ignored
            ]
            faults = [*raised, *broken, *loud, *said]
            assert not faults, "\n".join([f"act {act}: {faults}", *monkey.trail])
            assert house.window.isVisible(), "\n".join(monkey.trail)
        while front := QApplication.activePopupWidget() or QApplication.activeModalWidget():
            front.close()
        settle(house, qtbot)
        # Until the monkey's own timers have run out.
        qtbot.wait(2 * PATIENCE)
