"""Start at login: entries that the systems read, in fakes of those that this one is not."""

import os
import plistlib
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

from nbmail.app.autostart import APPROVED, RUN, login_entry, own_command
from tests.needs import need_program
from tests.waiting import wait_for

HARD = ["/tmp/a b", "c:\\d", "100%", 'say "so"', "$HOME `x`", "ä", "'", "--minimized"]


class FakeRegistry:
    """The part of `winreg` that is used, over dictionaries: values by key."""

    HKEY_CURRENT_USER = "user"
    KEY_SET_VALUE = 2
    REG_SZ = 1

    def __init__(self):
        self.keys = {}

    @contextmanager
    def OpenKey(self, root, key, reserved=0, access=1):
        if key not in self.keys:
            raise FileNotFoundError(2, "The system cannot find the file specified", key)
        yield self.keys[key]

    @contextmanager
    def CreateKey(self, root, key):
        yield self.keys.setdefault(key, {})

    def SetValueEx(self, key, name, reserved, kind, value):
        key[name] = value

    def QueryValueEx(self, key, name):
        if name not in key:
            raise FileNotFoundError(2, "The system cannot find the file specified", name)
        return key[name], self.REG_SZ

    def DeleteValue(self, key, name):
        if key.pop(name, None) is None:
            raise FileNotFoundError(2, "The system cannot find the file specified", name)


@pytest.fixture
def registry(monkeypatch):
    fake = FakeRegistry()
    monkeypatch.setitem(sys.modules, "winreg", fake)
    return fake


def entry(tmp_path, platform, home=None, command=HARD, **environment):
    return login_entry(command, home, user=tmp_path, environment=environment, platform=platform)


@pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
def test_an_entry_is_added_and_removed_without_a_trace_and_each_home_has_its_own(
    tmp_path, registry, platform
):
    one = entry(tmp_path, platform)
    other = entry(tmp_path, platform, Path("/home/other"))
    assert not one.is_on()
    one.change(False)
    other.change(True)
    assert (one.is_on(), other.is_on()) == (False, True)
    one.change(True)
    one.change(True)
    other.change(False)
    assert (one.is_on(), other.is_on()) == (True, False)
    one.change(False)
    assert not one.is_on()
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]
    assert not any(registry.keys.values())


def test_a_linux_desktop_starts_exactly_this_command(tmp_path):
    """GLib reads the file, as GNOME does; the desktops' own checker finds no fault."""
    gio = need_program("gio")
    check = need_program("desktop-file-validate")
    noted = tmp_path / "noted"
    command = [
        sys.executable,
        "-c",
        f"import sys; open({str(noted)!r}, 'w').write(repr(sys.argv[1:]))",
        *HARD,
    ]
    entry(tmp_path, "linux", command=command).change(True)
    [path] = (tmp_path / ".config/autostart").iterdir()
    subprocess.run([check, path], check=True)
    subprocess.run(
        [gio, "launch", path], check=True, env={**os.environ, "HOME": str(tmp_path / "user")}
    )
    wait_for(lambda: noted.exists() and noted.read_text())
    assert noted.read_text() == repr(HARD)


def test_the_desktops_own_folder_and_switches_count(tmp_path):
    config = tmp_path / "elsewhere"
    there = entry(tmp_path, "linux", XDG_CONFIG_HOME=str(config))
    there.change(True)
    [path] = (config / "autostart").iterdir()
    for line in ("Hidden=true", "X-GNOME-Autostart-enabled=false"):
        path.write_text(f"{path.read_text()}{line}\n")
        assert not there.is_on()
        there.change(True)
        assert there.is_on()
    assert entry(tmp_path, "linux", FLATPAK_ID="org.nbmail.nbmail") is None


def test_launchd_gets_the_command_word_by_word(tmp_path):
    entry(tmp_path, "darwin").change(True)
    [path] = (tmp_path / "Library/LaunchAgents").iterdir()
    agent = plistlib.loads(path.read_bytes())
    assert agent["ProgramArguments"] == HARD
    assert agent["RunAtLoad"] is True
    assert agent["Label"] == path.stem


def test_windows_gets_one_command_line_and_its_task_manager_may_disable_it(tmp_path, registry):
    here = entry(
        tmp_path,
        "win32",
        command=[r"C:\Program Files\nbmail\pythonw.exe", "-m", "nbmail", "--minimized"],
    )
    here.change(True)
    assert (
        registry.keys[RUN]["nbmail"]
        == r'"C:\Program Files\nbmail\pythonw.exe" -m nbmail --minimized'
    )
    registry.keys[APPROVED] = {"nbmail": b"\x03" + bytes(11), "other": b"\x02"}
    assert not here.is_on()
    here.change(True)
    assert here.is_on()
    assert registry.keys[APPROVED] == {"other": b"\x02"}


def test_an_installed_program_is_started_by_its_name_and_a_checkout_by_its_module(tmp_path):
    script = tmp_path / "nbmail"
    module = ["/usr/bin/python3", "-P", "-c", "start"]
    assert own_command(str(script), module, None, "linux") == [*module, "--minimized"]
    script.touch()
    assert own_command(str(script), module, Path("/h"), "linux") == [
        str(script),
        "--minimized",
        "--home",
        "/h",
    ]
    console = [str(tmp_path / "python.exe"), *module[1:]]
    assert own_command(str(script), console, None, "win32") == [*console, "--minimized"]
    (tmp_path / "pythonw.exe").touch()
    assert own_command(str(script), console, None, "win32")[0] == str(tmp_path / "pythonw.exe")


def test_a_refusal_is_an_error_of_the_system(tmp_path):
    (tmp_path / ".config").touch()
    with pytest.raises(OSError, match=r"irectory|exists"):
        entry(tmp_path, "linux").change(True)
