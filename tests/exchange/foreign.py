"""Small files of other filters."""

import sqlite3

from nbmail.chunks import drain
from nbmail.exchange.formats import reading_file, writing_model_file

# One ham message with "lunch", one spam message with "viagra" and the subject "cheap".
TRAINING = bytes.fromhex(
    "feedface 00000001 00000001 00000001 00000001 00000005 6c756e6368 00000002"
    "00000001 00000006 766961677261 00000001 0000000d 7375626a6563743a6368656170"
)
TRAITS = bytes.fromhex("fca93601 00000007 00000003 00000001 00000002 00000005 6c756e6368 00000000")
BOGOFILTER = (
    b".ENCODING 2 0 20261118\n.MSG_COUNT 3 2 20261118\n.ROBX 415000 0 20261118\n"
    b".WORDLIST_VERSION 20040500 0 20261118\n"
    b"Hello 1 0 20261118\nfrom:anna 0 2 20261118\nhead:plain 1 1 20261118\n"
    b"subj:FREE 2 0 20261118\nviagra 3 0 20261118\n"
)
SPAMASSASSIN = (
    b"v\t3\tdb_version # this must be the first line!!!\nv\t3\tnum_spam\nv\t2\tnum_nonspam\n"
    b"t\t3\t0\t1021543432\tbd9d908616\nt\t1\t1\t1031930397\t0123456789\ns\ts\tabc@sa_generated\n"
)
SPAMBAYES = '2,3\r\nsubject:café,0,2\r\n"a,""b""",1,0\r\nviagra,0,3\r\n=cmd,1,0\r\n'.encode()
POPFILE_TABLES = """
CREATE TABLE buckets (id INTEGER PRIMARY KEY, userid INT, name TEXT, pseudo INT, comment TEXT);
CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT, UNIQUE (word));
CREATE TABLE matrix (id INTEGER PRIMARY KEY, wordid INT, bucketid INT, times INT, lastseen TEXT);
CREATE TABLE magnets (id INTEGER PRIMARY KEY, bucketid INT, mtid INT, val TEXT, comment TEXT, \
seq INT);
INSERT INTO buckets VALUES (1, 1, 'spam', 0, ''), (2, 1, 'work', 0, ''), (3, 1, \
'unclassified', 1, '');
INSERT INTO buckets VALUES (4, 1, 'home', 0, '');
INSERT INTO words VALUES (1, 'viagra'), (2, 'subject:lunch'), (3, 'trick:spacedout'), (4, 'lunch');
INSERT INTO matrix VALUES (1, 1, 1, 9, ''), (2, 2, 2, 3, ''), (3, 3, 1, 2, ''), (4, 4, 2, 2, '');
INSERT INTO matrix VALUES (5, 4, 4, 4, ''), (6, 1, 3, 5, '');
INSERT INTO magnets VALUES (0, 0, 0, '', '', 0), (1, 2, 1, 'boss@example.org', '', 0);
"""


def popfile(path):
    connection = sqlite3.connect(path)
    connection.executescript(POPFILE_TABLES)
    connection.close()
    return path.read_bytes()


def files(folder):
    return {
        "bogofilter": BOGOFILTER,
        "spamassassin": SPAMASSASSIN,
        "spambayes": SPAMBAYES,
        "thunderbird": TRAINING,
        "thunderbird-traits": TRAITS,
        "popfile": popfile(folder / "popfile.db"),
    }


def read(path, name="", own=()):
    return drain(reading_file(path, name, own))


def read_model(path):
    return read(path, "nbmail").tables


def write(path, tables, name=""):
    drain(writing_model_file(path, tables, name, 1_790_000_000.0))
    return path


def counted(tables):
    """Return the number of messages of each class that contain each word."""
    return dict(zip(tables.words, map(tuple, tables.documents.T.tolist()), strict=True))
