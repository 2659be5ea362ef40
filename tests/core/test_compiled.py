"""Which compiled modules are used: tried on a module that is surely there."""

import sys

from nbmail.core.compiled import compiled


def test_a_module_that_is_missing_or_of_another_version_is_not_used(monkeypatch):
    assert compiled("nothing_of_that_name", 1) is None
    assert compiled("compiled", 1) is None
    monkeypatch.setattr("nbmail.core.compiled.VERSION", 1, raising=False)
    assert compiled("compiled", 2) is None
    assert compiled("compiled", 1) is sys.modules["nbmail.core.compiled"]
