"""Schema of the database: version 1 and the steps to later versions.

Derived data has no tables: see `store.model`. A released step never changes. It is plain SQL, so
that later code can't change its effect on an old file.
"""

# "nbml": distinguishes the file from other SQLite files.
APPLICATION = 0x6E626D6C

_VERSION_1 = """
CREATE TABLE settings (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE words (
  number INTEGER PRIMARY KEY,
  word TEXT NOT NULL
);

CREATE TABLE messages (
  number INTEGER PRIMARY KEY,
  identity BLOB NOT NULL UNIQUE,
  sender TEXT NOT NULL,
  subject TEXT NOT NULL,
  date REAL NOT NULL,
  size INTEGER NOT NULL,
  attachments INTEGER NOT NULL
);
CREATE INDEX messages_by_date ON messages (date);

-- What a message is learned with: little-endian int32 arrays, and the version of the tokenizer that made them.
CREATE TABLE samples (
  message INTEGER PRIMARY KEY REFERENCES messages,
  tokenizer INTEGER NOT NULL,
  words BLOB NOT NULL,
  occurrences BLOB NOT NULL,
  measures TEXT NOT NULL
);

CREATE TABLE folders (
  number INTEGER PRIMARY KEY,
  account TEXT NOT NULL,
  folder TEXT NOT NULL,
  special TEXT NOT NULL DEFAULT '',
  validity INTEGER NOT NULL DEFAULT 0,
  modseq INTEGER NOT NULL DEFAULT 0,
  UNIQUE (account, folder)
);

CREATE TABLE locations (
  folder INTEGER NOT NULL REFERENCES folders,
  uid INTEGER NOT NULL,
  message INTEGER NOT NULL REFERENCES messages,
  flags TEXT NOT NULL,
  PRIMARY KEY (folder, uid)
) WITHOUT ROWID;
-- The list of 100,000 messages is read from the indexes in their own order: 170 ms instead of 430.
CREATE INDEX locations_by_message ON locations (message, folder, uid, flags);

-- Where messages lay that we have had moved, until they are seen in their new folder.
CREATE TABLE departed (
  message INTEGER NOT NULL REFERENCES messages,
  account TEXT NOT NULL,
  folder TEXT NOT NULL,
  special TEXT NOT NULL,
  validity INTEGER NOT NULL,
  uid INTEGER NOT NULL,
  flags TEXT NOT NULL,
  PRIMARY KEY (message, account)
) WITHOUT ROWID;

CREATE TABLE classes (
  number INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
);

-- position: the place in the order in which labels are learned.
CREATE TABLE labels (
  message INTEGER PRIMARY KEY REFERENCES messages,
  class INTEGER NOT NULL REFERENCES classes,
  position INTEGER NOT NULL UNIQUE,
  moment REAL NOT NULL
);

-- Messages that the program chose by their scores and asked about, as far as they were then labelled.
CREATE TABLE asked (
  message INTEGER PRIMARY KEY REFERENCES messages
);

-- Labels handed in for messages that are not known yet, by what the messages are, and who gave them when.
CREATE TABLE waiting_labels (
  identity BLOB PRIMARY KEY,
  label TEXT NOT NULL,
  moment REAL NOT NULL,
  by TEXT NOT NULL,
  account TEXT NOT NULL,
  folder TEXT NOT NULL
) WITHOUT ROWID;

-- Written beside labels, so that anybody can find the message.
CREATE TABLE message_ids (
  identity BLOB PRIMARY KEY,
  message_id TEXT NOT NULL
) WITHOUT ROWID;

-- Imported counts and corrections, packed by `store.model.arrays`.
CREATE TABLE bases (
  number INTEGER PRIMARY KEY,
  moment REAL NOT NULL,
  sources TEXT NOT NULL,
  content BLOB NOT NULL
);

-- What a user can undo. state: done, undone, or closed (undone and overtaken by another step). account, folder: what it
-- was learned from, both empty for files that were handed in.
CREATE TABLE steps (
  number INTEGER PRIMARY KEY,
  moment REAL NOT NULL,
  by TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'done',
  base_before INTEGER,
  base_after INTEGER,
  account TEXT,
  folder TEXT
);
CREATE INDEX steps_by_state ON steps (state, number);

-- Only ever appended to. An undo's lines carry the step they undo.
CREATE TABLE journal (
  number INTEGER PRIMARY KEY,
  step INTEGER REFERENCES steps,
  moment REAL NOT NULL,
  message INTEGER NOT NULL REFERENCES messages,
  before INTEGER REFERENCES classes,
  after INTEGER REFERENCES classes,
  position_before INTEGER,
  position_after INTEGER,
  by TEXT NOT NULL
);
CREATE INDEX journal_by_message ON journal (message, number);
CREATE INDEX journal_by_step ON journal (step, number);
CREATE INDEX journal_by_position ON journal (position_after);

-- wanted: should the server be told (1) or told back (0); applied: which of the two it was told last.
CREATE TABLE outbox (
  number INTEGER PRIMARY KEY,
  message INTEGER NOT NULL REFERENCES messages,
  kind TEXT NOT NULL,
  account TEXT NOT NULL,
  folder TEXT NOT NULL,
  validity INTEGER NOT NULL,
  uid INTEGER NOT NULL,
  added TEXT NOT NULL,
  removed TEXT NOT NULL,
  target TEXT NOT NULL,
  wanted INTEGER NOT NULL DEFAULT 1,
  applied INTEGER NOT NULL DEFAULT 0,
  closed TEXT NOT NULL DEFAULT '',
  detail TEXT NOT NULL DEFAULT ''
);
CREATE INDEX outbox_open ON outbox (account, number) WHERE closed = '' AND wanted <> applied;
CREATE INDEX outbox_by_message ON outbox (message);
"""

