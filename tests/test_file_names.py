"""Names of attachments are visible, safe on every file system, and stable."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbmail.text.file_names import MOST_BYTES, clean_file_name

NAMES = {
    "invoice.e\u00adxe": "invoice.exe",
    "invoice.e\u200dxe": "invoice.exe",
    "invoice.e\u3164xe": "invoice.exe",
    "invoice.exe\u200b . ": "invoice.exe",
    "invoice.e:xe": "invoice.exe",
    "photo\u202egnp.exe": "photognp.exe",
    "invoice" + " " * 200 + ".pdf.exe": "invoice .pdf.exe",
    "a\u00a0b\tc.txt": "a b c.txt",
    "../../.ssh/authorized_keys": "authorized_keys",
    "C:\\Windows\\cmd.exe": "cmd.exe",
    "folder/": "folder",
    ".bashrc": "bashrc",
    "nul.txt": "_nul.txt",
    "console.txt": "console.txt",
    "e\u0301te\u0301.pdf": "été.pdf",
    "می\u200cخواهم.pdf": "می\u200cخواهم.pdf",
    "\ud800.txt": "txt",
    "...": "",
    "": "",
}


@pytest.mark.parametrize("written", NAMES)
def test_clean_names(written):
    assert clean_file_name(written) == NAMES[written]


def test_long_names_keep_their_extension():
    name = clean_file_name("ä" * 1000 + ".docm")
    assert name.endswith("ä.docm")
    assert len(name.encode()) <= MOST_BYTES
    assert len(clean_file_name("x." + "y" * 1000).encode()) <= MOST_BYTES


@given(st.text(max_size=400) | st.text("a.é \u00ad\u200d\u202e/\\:e\u0301\ud800", max_size=40))
def test_every_name_is_safe_and_stable(written):
    name = clean_file_name(written)
    assert clean_file_name(name) == name
    assert len(name.encode()) <= MOST_BYTES + 1
    assert not set(name) & set('/\\:*?"<>|')
    assert name == name.strip(" .")
    assert name.replace("\u200c", "").replace("\u200d", "").isprintable()
