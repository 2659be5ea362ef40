"""In-memory backend of account threads."""

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from nbmail.sync.fetch_plan import apply_delivery
from nbmail.sync.folder_sync import LEAVING
from nbmail.values import ActionKind, FolderName, Outcome, Phase, ServerAction, StoredFolder

PATIENCE = 60.0


class MemoryBackend:
    """Backend that stores deliveries atomically in another thread, like the engine.

    `before` may delay a delivery.
    """

    def __init__(self):
        self.changed = threading.Condition()
        self.folders = {}
        self.raws = {}
        self.outbox = {}
        self.completed = []
        self.handed = {}
        self.states = []
        self.deliveries = []
        self.retained = []
        self.sent = []
        self.refuse = None
        self.before = lambda delivery: None
        self._waiting = {}
        self._numbers = iter(range(1, 1 << 30))

    # ---- what an account calls

    def trust(self, account, servers):
        """Do nothing: mail is stored, not read."""

    def known_folders(self, account):
        return {}

    def list_folders(self, account, folders, renamed=()):
        """Do nothing, for the same reason."""

    def sent_upto(self, folder, validity):
        return max(
            (each.upto for each in self.sent if (each.folder, each.validity) == (folder, validity)),
            default=0,
        )

    def take_sent(self, sent):
        self.sent.append(sent)

    def retain(self, account, folders, *, spam):
        with self.changed:
            self.retained.append((len(self.states), set(folders), spam))

    def stored_folder(self, folder):
        self._wait_for(folder.account)
        return self.known(folder)

    def known(self, folder):
        with self.changed:
            return self.folders.get((folder.account, folder.folder), StoredFolder())

    def deliver(self, delivery):
        self.submit(delivery)
        self._wait_for(delivery.folder.account)

    def submit(self, delivery):
        self._wait_for(delivery.folder.account)
        executor = ThreadPoolExecutor(1)
        self._waiting[delivery.folder.account] = executor.submit(self._store, delivery)
        executor.shutdown(wait=False)

    def _wait_for(self, account):
        if (stored := self._waiting.pop(account, None)) is not None:
            stored.result(PATIENCE)

    def _wait_in_order(self, account):
        """Wait for the submitted delivery, like a later request to the engine. Ignore its error."""
        if (stored := self._waiting.get(account)) is not None:
            stored.exception(PATIENCE)

    def _store(self, delivery):
        self.before(delivery)
        with self.changed:
            if self.refuse is not None:
                raise self.refuse
            key = (delivery.folder.account, delivery.folder.folder)
            known = self.folders.get(key, StoredFolder())
            flags = known.flags if known.validity == delivery.validity else {}
            assert set(delivery.gone) <= set(flags), "gone without having been there"
            assert set(delivery.flags) <= set(flags), "flags of a message nobody has"
            assert not {each.uid for each in delivery.arrivals} & set(flags), "fetched twice"
            self.raws |= {
                (*key, delivery.validity, each.uid): each.raw for each in delivery.arrivals
            }
            self.folders[key] = apply_delivery(replace(known, flags=dict(known.flags)), delivery)
            self.deliveries.append(delivery)
            self.changed.notify_all()

    def pending_actions(self, account):
        with self.changed:
            waiting = [each for each in self.outbox.values() if each.folder.account == account]
            return tuple(each._replace(modseq=self.known(each.folder).modseq) for each in waiting)

    def store_progress(self, actions):
        with self.changed:
            self.outbox.update((each.number, each) for each in actions)

    def complete(self, action, outcome, detail="", new_location=None):
        self._wait_in_order(action.folder.account)
        with self.changed:
            assert action.number in self.outbox, "completed twice"
            del self.outbox[action.number]
            self._follow(action, outcome, new_location)
            self.completed.append((action, outcome, detail))
            self.changed.notify_all()

    def _follow(self, action, outcome, new_location):
        """Apply the result of an action to the stored flags."""
        account = action.folder.account
        here = self.folders.get((account, action.folder.folder), StoredFolder())
        there = self.folders.get((account, new_location.folder)) if new_location else None
        known = here.flags if here.validity == action.validity else {}
        flags = known.get(action.uid, frozenset())
        if (action.kind, outcome) in LEAVING:
            known.pop(action.uid, None)
        elif outcome is Outcome.DONE and action.uid in known:
            known[action.uid] = flags - action.remove | action.add
        if there and there.validity == new_location.validity:
            there.flags[new_location.uid] = flags
            raw = self.raws.get((account, action.folder.folder, action.validity, action.uid))
            self.raws[account, new_location.folder, new_location.validity, new_location.uid] = raw

    def complete_fetch(self, action, arrival):
        self._wait_in_order(action.folder.account)
        with self.changed:
            del self.outbox[action.number]
            self.handed[action.number] = arrival
            self.changed.notify_all()

    def report(self, state):
        with self.changed:
            self.states.append(state)
            self.changed.notify_all()

    # ---- what a test calls

    def send(self, kind, uid, account="alice", folder="INBOX", **more):
        with self.changed:
            name = FolderName(account, folder)
            action = ServerAction(
                next(self._numbers), kind, name, self.known(name).validity, uid, **more
            )
            self.outbox[action.number] = action
            return action

    def move(self, uid, target="\\Junk", **more):
        return self.send(ActionKind.MOVE, uid, target=target, **more)

    def sort(self, uid, mark="nbmail-auto-555555", **more):
        """Claim a message and move it to the spam folder."""
        return self.send(ActionKind.SORT, uid, target="\\Junk", add=frozenset({mark}), **more)

    def keywords(self, uid, add, remove=(), **more):
        return self.send(
            ActionKind.KEYWORDS, uid, add=frozenset(add), remove=frozenset(remove), **more
        )

    def wait(self, condition, timeout=PATIENCE):
        """Wait until `condition()` is true; fail with the latest states after `timeout` seconds."""
        with self.changed:
            if not self.changed.wait_for(condition, timeout):
                states = [
                    f"{s.phase}:{s.error_code}:{s.detail}:{s.folder}" for s in self.states[-8:]
                ]
                found = {"/".join(key): len(stored.flags) for key, stored in self.folders.items()}
                raise AssertionError(f"waited {timeout} s in vain; states {states}; {found}")

    def wait_synced(self, account="alice", after=0, timeout=PATIENCE):
        """Wait for a SYNCED state after the first `after` states."""
        self.wait(
            lambda: any(each.phase is Phase.SYNCED for each in self.of(account)[after:]), timeout
        )

    def look(self, thread):
        """Wait until an account has looked at its folders twice.

        The first look may have started before this call.
        """
        for _ in range(2):
            before = len(self.of(thread.account.name))
            thread.wake()
            self.wait_synced(thread.account.name, before)

    def of(self, account, *phases):
        """Return the states of an account, or those of some phases."""
        return [
            each
            for each in self.states
            if each.account == account and (each.phase in phases or not phases)
        ]

    def messages(self, account="alice", folder="INBOX"):
        with self.changed:
            stored = self.folders.get((account, folder), StoredFolder())
            return {uid: self.raws[account, folder, stored.validity, uid] for uid in stored.flags}

    def flags(self, account="alice", folder="INBOX"):
        with self.changed:
            return dict(self.folders.get((account, folder), StoredFolder()).flags)

    def outcomes(self):
        return [outcome for _, outcome, _ in self.completed]


def leave(thread, timeout=30):
    thread.stop()
    thread.join(timeout)
    assert not thread.is_alive()