_VERSION_2 = """
-- position: place in the learning order, NULL if unknown; logged: whether labels.log has the label. An empty label is
-- one that was removed and is still to be logged.
ALTER TABLE waiting_labels ADD COLUMN position INTEGER;
ALTER TABLE waiting_labels ADD COLUMN logged INTEGER NOT NULL DEFAULT 0;
CREATE INDEX waiting_labels_by_position ON waiting_labels (position);
CREATE INDEX waiting_labels_to_log ON waiting_labels (identity) WHERE logged = 0;
"""

_VERSION_3 = """
-- Automatic sorting: from which UID on mail counts as newly arrived, by inbox.
CREATE TABLE sorted_folders (
  account TEXT NOT NULL,
  folder TEXT NOT NULL,
  validity INTEGER NOT NULL,
  uid INTEGER NOT NULL,
  PRIMARY KEY (account, folder)
) WITHOUT ROWID;

-- What automatic sorting did with a message that arrived at this location, see store/mail/sorted_mail.py.
CREATE TABLE sorted (
  number INTEGER PRIMARY KEY,
  message INTEGER NOT NULL REFERENCES messages,
  account TEXT NOT NULL,
  folder TEXT NOT NULL,
  validity INTEGER NOT NULL,
  uid INTEGER NOT NULL,
  moment REAL NOT NULL,
  state TEXT NOT NULL,
  reason TEXT NOT NULL DEFAULT '',
  detail TEXT NOT NULL DEFAULT '',
  probability REAL NOT NULL DEFAULT 0,
  progress TEXT NOT NULL DEFAULT '',
  going_back INTEGER NOT NULL DEFAULT 0,
  requested INTEGER NOT NULL DEFAULT 0,
  unseen INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX sorted_by_message ON sorted (message);
CREATE INDEX sorted_by_moment ON sorted (moment);
CREATE INDEX sorted_open ON sorted (account) WHERE state IN ('new', 'moving') OR progress <> '' OR going_back;
"""

_VERSION_4 = """
-- Identities of messages besides `messages.identity`: version 1 of those that are stored under version 2, and the other
-- way round.
CREATE TABLE other_identities (
  identity BLOB NOT NULL,
  version INTEGER NOT NULL,
  message INTEGER NOT NULL REFERENCES messages,
  PRIMARY KEY (identity, version)
) WITHOUT ROWID;
CREATE INDEX other_identities_by_message ON other_identities (message, version);
ALTER TABLE waiting_labels ADD COLUMN identity_version INTEGER NOT NULL DEFAULT 1;
"""

