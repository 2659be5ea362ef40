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
READABLE = (*WRITABLE, "popfile")
