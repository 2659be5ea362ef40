"""Rows dragged onto folders and lists with the mouse of a real screen, over a real server."""

import json

from tests.dovecot import PASSWORDS
from tests.e2e.pointing import POINTS
from tests.e2e.running import Running, write_passwords, write_settings
from tests.sync.test_filing import letter


def held(client, name):
    client.select_folder(name, readonly=True)
    return len(client.search())


def test_a_dragged_row_moves_on_the_server_and_back_and_is_marked(tmp_path, screen, dovecot):
    client, home = dovecot.client(), tmp_path / "home"
    client.create_folder("Travel")
    dovecot.put([letter(number) for number in range(1, 6)])
    dovecot.put([letter(6)], folder="Travel")
    write_settings(home, [dovecot.account(folders=("INBOX", "Travel"))])
    write_passwords(tmp_path, PASSWORDS)

    def points():
        found = json.loads((home / POINTS).read_text()) if (home / POINTS).exists() else {"rows": ()}
        return found if len(found["rows"]) == 5 and "Travel" in found["folders"] else None

    with Running(tmp_path, "--home", home, screen=screen, module="tests.e2e.pointing") as running:
        screen.focus("nbmail")
        found = running.wait_for("the rows and the folders", points)
        start, end = found["rows"]["letter 3"], found["folders"]["Travel"]
        screen.drag(start, (start[0] - 60, start[1]), end)
        running.wait_for("the move", lambda: (held(client, "INBOX"), held(client, "Travel")) == (4, 2))
        assert len(client.search(["SUBJECT", "letter 3"])) == 1
        screen.press("ctrl+z")
        running.wait_for("undo", lambda: (held(client, "INBOX"), held(client, "Travel")) == (5, 1))
        found = running.wait_for("the row again", points)
        start, end = found["rows"]["letter 3"], found["folders"]["Not junk"]
        screen.drag(start, (start[0] - 60, start[1]), end)
        running.wait_for("the mark", lambda: list(running.labels().values()) == ["good"])
        screen.press("ctrl+q")
        assert running.end() == (0, "")
