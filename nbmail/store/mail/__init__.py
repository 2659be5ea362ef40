"""Stored mail: messages, folders, samples, raw texts and the index for searching."""
