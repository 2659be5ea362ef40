"""Small scripted IMAP server for tests of faults.

`FakeImap({1: b"..."})` serves one mailbox on a loopback port. `hooks` maps a command ("UID FETCH",
"IDLE", …) to a function `hook(line, tag, arguments)`. A hook that returns True has answered;
otherwise the server answers correctly. `commands` lists all commands and `connections` counts
connections. More than `most` concurrent connections get the text `crowded` instead of a greeting.

Each built-in answer describes one moment: the server holds `changing()` from the first look at its
folders to the last line sent. A test that changes folders, flags or UIDVALIDITY while a client is
connected holds it too. Hooks run without it.
"""

import contextlib
import re
import socket
import socketserver
import ssl
import threading
import time

from nbmail.settings import Account, Security

HERE = "127.0.0.1"
PATIENCE = 60.0


class Listener(socketserver.ThreadingTCPServer):
    """Server that accepts connections until `close`."""

    allow_reuse_address = True
    request_queue_size = 100

    def __init__(self, at=HERE, port=0):
        self.connections = 0
        super().__init__((at, port), None)
        self.port = self.server_address[1]
        name = type(self).__name__
        self._accepting = threading.Thread(
            target=self.serve_forever, args=(0.02,), name=name, daemon=True
        )
        self._accepting.start()

    def close(self):
        self.shutdown()
        self._accepting.join(PATIENCE)
        self.drop()
        self.server_close()

    def drop(self):
        """Close all connections."""
        raise NotImplementedError

    def _welcome(self, connection):
        """Return the arguments of `_serve` for a new connection; called for one connection at a
        time.
        """
        return (connection,)

    def _serve(self, *welcomed):
        raise NotImplementedError

    def process_request(self, request, client_address):
        request.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.connections += 1
        super().process_request(request, self._welcome(request))

    def finish_request(self, request, client_address):
        self._serve(*client_address)


class NoFolder(Exception):
    """A command names a folder that doesn't exist, or the selected folder is gone."""


FLAGS_KEPT = rb"\Seen \Answered \Flagged \Deleted \Draft"


def says(*lines):
    """Return a hook that sends lines: `says(b"NO not today")`.

    The last line gets the tag of the command.
    """
    return lambda line, tag, arguments: (
        line.say_line(b"\r\n".join([*lines[:-1], tag + b" " + lines[-1]])) or True
    )


def when(text, hook):
    """Return a hook for the commands that contain this text."""
    return lambda line, tag, arguments: text in arguments and hook(line, tag, arguments)


def does(act, hook=None):
    """Return a hook that calls `act()`. Then `hook` or the server answers."""

    def run(*call):
        act()
        return hook is not None and hook(*call)

    return run


def hangs_up(line, tag, arguments):
    line.close()
    return True


def stays_silent(line, tag, arguments):
    return True


def once(hook):
    left = [hook]
    return lambda line, tag, arguments: bool(left) and left.pop()(line, tag, arguments)


def break_off(server, command, at=1, *, answered=True):
    """Close the line at the `at`-th command of this kind, instead of an answer. `answered`: after
    running it.

    Return the number of these commands, in a list.
    """
    count = [0]

    def hook(line, tag, arguments):
        count[0] += 1
        if count[0] != at:
            return False
        if answered:
            spoken = line.say
            line.say = lambda *chunks, pause=0.0: None
            server.answer(command, line, tag, arguments)
            line.say = spoken
        return hangs_up(line, tag, arguments)

    server.hooks[command] = hook
    return count


class Line:
    """Connection of one client."""

    def __init__(self, connection, tls=None):
        self.connection = connection
        self.tls = tls
        self.selected = None
        self.is_closed = False
        self._buffer = b""
        self._sending = threading.Lock()

    def say(self, *chunks, pause=0.0):
        """Send chunks, each in its own segment, and nothing of another thread between them."""
        with self._sending:
            for chunk in chunks:
                self.connection.sendall(chunk)
                if pause:
                    time.sleep(pause)

    def say_line(self, text):
        self.say(text + b"\r\n")

    def read_line(self):
        """Return the next line without its line end; None after the end of the connection."""
        while not self.is_closed and b"\n" not in self._buffer:
            self._buffer += (chunk := self.connection.recv(65536))
            self.is_closed = not chunk
        if self.is_closed:
            return None
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line.rstrip(b"\r")

    def start_tls(self):
        self._buffer = b""
        self.connection = self.tls.wrap_socket(self.connection, server_side=True)

    def close(self):
        """Hang up, from any thread. Only the serving thread closes the socket, which it may be
        reading.
        """
        self.is_closed = True
        with contextlib.suppress(OSError):
            # The method of a TLS socket takes its state away from a thread that reads at this
            # moment.
            socket.socket.shutdown(self.connection, socket.SHUT_RDWR)


