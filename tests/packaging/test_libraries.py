"""The packages contain, or depend on, every part of Qt that the program imports."""

import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
SOURCES = [path.read_text(encoding="utf-8") for path in (ROOT / "nbmail").rglob("*.py")]
IMPORTED = sorted({part for text in SOURCES for part in re.findall(r"PySide6\.Qt(\w+)", text)})


@pytest.fixture(autouse=True)
def packaging(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "packaging"))
    yield
    for name in [name for name in sys.modules if name.partition(".")[0] == "make_packages"]:
        del sys.modules[name]


@pytest.mark.parametrize("part", IMPORTED)
def test_each_part_of_qt_is_in_every_package(part):
    from make_packages.debian import DEPENDS
    from make_packages.windows import QT_PARTS

    assert f"python3-pyside6.qt{part.lower()}" in re.split(r",\s*", DEPENDS)
    for name in (f"PySide6/Qt{part}.pyd", f"PySide6/Qt6{part}.dll"):
        assert QT_PARTS.fullmatch(name)
