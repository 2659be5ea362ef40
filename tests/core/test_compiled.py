import sys
from types import ModuleType

from nbmail.core.compiled import compiled


def test_a_module_that_is_missing_or_of_another_version_is_not_used(monkeypatch):
    made_up = ModuleType("made_up")
    assert compiled("made_up", 1) is None
    monkeypatch.setitem(sys.modules, "nbmail.core.compiled.made_up", made_up)
    assert compiled("made_up", 1) is None
    made_up.VERSION = 1
    assert compiled("made_up", 2) is None
    assert compiled("made_up", 1) is made_up