_VERSION_5 = """
-- Moves that the user requested, see store/mail/filed_moves.py.
CREATE TABLE filed (
  number INTEGER PRIMARY KEY,
  message INTEGER NOT NULL REFERENCES messages,
  account TEXT NOT NULL,
  origin TEXT NOT NULL,
  target TEXT NOT NULL,
  folder TEXT NOT NULL,
  validity INTEGER NOT NULL,
  uid INTEGER NOT NULL,
  flags TEXT NOT NULL,
  label TEXT NOT NULL,
  wanted INTEGER NOT NULL DEFAULT 1,
  applied INTEGER NOT NULL DEFAULT 0,
  closed TEXT NOT NULL DEFAULT '',
  detail TEXT NOT NULL DEFAULT ''
);
CREATE INDEX filed_by_message ON filed (message);
CREATE INDEX filed_by_location ON filed (account, folder, uid) WHERE closed = '';
CREATE INDEX filed_open ON filed (account, number) WHERE closed = '' AND (wanted <> applied OR detail <> '');

-- Moves that an undo step wanted (1) or reverted (0).
CREATE TABLE filed_steps (
  step INTEGER NOT NULL REFERENCES steps,
  move INTEGER NOT NULL REFERENCES filed,
  wanted INTEGER NOT NULL,
  PRIMARY KEY (step, move)
) WITHOUT ROWID;

-- Moves of marks were entries of the outbox, and their reversal another entry.
INSERT INTO filed
SELECT move.number, move.message, move.account, move.folder,
  iif(move.applied, ifnull(folders.folder, move.target), move.target),
  iif(move.applied, ifnull(folders.folder, move.target), move.folder),
  iif(move.applied, ifnull(folders.validity, 0), move.validity),
  iif(move.applied, ifnull(max(locations.uid), 0), move.uid),
  '', iif(move.added <> '', move.added, iif(move.target = '\\Junk', 'spam', 'ham')),
  iif(back.number IS NULL, move.wanted, 0), move.applied, '', ifnull(back.detail, move.detail)
FROM outbox AS move
LEFT JOIN outbox AS back ON back.kind = 'move' AND back.closed = '' AND back.wanted AND NOT back.applied
  AND back.message = move.message AND back.removed = CAST(move.number AS TEXT)
LEFT JOIN folders ON folders.account = move.account AND move.target IN (folders.special, folders.folder)
LEFT JOIN locations ON locations.folder = folders.number AND locations.message = move.message
WHERE move.kind = 'move' AND move.closed = '' AND move.removed = ''
GROUP BY move.number;
INSERT INTO filed_steps
SELECT max(journal.step), filed.number, 1 FROM filed JOIN classes ON classes.name = label
JOIN journal ON journal.message = filed.message AND after = classes.number AND by = 'user' AND step IS NOT NULL
GROUP BY filed.number;
DELETE FROM outbox WHERE kind = 'move';

-- Flags that the user changed in an undo step. added: 1 if the flag was set, 0 if it was cleared.
CREATE TABLE flag_changes (
  step INTEGER NOT NULL REFERENCES steps,
  message INTEGER NOT NULL REFERENCES messages,
  flag TEXT NOT NULL,
  added INTEGER NOT NULL,
  PRIMARY KEY (step, message)
) WITHOUT ROWID;

-- Folders of each server as it listed them last, and when the user last moved mail there.
CREATE TABLE server_folders (
  account TEXT NOT NULL,
  folder TEXT NOT NULL,
  special TEXT NOT NULL,
  used REAL NOT NULL DEFAULT 0,
  mailbox_id TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (account, folder)
) WITHOUT ROWID;

-- Sent mail: the hash of its Message-ID, and the recipients. A folder is known up to a UID, and as a whole.
CREATE TABLE sent (
  identifier BLOB PRIMARY KEY
) WITHOUT ROWID;
CREATE TABLE recipients (
  address TEXT NOT NULL,
  sent BLOB NOT NULL,
  moment REAL NOT NULL,
  PRIMARY KEY (address, sent)
) WITHOUT ROWID;
CREATE TABLE sent_folders (
  account TEXT NOT NULL,
  folder TEXT NOT NULL,
  validity INTEGER NOT NULL,
  uid INTEGER NOT NULL,
  complete INTEGER NOT NULL,
  PRIMARY KEY (account, folder)
) WITHOUT ROWID;

-- What was known of the sender at the date of a message: see core/senders/people.py.
CREATE TABLE acquaintances (
  message INTEGER PRIMARY KEY REFERENCES messages,
  written INTEGER NOT NULL,
  own INTEGER NOT NULL,
  thread TEXT NOT NULL
);
CREATE INDEX message_ids_by_name ON message_ids (message_id);

-- Whether the account's mail server confirmed the sender, NULL without a trusted server.
ALTER TABLE messages ADD COLUMN verified INTEGER;

-- Threads: hashes of the Message-ID of each message, and of those that it answers.
CREATE TABLE threads (
  message INTEGER NOT NULL REFERENCES messages,
  name BLOB NOT NULL,
  PRIMARY KEY (message, name)
) WITHOUT ROWID;
CREATE INDEX threads_by_name ON threads (name);

-- Labels of moves by other clients that wait for the user's answer, see store/labels/labels.py.
CREATE TABLE offered_moves (
  message INTEGER PRIMARY KEY REFERENCES messages,
  account TEXT NOT NULL,
  label TEXT NOT NULL,
  certain INTEGER NOT NULL,
  entry INTEGER NOT NULL
);

-- target: folder that a message was filed into automatically; empty for the spam folder, '*' before the decision.
ALTER TABLE sorted ADD COLUMN target TEXT NOT NULL DEFAULT '';
CREATE INDEX sorted_by_target ON sorted (account, target, state) WHERE target <> '';
CREATE TABLE sorting_start (
  account TEXT NOT NULL,
  folder TEXT NOT NULL,
  target TEXT NOT NULL,
  validity INTEGER NOT NULL,
  uid INTEGER NOT NULL,
  PRIMARY KEY (account, folder, target)
) WITHOUT ROWID;
INSERT INTO sorting_start SELECT account, folder, '', validity, uid FROM sorted_folders;
DROP TABLE sorted_folders;
"""

