"""Model files of nbmail and of other filters. The names of the formats are here."""

OWN = "nbmail"
FORMATS = {
    OWN: ("nbmail", ".nbmodel"),
    "bogofilter": ("bogofilter", ".txt"),
    "spamassassin": ("SpamAssassin", ".txt"),
    "spambayes": ("SpamBayes", ""),
    "thunderbird": ("Thunderbird", ".dat"),
    "thunderbird-traits": ("Thunderbird", ".dat"),
    "popfile": ("POPFile", ""),
}
"""Program and suffix of each format. The suffix is empty if files are only read."""
READABLE = tuple(FORMATS)
WRITABLE = tuple(name for name, (_, suffix) in FORMATS.items() if suffix)

PREFIX_MARK = ":"
"""Between the name of a format and a word stored for exports to it."""
COUNTED_MARK = "+:"
"""Instead of `PREFIX_MARK` if nbmail's own word has the counts of the stored word, too."""
FOREIGN_PREFIXES = tuple(
    name + mark for name in WRITABLE if name != OWN for mark in (PREFIX_MARK, COUNTED_MARK)
)
"""Prefixes of words that are stored for exports to another filter. No message contains them."""
