"""Keyring of the program under test, in a file that the test has written."""

import json
import os
from pathlib import Path

from keyring.backend import KeyringBackend


class Keys(KeyringBackend):
    """Passwords by user name, the part of an entry before the @."""

    priority = 1

    def get_password(self, service, username):
        return self._read().get(username.partition("@")[0])

    def set_password(self, service, username, password):
        self._path().write_text(json.dumps({**self._read(), username.partition("@")[0]: password}))

    def delete_password(self, service, username):
        known = self._read()
        known.pop(username.partition("@")[0], None)
        self._path().write_text(json.dumps(known))

    def _path(self):
        return Path(os.environ["NBMAIL_E2E_KEYS"])

    def _read(self):
        return json.loads(self._path().read_text()) if self._path().exists() else {}
