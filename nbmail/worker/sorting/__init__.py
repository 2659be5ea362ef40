"""Automatic sorting of arrived mail."""