class FakeImap(Listener):
    """IMAP server. All public attributes may be changed while it runs, its mail in `changing()`."""

    def __init__(
        self,
        messages=None,
        *,
        abilities="IMAP4rev1 IDLE UIDPLUS MOVE",
        hooks=None,
        tls=None,
        wrapped=False,
        at=HERE,
    ):
        self.folders = {b"INBOX": dict(messages or {}), b"Junk": {}}
        self.flags = {}
        # MAILBOXID by folder, if the server has OBJECTID.
        self.ids = {}
        # Mod-sequences by folder and UID, if the server has CONDSTORE.
        self.modseqs = {}
        self.modseq = 1
        self.abilities = abilities.encode()
        self.hooks = dict(hooks or {})
        self.greeting = b"* OK fake at your service"
        self.validity = 7
        self.password_is_right = True
        self.keywords = True
        self.permanent = b""
        self.exists = None
        self.most = 1000
        self.crowded = b""
        self.prefix = b""
        self.commands = []
        self.lines = []
        self.problems = []
        self._tls = tls
        self._wrapped = wrapped
        self._changing = threading.RLock()
        super().__init__(at)

    def account(self, **more):
        """Return settings for this server."""
        chosen = {
            "name": "alice",
            "host": HERE,
            "port": self.port,
            "security": Security.PLAIN,
            "user": "u",
        }
        return Account(**{**chosen, "poll_seconds": 0.2, "watch_spam": False, **more})

    def changing(self):
        """Return the lock of the mail: changes of several statements under it are one for all
        clients.
        """
        return self._changing

    def drop(self):
        for line in list(self.lines):
            line.close()

    def change(self, uid, *flags, folder=b"INBOX"):
        """Set the flags of a message, as another client does."""
        with self.changing():
            self.modseq += 1
            self.flags[folder, uid], self.modseqs[folder, uid] = set(flags), self.modseq

    def put(self, uid, raw, folder=b"INBOX", *, silent=False):
        """Deliver a message."""
        with self.changing():
            self.folders[folder][uid] = raw
            self.change(uid, folder=folder)
            if not silent:
                self.announce(folder)

    def asked(self, command):
        return sum(each == command for each in list(self.commands))

    def carry(self, uid, target=b"Junk", folder=b"INBOX"):
        """Move a message if it is there, as another client does; without a target expunge it."""
        with self.changing():
            raw = self.folders[folder].pop(uid, None)
            if raw is not None and target:
                self.folders[target][self._next_uid(target)] = raw

    def announce(self, folder=b"INBOX"):
        """Send EXISTS to all clients that have opened the folder."""
        with self.changing():
            for line in [each for each in self.lines if each.selected == folder]:
                with contextlib.suppress(OSError):
                    line.say_line(b"* %d EXISTS" % len(self.folders[folder]))

    def _welcome(self, connection):
        connection.settimeout(PATIENCE)
        self.lines.append(Line(connection, self._tls))
        return (self.lines[-1],)

    def _serve(self, line):
        try:
            if self._wrapped:
                line.connection = self._tls.wrap_socket(line.connection, server_side=True)
            if len(self.lines) > self.most:
                line.say(self.crowded)
                return
            greeting = self.greeting
            line.say(greeting if greeting.endswith(b"\n") else greeting + b"\r\n")
            while (text := line.read_line()) is not None:
                self._answer(line, text)
        except (OSError, ssl.SSLError):
            pass
        except Exception as problem:
            self.problems.append(problem)
            raise
        finally:
            # A client that sees the end of its connection isn't counted any more.
            self.lines.remove(line)
            line.close()
            line.connection.close()

    def _answer(self, line, text):
        if text.upper() == b"DONE":
            line.say_line(line.idle_tag + b" OK idle is over")
            return
        tag, _, rest = text.partition(b" ")
        name, _, arguments = rest.partition(b" ")
        if name.upper() == b"UID":
            sub, _, arguments = arguments.partition(b" ")
            name = b"UID " + sub
        command = name.decode().upper()
        self.commands.append(command)
        with self.changing():
            hook = self.hooks.get(command)
        try:
            if hook is None or not hook(line, tag, arguments):
                self.answer(command, line, tag, arguments)
        except NoFolder:
            line.say_line(tag + b" NO [NONEXISTENT] no such folder")

    def answer(self, command, line, tag, arguments):
        """Answer correctly, as if there was no hook."""
        with self.changing():
            line.idle_tag = tag
            text = getattr(self, "_" + command.lower().replace(" ", "_"), self._unknown)(
                line, arguments
            )
            if text != b"":
                line.say_line(tag + b" " + (text or b"OK done"))
        # A TLS handshake waits for the client.
        if command == "STARTTLS":
            line.start_tls()
        elif command == "LOGOUT":
            line.close()

    def _unknown(self, line, arguments):
        return b"BAD never heard of it"

    def _capability(self, line, arguments):
        line.say_line(b"* CAPABILITY " + self.abilities)

    def _login(self, line, arguments):
        return b"OK welcome" if self.password_is_right else b"NO [AUTHENTICATIONFAILED] wrong"

    def _agree(self, line, arguments):
        return b"OK done"

    _authenticate = _login
    _enable = _noop = _subscribe = _starttls = _agree

    def _logout(self, line, arguments):
        line.say_line(b"* BYE so long")

    def _id(self, line, arguments):
        line.say_line(b'* ID ("name" "fake")')

    def _namespace(self, line, arguments):
        line.say_line(b'* NAMESPACE (("%s" "/")) NIL NIL' % self.prefix)

    def _create(self, line, arguments):
        self.folders[_name(arguments)] = {}

    def _list(self, line, arguments):
        for name in list(self.folders):
            line.say_line(b'* LIST () "/" "%s"' % name)
            if b"MAILBOXID" in arguments:
                line.say_line(b'* STATUS "%s" (MAILBOXID (%s))' % (name, self.ids.get(name, name)))

    def _status(self, line, arguments):
        name = _name(arguments)
        numbers = b"UIDVALIDITY %d UIDNEXT %d MESSAGES %d" % (
            *(self.validity, self._next_uid(name), len(self._messages(name))),
        )
        if b"CONDSTORE" in self.abilities:
            numbers += b" HIGHESTMODSEQ %d" % self.modseq
        line.say_line(b'* STATUS "%s" (%s)' % (name, numbers))

    def _select(self, line, arguments):
        name = _name(arguments)
        line.selected = None
        exists = len(self._messages(name)) if self.exists is None else self.exists
        line.selected = name
        line.say_line(b"* %d EXISTS" % exists)
        line.say_line(b"* OK [UIDVALIDITY %d] valid" % self.validity)
        line.say_line(b"* OK [UIDNEXT %d] next" % self._next_uid(name))
        kept = self.permanent or FLAGS_KEPT + (rb" \*" if self.keywords else b"")
        if b"CONDSTORE" in self.abilities:
            line.say_line(b"* OK [HIGHESTMODSEQ %d] highest" % self.modseq)
        line.say_line(b"* OK [PERMANENTFLAGS (%s)] kept" % kept)
        return b"OK [READ-WRITE] open"

    _examine = _select

    def _uid_search(self, line, arguments):
        asked = arguments.upper().removeprefix(b"UID ")
        uids, _, flag = asked.partition(b" ")
        found = [uid for _, uid in self._numbered(line, b"1:*" if uids == b"ALL" else uids)]
        if flag == b"DELETED":
            found = [
                uid for uid in found if rb"\Deleted" in self.flags.get((line.selected, uid), set())
            ]
        line.say_line(b"* SEARCH " + b" ".join(b"%d" % uid for uid in found))

    def _uid_fetch(self, line, arguments):
        uids, _, items = arguments.partition(b" ")
        since = re.search(rb"CHANGEDSINCE (\d+)", items)
        for number, uid in self._numbered(line, uids):
            if since and self.modseqs.get((line.selected, uid), 1) <= int(since.group(1)):
                continue
            line.say(self.message(line.selected, number, uid, b"BODY" in items))

    def _uid_store(self, line, arguments):
        uids, _, what = arguments.partition(b" ")
        condition = re.match(rb"\(UNCHANGEDSINCE (\d+)\) ", what)
        named = set(re.findall(rb"\(([^)]*)\)", what)[-1].split())
        modified = []
        adds = b"+FLAGS" in what
        for number, uid in self._numbered(line, uids):
            if condition and self.modseqs.get((line.selected, uid), 1) > int(condition[1]):
                modified.append(uid)
                continue
            before = self.flags.get((line.selected, uid), set())
            self.change(uid, *(before | named if adds else before - named), folder=line.selected)
            if b".SILENT" not in what:
                line.say(self.message(line.selected, number, uid, False))
        code = b"[MODIFIED %s] " % b",".join(b"%d" % uid for uid in modified) if modified else b""
        return b"OK " + code + b"stored"

    def _uid_move(self, line, arguments):
        uids, _, target = arguments.partition(b" ")
        self._copy(line, uids, _name(target))
        self._remove(line, [uid for _, uid in self._numbered(line, uids)])

    def _uid_copy(self, line, arguments):
        uids, _, target = arguments.partition(b" ")
        self._copy(line, uids, _name(target))
        copies = self._next_uid(_name(target)) - 1
        return b"OK [COPYUID %d %s %d] copied" % (self.validity, uids, copies)

    def _uid_expunge(self, line, arguments):
        doomed = [uid for _, uid in self._numbered(line, arguments)]
        self._remove(
            line,
            [uid for uid in doomed if rb"\Deleted" in self.flags.get((line.selected, uid), set())],
        )

    def _idle(self, line, arguments):
        line.say_line(b"+ idling")
        return b""

    def message(self, folder, number, uid, whole):
        flags = b" ".join(sorted(self.flags.get((folder, uid), set())))
        head = b"* %d FETCH (UID %d FLAGS (%s)" % (number, uid, flags)
        if not whole:
            return head + b")\r\n"
        raw = self._messages(folder)[uid]
        date = b' INTERNALDATE "02-Nov-2026 10:00:00 +0000"'
        return (
            head
            + date
            + b" RFC822.SIZE %d BODY[]<0> {%d}\r\n" % (len(raw), len(raw))
            + raw
            + b")\r\n"
        )

    def _numbered(self, line, uids):
        messages = sorted(self._messages(line.selected))
        last = messages[-1] if messages else 0
        wanted = [part.split(b":") for part in uids.split(b",")]
        spans = [
            sorted(last if end == b"*" else int(end) for end in (part[0], part[-1]))
            for part in wanted
        ]
        return [
            (number, uid)
            for number, uid in enumerate(messages, 1)
            if any(low <= uid <= high for low, high in spans)
        ]

    def _copy(self, line, uids, target):
        for _, uid in self._numbered(line, uids):
            copy = self._next_uid(target)
            self._messages(target)[copy] = self._messages(line.selected)[uid]
            if b"CONDSTORE" in self.abilities:
                self.change(copy, *self.flags.get((line.selected, uid), set()), folder=target)

    def _remove(self, line, uids):
        messages = self._messages(line.selected)
        for uid in uids:
            number = sorted(messages).index(uid) + 1
            del messages[uid]
            self.modseq += 1
            line.say_line(b"* %d EXPUNGE" % number)

    def _next_uid(self, name):
        return max(self._messages(name), default=0) + 1

    def _messages(self, name):
        if name not in self.folders:
            raise NoFolder
        return self.folders[name]


def _name(arguments):
    quoted = re.match(rb'"((?:[^"\\]|\\.)*)"', arguments)
    return re.sub(rb"\\(.)", rb"\1", quoted.group(1)) if quoted else arguments.split(b" ")[0]
