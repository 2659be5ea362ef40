"""Automatic sorting: decisions about arrived messages, previews, and the list of sorted
messages.
"""
