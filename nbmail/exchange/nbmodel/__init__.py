"""Model files of nbmail: a zip archive of `manifest.json` and CSV tables. See `FORMAT.md`.

A spreadsheet can open the tables, a program can read them in twenty lines, and reading back is
exact. Words keep their order, so that sums of their weights are equal to the last bit.
"""
