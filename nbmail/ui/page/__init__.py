"""Texts and HTML pages of mail, flattened for Qt."""
