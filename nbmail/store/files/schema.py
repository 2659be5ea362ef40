"""Schema of the database.

Until the first release the schema changes in place, and a database with another one is refused.
From the first release on it has a version number, and each change an upgrade in plain SQL that
stands alone. Derived data has no tables: see `store.model`.
"""

# "nbml": distinguishes the file from other SQLite files.
APPLICATION = 0x6E626D6C

SCHEMA = """
-- Settings of labels and model: JSON values by name.
CREATE TABLE settings (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;

-- Vocabulary of all samples, numbered from 0 without gaps.
CREATE TABLE words (
  number INTEGER PRIMARY KEY,
  word TEXT NOT NULL
);

-- Messages in whatever folders. identity: see store/mail/identity.py. verified: whether the
-- account's mail server confirmed the sender, NULL without a trusted server. chance_at_arrival:
-- chance of spam when the message arrived, NULL if there was none.
CREATE TABLE messages (
  number INTEGER PRIMARY KEY,
  identity BLOB NOT NULL UNIQUE,
  sender TEXT NOT NULL,
  subject TEXT NOT NULL,
  date REAL NOT NULL,
  size INTEGER NOT NULL,
  attachments INTEGER NOT NULL,
  verified INTEGER,
  chance_at_arrival REAL
);
CREATE INDEX messages_by_date ON messages (date);

-- What a message is learned with: little-endian int32 arrays, and the version of the tokenizer
-- that made them.
CREATE TABLE samples (
  message INTEGER PRIMARY KEY REFERENCES messages,
  tokenizer INTEGER NOT NULL,
  words BLOB NOT NULL,
  occurrences BLOB NOT NULL,
  measures TEXT NOT NULL
);

-- Message-IDs by identity, also of unknown messages. They are written beside labels, so that
-- anybody can find the message.
CREATE TABLE message_ids (
  identity BLOB PRIMARY KEY,
  message_id TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX message_ids_by_name ON message_ids (message_id);

-- Threads: hashes of the Message-ID of each message, and of those that it answers.
CREATE TABLE threads (
  message INTEGER NOT NULL REFERENCES messages,
  name BLOB NOT NULL,
  PRIMARY KEY (message, name)
) WITHOUT ROWID;
CREATE INDEX threads_by_name ON threads (name);

-- Folders with stored messages, and the server's state up to which they are synchronized.
CREATE TABLE folders (
  number INTEGER PRIMARY KEY,
  account TEXT NOT NULL,
  folder TEXT NOT NULL,
  special TEXT NOT NULL DEFAULT '',
  validity INTEGER NOT NULL DEFAULT 0,
  modseq INTEGER NOT NULL DEFAULT 0,
  UNIQUE (account, folder)
);

-- Locations of messages. The list of 100,000 messages is read from the index in its order: 170 ms
-- instead of 430.
CREATE TABLE locations (
  folder INTEGER NOT NULL REFERENCES folders,
  uid INTEGER NOT NULL,
  message INTEGER NOT NULL REFERENCES messages,
  flags TEXT NOT NULL,
  PRIMARY KEY (folder, uid)
) WITHOUT ROWID;
CREATE INDEX locations_by_message ON locations (message, folder, uid, flags);

-- Last location of a message that left a folder, until it is seen in another one of the account.
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

-- Folders of each server as it listed them last. used: when the user last moved mail there.
CREATE TABLE server_folders (
  account TEXT NOT NULL,
  folder TEXT NOT NULL,
  special TEXT NOT NULL,
  used REAL NOT NULL DEFAULT 0,
  mailbox_id TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (account, folder)
) WITHOUT ROWID;

-- Sent messages, by the hash of their Message-ID.
CREATE TABLE sent (
  identifier BLOB PRIMARY KEY
) WITHOUT ROWID;

-- Recipients of sent messages.
CREATE TABLE recipients (
  address TEXT NOT NULL,
  sent BLOB NOT NULL,
  moment REAL NOT NULL,
  PRIMARY KEY (address, sent)
) WITHOUT ROWID;

-- Folders of sent mail: read up to a UID, and whether once as a whole.
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

-- Names of classes.
CREATE TABLE classes (
  number INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
);

-- Current labels. position: place in the learning order.
CREATE TABLE labels (
  message INTEGER PRIMARY KEY REFERENCES messages,
  class INTEGER NOT NULL REFERENCES classes,
  position INTEGER NOT NULL UNIQUE,
  moment REAL NOT NULL
);

-- Messages whose labels the program had requested because of their scores.
CREATE TABLE asked (
  message INTEGER PRIMARY KEY REFERENCES messages
);

-- Labels of unknown messages. position: NULL if unknown. logged: whether labels.log has the label.
-- An empty label is one that was removed and is still to be logged.
CREATE TABLE waiting_labels (
  identity BLOB PRIMARY KEY,
  label TEXT NOT NULL,
  moment REAL NOT NULL,
  by TEXT NOT NULL,
  account TEXT NOT NULL,
  folder TEXT NOT NULL,
  position INTEGER,
  logged INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE INDEX waiting_labels_by_position ON waiting_labels (position);
CREATE INDEX waiting_labels_to_log ON waiting_labels (identity) WHERE logged = 0;
CREATE INDEX waiting_labels_of_earlier_builds ON waiting_labels (identity)
  WHERE length(identity) > 16;

-- Labels of moves by other clients that wait for the user's answer, see store/labels/labels.py.
CREATE TABLE offered_moves (
  message INTEGER PRIMARY KEY REFERENCES messages,
  account TEXT NOT NULL,
  label TEXT NOT NULL,
  certain INTEGER NOT NULL,
  entry INTEGER NOT NULL
);

-- Imported counts and corrections, packed by `store.model.arrays`.
CREATE TABLE bases (
  number INTEGER PRIMARY KEY,
  moment REAL NOT NULL,
  sources TEXT NOT NULL,
  content BLOB NOT NULL
);

-- Undo steps. state: done, undone, or closed (undone and overtaken by another step). account,
-- folder: what the labels were learned from, both empty for files.
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

-- Changes of labels, only ever appended to. The entries of an undo carry the step that they undo.
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

-- Flags to set on servers. wanted: whether the server should have them (1) or not (0); applied:
-- what it confirmed last.
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

-- Flags that the user changed in an undo step. added: 1 if the flag was set, 0 if it was cleared.
CREATE TABLE flag_changes (
  step INTEGER NOT NULL REFERENCES steps,
  message INTEGER NOT NULL REFERENCES messages,
  flag TEXT NOT NULL,
  added INTEGER NOT NULL,
  PRIMARY KEY (step, message)
) WITHOUT ROWID;

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
CREATE INDEX filed_open ON filed (account, number)
  WHERE closed = '' AND (wanted <> applied OR detail <> '');

-- Moves that an undo step wanted (1) or reverted (0).
CREATE TABLE filed_steps (
  step INTEGER NOT NULL REFERENCES steps,
  move INTEGER NOT NULL REFERENCES filed,
  wanted INTEGER NOT NULL,
  PRIMARY KEY (step, move)
) WITHOUT ROWID;

-- What automatic sorting did with a message that arrived at this location, see
-- store/mail/sorted_mail.py. target: folder that the message was filed into; empty for the spam
-- folder, '*' before the decision.
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
  requested INTEGER NOT NULL DEFAULT 0,
  unseen INTEGER NOT NULL DEFAULT 0,
  target TEXT NOT NULL DEFAULT ''
);
CREATE INDEX sorted_by_message ON sorted (message);
CREATE INDEX sorted_by_moment ON sorted (moment);
CREATE INDEX sorted_by_target ON sorted (account, target, state) WHERE target <> '';
CREATE INDEX sorted_open ON sorted (account)
  WHERE state IN ('new', 'moving') OR progress <> '';

-- From which UID on mail of a folder counts as newly arrived, for each target of automatic
-- sorting.
CREATE TABLE sorting_start (
  account TEXT NOT NULL,
  folder TEXT NOT NULL,
  target TEXT NOT NULL,
  validity INTEGER NOT NULL,
  uid INTEGER NOT NULL,
  PRIMARY KEY (account, folder, target)
) WITHOUT ROWID;
"""