_VERSION_6 = """
-- Sorted messages go back by moves in `filed`, as all others. progress: "back <location>" and the progress of the move.
INSERT INTO filed (message, account, origin, target, folder, validity, uid, flags, label, detail)
SELECT message, account, coalesce(json_extract(begun, '$[1][0]'), iif(progress = '', place, goal)), inbox,
  coalesce(json_extract(begun, '$[1][0]'), iif(progress = '', place, inbox)),
  coalesce(json_extract(begun, '$[1][1]'), stored, iif(progress = '', 0, validity)),
  coalesce(json_extract(begun, '$[1][2]'), at, iif(progress = '', 0, uid)), flags, label, coalesce(begun, '')
FROM (
  SELECT sorted.message, sorted.account, sorted.folder AS inbox, sorted.validity, sorted.uid, progress,
    iif(target = '', '\\Junk', target) AS goal, coalesce(locations.flags, '') AS flags,
    iif(progress LIKE 'back %', substr(progress, instr(progress, char(10)) + 1), NULL) AS begun,
    coalesce(there.folder, iif(target = '', '\\Junk', target)) AS place,
    iif(progress = '', there.validity, NULL) AS stored, iif(progress = '', max(locations.uid), NULL) AS at,
    iif(classes.name = 'ham', 'ham', '') AS label
  FROM sorted
  LEFT JOIN folders AS there ON there.account = sorted.account
    AND iif(target = '', there.special = '\\Junk', there.folder = target)
  LEFT JOIN locations ON locations.folder = there.number AND locations.message = sorted.message
  LEFT JOIN labels ON labels.message = sorted.message LEFT JOIN classes ON classes.number = class
  WHERE going_back GROUP BY sorted.number
);
INSERT INTO filed_steps
SELECT max(steps.number), filed.number, 1 FROM sorted
JOIN filed ON filed.message = sorted.message AND label = 'ham'
JOIN journal ON journal.message = sorted.message JOIN steps ON steps.number = step AND steps.state = 'done'
WHERE going_back AND NOT EXISTS (SELECT 1 FROM filed_steps WHERE move = filed.number) GROUP BY filed.number;
UPDATE sorted SET progress = '' WHERE progress LIKE 'back %';
DROP INDEX sorted_open;
ALTER TABLE sorted DROP COLUMN going_back;
CREATE INDEX sorted_open ON sorted (account) WHERE state IN ('new', 'moving') OR progress <> '';

-- Chance of spam when the message arrived, NULL if there was none.
ALTER TABLE messages ADD COLUMN chance_at_arrival REAL;
"""

# STEPS[n] leads from version n to version n + 1.
STEPS: tuple[str, ...] = (_VERSION_1, _VERSION_2, _VERSION_3, _VERSION_4, _VERSION_5, _VERSION_6)

RAW_MAIL = """
CREATE TABLE bodies (
  identity BLOB PRIMARY KEY,
  stored REAL NOT NULL,
  size INTEGER NOT NULL,
  raw BLOB NOT NULL
) WITHOUT ROWID;
CREATE INDEX bodies_by_age ON bodies (stored, size);
"""
