"""Every text of the window is translated, and the window uses the selected language."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from nbmail.ui.texts.language import LANGUAGES, pick_language

ROOT = Path(__file__).parents[2]
TOOL = ROOT / "packaging" / "translations.py"
CODE = """
import sys
from PySide6.QtWidgets import QApplication, QDialogButtonBox
from tests.ui.helpers import said
from tests.ui.real import open_mailbox
app = QApplication([])
window = open_mailbox(language=sys.argv[1]).window
print([action.text() for action in window.menuBar().actions()])
print(window.evidence.sum.text())
print(said(window.head))
buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
print(buttons.buttons()[0].text())
window.close()
"""


def test_no_text_is_new_or_gone_or_without_its_translation():
    done = subprocess.run(
        [sys.executable, TOOL, "--check"], capture_output=True, text=True, timeout=600, check=False
    )
    assert (done.stdout, done.stderr) == ("", ""), (
        f"run python {TOOL.relative_to(ROOT)}, then translate what is new"
    )
    assert done.returncode == 0


@pytest.mark.parametrize(
    ("wanted", "of_system"), [("system", "de_DE.UTF-8"), ("en", "de_DE.UTF-8")]
)
def test_the_window_uses_the_selected_language(wanted, of_system):
    environment = {**os.environ, "LC_ALL": of_system, "LANG": of_system}
    command = [sys.executable, "-c", CODE, wanted]
    done = subprocess.run(
        command, env=environment, cwd=ROOT, capture_output=True, text=True, timeout=600, check=True
    )
    german = wanted == "system"
    menus, together, count, button = done.stdout.splitlines()
    assert menus.startswith(
        "['&Mail', '&Bearbeiten', '&Nachricht'" if german else "['&Mail', '&Edit', 'M&essage'"
    )
    assert together.startswith("Summe" if german else "Total")
    assert ("," in together) == german or not german
    assert ("60 Nachrichten" if german else "60 messages") in count
    assert button.replace("&", "") == ("Abbrechen" if german else "Cancel")


@pytest.mark.parametrize(
    ("wanted", "of_system", "expected"),
    [
        ("de", ["en-GB"], "de"),
        ("system", ["de-AT", "en"], "de"),
        ("system", ["fr-FR", "de"], "de"),
        ("system", ["fr-FR"], "en"),
        ("system", ["C"], "en"),
        ("system", [], "en"),
        ("xx", ["en-US", "de"], "en"),
    ],
)
def test_which_language(wanted, of_system, expected):
    assert pick_language(wanted, of_system) == expected


def test_every_language_but_the_first_has_its_file():
    files = {
        path.stem.removeprefix("nbmail_")
        for path in (ROOT / "resources" / "translations").glob("*.qm")
    }
    assert files == set(LANGUAGES) - {"en"}
