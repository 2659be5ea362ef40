"""Stored data. The only package that reads and writes the program's databases."""
