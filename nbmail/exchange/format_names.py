"""What the formats of model files are called, without loading what reads them."""

OWN = "nbmail"
SUFFIXES = {
    OWN: ".nbmodel",
    "bogofilter": ".txt",
    "spamassassin": ".txt",
    "spambayes": ".csv",
    "thunderbird": ".dat",
    "thunderbird-traits": ".dat",
}
"""The formats that are written, and what their files' names end with."""
WRITABLE = tuple(SUFFIXES)
KEPT = tuple(name + mark for name in WRITABLE if name != OWN for mark in (":", "+:"))
"""What words begin with that only another filter has: kept to be given back to it, held by no message."""
READABLE = (*WRITABLE, "popfile")
