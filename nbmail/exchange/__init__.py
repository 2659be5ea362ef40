"""Model files of nbmail and of other filters, and tables of labels. The names of the formats are here."""

OWN = "nbmail"
SUFFIXES = {
    OWN: ".nbmodel",
    "bogofilter": ".txt",
    "spamassassin": ".txt",
    "spambayes": ".csv",
    "thunderbird": ".dat",
    "thunderbird-traits": ".dat",
}
"""The formats that can be written, with the suffix of their files."""
WRITABLE = tuple(SUFFIXES)
READABLE = (*WRITABLE, "popfile")
FOREIGN_PREFIXES = tuple(name + mark for name in WRITABLE if name != OWN for mark in (":", "+:"))
"""Prefixes of words that only another filter has. They are stored for exports to it; no message contains them."""
