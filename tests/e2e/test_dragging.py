"""Rows dragged onto folders and lists with the mouse of a real screen, over a real server."""

from tests.dovecot import PASSWORDS
from tests.e2e.running import Running, write_passwords, write_settings
from tests.sync.letters import letter


def drag(running, screen, subject, target):
    """Drag a row onto an entry of the sidebar.

    The window may have missed where the mouse was: its reports are read.
    """

    def rests():
        before = running.shown()
        now = running.shown()
        is_there = len(now["rows"]) == 5 and "Travel" in now["folders"] and now["synced"]
        return is_there and before | {"number": 0} == now | {"number": 0} and now

    shown = running.wait_for("the rows and the folders", rests)
    x, y = shown["rows"][subject]
    screen.point(x, y)
    screen.hold()
    screen.point(x - 60, y)
    running.until("the drag", lambda shown: shown["drags"])
    screen.point(*shown["folders"][target])
    running.until("the target", lambda shown: shown["dragged_over"] == target)
    screen.release()


def test_a_dragged_row_moves_on_the_server_and_back_and_is_marked(tmp_path, screen, dovecot):
    client = dovecot.client()
    home = tmp_path / "home"
    client.create_folder("Travel")
    dovecot.put([letter(number) for number in range(1, 6)])
    dovecot.put([letter(6)], folder="Travel")
    write_settings(home, [dovecot.account(folders=("INBOX", "Travel"))])
    write_passwords(tmp_path, PASSWORDS)

    def held():
        return [len(client.letters(name)) for name in ("INBOX", "Travel")]

    with Running(tmp_path, "--home", home, screen=screen) as running:
        screen.focus("nbmail")
        drag(running, screen, "letter 3", "Travel")
        running.wait_for("the move", lambda: held() == [4, 2])
        assert client.uids("Travel", 3)
        running.until("undo", lambda shown: shown["can_undo"])
        screen.press("ctrl+z")
        running.wait_for("the move back", lambda: held() == [5, 1])
        drag(running, screen, "letter 3", "Not spam")
        running.wait_for("the mark", lambda: list(running.labels().values()) == ["ham"])
        screen.press("ctrl+q")
        assert running.end() == (0, "")
