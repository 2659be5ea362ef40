"""Model files of nbmail and of other filters. The names of the formats are here."""

OWN = "nbmail"
FORMATS = {
    OWN: ("nbmail", ".nbmodel"),
    "bogofilter": ("bogofilter", ".txt"),
    "spamassassin": ("SpamAssassin", ".txt"),
    "spambayes": ("SpamBayes", ".csv"),
    "thunderbird": ("Thunderbird", ".dat"),
    "thunderbird-traits": ("Thunderbird", ".dat"),
    "popfile": ("POPFile", ""),
}
"""Formats with their program, and the suffix of files that are written; empty for those that are
only read.
"""
READABLE = tuple(FORMATS)
WRITABLE = tuple(name for name, (_, suffix) in FORMATS.items() if suffix)
FOREIGN_PREFIXES = tuple(name + mark for name in WRITABLE if name != OWN for mark in (":", "+:"))
"""Prefixes of words that only another filter has. They are stored for exports to it; no message
contains them.
"""
